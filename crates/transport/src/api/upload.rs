//! A trip from a file.

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};

use super::{person::Signed, problem::Problem, trips};
use crate::{
    Services,
    layer::Named,
    upload::{self, UploadError},
};

/// `POST /api/trips/gpx-upload`: `gpxFile` (at most 30 MB) and the settings by the names that `create_trip` publishes. The
/// days are in the answer.
pub(super) async fn upload(
    State(services): State<Services>,
    Signed(principal): Signed,
    request: Request,
) -> Result<Response, Problem> {
    // Browsers say where a form comes from, and a foreign origin was refused before.
    let created = upload::create(&services, &principal, request, |_| true).await?;
    let place = format!("/api/trips/{}", created.trip);
    let trip = trips::read(State(services), Signed(principal), Named(created.trip.0)).await?;
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], trip).into_response())
}

impl From<UploadError> for Problem {
    fn from(err: UploadError) -> Self {
        let status = match &err {
            UploadError::NotAForm => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            UploadError::BadForm(_) => StatusCode::BAD_REQUEST,
            UploadError::TooLarge | UploadError::LongField(_) => StatusCode::PAYLOAD_TOO_LARGE,
            UploadError::Foreign => StatusCode::FORBIDDEN,
            UploadError::TooMany => StatusCode::TOO_MANY_REQUESTS,
            UploadError::NoRoom => StatusCode::SERVICE_UNAVAILABLE,
            UploadError::Planner(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let retry_after = err.retry_after();
        let problem = match (err.sentence(), err) {
            (_, UploadError::Planner(err)) => err.into(),
            (sentence, _) => Self::new(status, sentence.unwrap_or_default()),
        };
        problem.after(retry_after)
    }
}
