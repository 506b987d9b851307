//! A trip from a file, by the form of the trips page.

use axum::{
    extract::{Request, State},
    response::Response,
};
use btp_domain::{Error, Refusal};
use http::{StatusCode, header};

use super::{Message, Visitor, see_other, trips};
use crate::{
    Services,
    upload::{self, UploadError},
};

/// Makes the trip and shows it.
pub(super) async fn upload(State(services): State<Services>, visitor: Visitor, request: Request) -> Response {
    let (Some(session), Some(principal)) = (&visitor.session, visitor.principal(&services)) else {
        return see_other("/login");
    };
    match upload::create(&services, &principal, request, |csrf| session.is_own_form(csrf)).await {
        Ok(created) => see_other(&format!("/trips/{}", created.trip)),
        Err(UploadError::Foreign) => Message::foreign_form(&visitor).show(&visitor),
        Err(err) => refused(&visitor, err),
    }
}

fn refused(visitor: &Visitor, err: UploadError) -> Response {
    let retry_after = err.retry_after();
    let mut response = told(visitor, err);
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

fn told(visitor: &Visitor, err: UploadError) -> Response {
    let (status, code) = match &err {
        UploadError::NotAForm => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "invalid_request"),
        UploadError::TooLarge | UploadError::LongField(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
        UploadError::NoRoom | UploadError::Planner(Error::Busy(_)) => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
        UploadError::TooMany | UploadError::Planner(Error::Refused(Refusal::RateLimited(_))) => {
            (StatusCode::TOO_MANY_REQUESTS, "rate_limited")
        }
        UploadError::Planner(Error::Refused(_)) => (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
        _ => (StatusCode::BAD_REQUEST, "invalid_request"),
    };
    match (err.sentence(), err) {
        (Some(said), _) => {
            let description = said.clone();
            Message { status, code, description: &description, title: visitor.text().upload_failed, said }.show(visitor)
        }
        (None, UploadError::Planner(err)) => trips::refused(visitor, &err),
        (None, _) => Message::failed(visitor).show(visitor),
    }
}
