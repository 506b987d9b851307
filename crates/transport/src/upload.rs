//! A trip from an uploaded file: the same multipart form (RFC 7578) from the page and from apps.

mod ahead;
mod arguments;
mod form;
mod room;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
};
use btp_domain::{Created, Error, PlannedRoute, Refusal, Settings, UploadTrip, route::FetchedRoute};
use btp_formats::{Gpx, MAX_BYTES, read_gpx};
use btp_kernel::{Principal, entropy::digest};
use btp_mcp_kit::quoted;

pub(crate) use self::room::Room;

use self::form::{File, Form};
use crate::{Services, api, pages, sentences::BUSY};

/// Largest body, in bytes: the file and what stands around it.
const BODY_MAX: usize = MAX_BYTES + 64 * 1024;
/// Seconds after which one that was too much may be sent again.
const RETRY: u64 = 5;

/// The routes, which take larger bodies and more time than others.
pub(crate) fn routes() -> Router<Services> {
    api::uploads().merge(pages::uploads()).layer(DefaultBodyLimit::max(BODY_MAX))
}

/// Why no trip was made.
#[derive(Debug)]
pub(crate) enum UploadError {
    /// The body is no multipart form.
    NotAForm,
    /// The form is torn, or lacks what it must have; a sentence.
    BadForm(String),
    /// File or form are too large.
    TooLarge,
    /// What another field holds is too long: mostly a file under another name than its own.
    LongField(String),
    /// The form was not sent by a page of this session.
    Foreign,
    /// The person sends as many files as one may.
    TooMany,
    /// There is no room for more of the file: others send too many.
    NoRoom,
    /// It came so slowly that it would have kept others from sending.
    TooSlow,
    /// The planner refused, or could not.
    Planner(Error),
}

impl UploadError {
    /// What to tell the caller; `None` when it is not their business.
    pub(crate) fn sentence(&self) -> Option<String> {
        Some(match self {
            Self::NotAForm => "Send a form as multipart/form-data, with the file in \"gpxFile\".".to_owned(),
            Self::BadForm(sentence) => sentence.clone(),
            Self::TooLarge => "The file has more than 30 MB.".to_owned(),
            Self::LongField(name) => {
                let name = quoted(name);
                format!("The field \"{name}\" is too long. Send the file in \"gpxFile\", and short texts beside it.")
            }
            Self::Foreign => "The form does not belong to this session.".to_owned(),
            Self::TooMany => "You are sending two files already. Send this one when they are through.".to_owned(),
            Self::NoRoom => BUSY.to_owned(),
            Self::TooSlow => "The file came too slowly while others were sending too. Send it again later.".to_owned(),
            Self::Planner(Error::Failed(_)) => return None,
            Self::Planner(err) => err.to_string(),
        })
    }

    /// In how many seconds to try again, when that is all there is to do.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany | Self::NoRoom | Self::TooSlow | Self::Planner(Error::Busy(_)) => Some(RETRY),
            Self::Planner(Error::Refused(Refusal::RateLimited(seconds))) => Some(*seconds),
            _ => None,
        }
    }
}

impl From<Error> for UploadError {
    fn from(err: Error) -> Self {
        Self::Planner(err)
    }
}

/// Reads the form in `request`; `is_own` judges its `csrf` field before any file is read. It may take minutes: whoever is
/// signed in is to be judged again after it.
pub(crate) async fn receive(
    services: &Services,
    principal: &Principal,
    request: Request,
    is_own: impl Fn(&str) -> bool + Send,
) -> Result<Form, UploadError> {
    let place = services.room.enter(&principal.user).ok_or(UploadError::TooMany)?;
    form::read(request, is_own, &services.room, place).await
}

/// Makes a trip of a form.
pub(crate) async fn create(services: &Services, principal: &Principal, form: Form) -> Result<Created, UploadError> {
    let Form { file, fields } = form;
    let (title, settings) = arguments::settings(&fields)?;
    let (digest, file) = services.room.work(move || (digest(&[&file.bytes]), file)).await?;
    let command =
        UploadTrip { file: digest, title, settings: settings.clone(), arguments: arguments::canonical(&fields) };
    Ok(services.planner.upload_trip(principal, command, planned(&services.room, file, settings)).await?)
}

/// Reads the file and cuts its line.
async fn planned(room: &Room, file: File, settings: Settings) -> Result<PlannedRoute, Error> {
    let planned = room.work(move || {
        let route = route(&file.bytes)?;
        drop(file);
        PlannedRoute::new(route, &settings)
    });
    Ok(planned.await??)
}

fn route(file: &[u8]) -> Result<FetchedRoute, Refusal> {
    let refused = |why: String| Err(Refusal::Invalid(why));
    match read_gpx(file) {
        Ok(Gpx { line, waypoints: 1.., .. }) if line.tracks.is_empty() => {
            refused("The file has waypoints but no track and no route: export the line to ride as GPX.".to_owned())
        }
        Ok(Gpx { title, line, warnings, .. }) => Ok(FetchedRoute { title, line, warnings }),
        Err(err) => refused(format!("The upload was refused because {err}. Send a GPX file of at most 30 MB.")),
    }
}
