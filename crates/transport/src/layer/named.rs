//! What the variable part of a path names.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

/// The text in the path; empty, and so the name of nothing, when it is no UTF-8: what cannot be read is answered like
/// what does not exist.
pub(crate) struct Named(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Named {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let path = Path::from_request_parts(parts, state).await;
        Ok(Self(path.map_or_else(|_| String::new(), |Path(text)| text)))
    }
}
