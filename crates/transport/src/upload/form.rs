//! The parts of the form: one file, and short texts.

use axum::{
    extract::{FromRequest, Multipart, Request, multipart::MultipartError},
    http::StatusCode,
};
use btp_formats::MAX_BYTES;
use bytes::{Bytes, BytesMut};
use tokio::task::yield_now;

use super::{
    UploadError,
    room::{Place, Room},
};

/// Name of the part with the file.
pub(super) const FILE: &str = "gpxFile";
/// Most bytes of all other parts together.
const TEXT_MAX: usize = 16 * 1024;

/// What was sent.
pub(crate) struct Form {
    pub(super) file: File,
    /// Names and values of the other fields, in the order sent; empty ones, which a browser sends for what was not
    /// filled in, are left out.
    pub(super) fields: Vec<(String, String)>,
}

/// A file, and the room that it takes.
pub(super) struct File {
    pub(super) bytes: Bytes,
    _place: Place,
}

/// Reads the form part by part, never more of it than is allowed, and of the file no more than there is room for.
pub(super) async fn read(
    request: Request,
    is_own: impl Fn(&str) -> bool,
    room: &Room,
    mut place: Place,
) -> Result<Form, UploadError> {
    let mut parts = Multipart::from_request(request, &()).await.map_err(|_| UploadError::NotAForm)?;
    let (mut file, mut fields, mut text, mut own) = (None, Vec::new(), 0, is_own(""));
    while let Some(mut part) = keeping_up(room.next(&mut place, parts.next_field()).await)? {
        let name = part.name().unwrap_or_default().to_owned();
        let cap = if name == FILE { MAX_BYTES } else { TEXT_MAX - text };
        let mut value = BytesMut::new();
        while let Some(chunk) = keeping_up(room.next(&mut place, part.chunk()).await)? {
            if value.len() + chunk.len() > cap {
                return Err(if name == FILE { UploadError::TooLarge } else { UploadError::LongField(name) });
            }
            if name == FILE && !room.grow(&mut place, chunk.len()).await {
                return Err(UploadError::NoRoom);
            }
            value.extend_from_slice(&chunk);
            // A fast sender's next chunk is always there: without this nobody else would be served for a hundred of them.
            yield_now().await;
        }
        match name.as_str() {
            FILE if !own => return Err(UploadError::Foreign),
            FILE if file.is_some() => return Err(UploadError::BadForm(format!("Send one \"{FILE}\" only."))),
            FILE => file = Some(value.freeze()),
            _ => {
                text += value.len();
                let value = String::from_utf8(value.into())
                    .map_err(|_| UploadError::BadForm(format!("\"{name}\" must be text in UTF-8.")))?;
                match name.as_str() {
                    "csrf" => own = is_own(&value),
                    _ if value.trim().is_empty() => {}
                    _ => fields.push((name, value)),
                }
            }
        }
    }
    // A browser sends an empty file when none was chosen.
    let file = file.filter(|file| !file.is_empty());
    let file = file.ok_or_else(|| UploadError::BadForm(format!("Choose a file: \"{FILE}\" is missing or empty.")))?;
    Ok(Form { file: File { bytes: file, _place: place }, fields })
}

/// What came next; nothing did when the sender is too slow.
fn keeping_up<T>(next: Option<Result<Option<T>, MultipartError>>) -> Result<Option<T>, UploadError> {
    next.ok_or(UploadError::TooSlow)?.map_err(|err| torn(&err))
}

fn torn(err: &MultipartError) -> UploadError {
    match err.status() {
        StatusCode::PAYLOAD_TOO_LARGE => UploadError::TooLarge,
        _ => UploadError::BadForm("The form is cut off or not well-formed.".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::pending};

    use axum::body::Body;
    use futures_util::{StreamExt, stream};

    use super::*;

    /// Time is paused and moves on by itself when nothing else can.
    #[tokio::test(start_paused = true)]
    async fn wherever_a_sender_stops_they_give_way() {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"\r\n\r\n";
        for begun in ["", "--edge\r\nContent", head, &format!("{head}<gpx>"), &format!("{head}<gpx/>\r\n--edge\r\n")] {
            let room = Room::of(10, 1);
            let (place, mut other) = (room.enter(&"ann".into()).unwrap(), room.enter(&"bob".into()).unwrap());
            assert!(room.grow(&mut other, 6 * 1024).await);
            let body = stream::iter([Ok::<_, Infallible>(begun.to_owned())]).chain(stream::once(pending()));
            let request = Request::post("/").header("content-type", "multipart/form-data; boundary=edge");
            let request = request.body(Body::from_stream(body)).unwrap();
            let refused = read(request, |_| true, &room, place).await.err();
            assert!(matches!(refused, Some(UploadError::TooSlow)), "{begun:?}: {refused:?}");
            assert!(room.grow(&mut other, 4 * 1024).await, "its room is free");
        }
    }
}
