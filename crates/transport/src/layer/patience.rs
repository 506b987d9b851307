//! How long a request may take.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use tokio::time::timeout;

use crate::{
    api,
    pages::{self, Visitor},
};

/// Answers 408 to what is not served in this time: mostly its body did not come.
pub(crate) async fn patience(State(time): State<Duration>, request: Request, next: Next) -> Response {
    let (is_api, visitor) = (request.uri().path().starts_with("/api/"), Visitor::stranger(request.headers()));
    let served = timeout(time, next.run(request)).await;
    served.unwrap_or_else(|_| if is_api { api::late() } else { pages::late(&visitor) })
}
