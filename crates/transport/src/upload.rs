//! A trip from an uploaded file: the same multipart form (RFC 7578) from the page and from apps.

mod arguments;
mod form;

use std::time::Duration;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
};
use btp_domain::{Created, Error, PlannedRoute, Refusal, Settings, UploadTrip, route::FetchedRoute};
use btp_formats::{Gpx, MAX_BYTES, read_gpx};
use btp_kernel::{Principal, entropy::digest};
use btp_mcp_kit::quoted;
use bytes::Bytes;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};

use self::form::Form;
use crate::{Services, api, pages};

/// Largest body, in bytes: the file and what stands around it.
const BODY_MAX: usize = MAX_BYTES + 64 * 1024;
/// Files held in memory at a time, over all requests of the process.
static ROOM: Semaphore = Semaphore::const_new(4);
/// How long the next one waits for room.
const ROOM_WAIT: Duration = Duration::from_secs(5);

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
    /// Too many files at a time.
    NoRoom,
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
            Self::NoRoom => "The server is busy. Try again in a few seconds.".to_owned(),
            Self::Planner(Error::Failed(_)) => return None,
            Self::Planner(err) => err.to_string(),
        })
    }
}

impl From<Error> for UploadError {
    fn from(err: Error) -> Self {
        Self::Planner(err)
    }
}

/// Makes a trip of the form in `request`; `is_own` judges the form's `csrf` field before any file is read.
pub(crate) async fn create(
    services: &Services,
    principal: &Principal,
    request: Request,
    is_own: impl Fn(&str) -> bool + Send,
) -> Result<Created, UploadError> {
    let room = timeout(ROOM_WAIT, ROOM.acquire()).await;
    let _room = room.ok().and_then(Result::ok).ok_or(UploadError::NoRoom)?;
    let Form { file, fields } = form::read(request, is_own).await?;
    let (title, settings) = arguments::settings(&fields)?;
    let command = UploadTrip {
        file: digest(&[&file]),
        title,
        settings: settings.clone(),
        arguments: arguments::canonical(&fields),
    };
    Ok(services.planner.upload_trip(principal, command, planned(file, settings)).await?)
}

/// Reads the file and cuts its line, where nobody waits for the thread.
async fn planned(file: Bytes, settings: Settings) -> Result<PlannedRoute, Error> {
    let work = spawn_blocking(move || {
        let route = route(&file)?;
        drop(file);
        PlannedRoute::new(route, &settings)
    });
    Ok(work.await.map_err(|err| Error::Failed(err.into()))??)
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
