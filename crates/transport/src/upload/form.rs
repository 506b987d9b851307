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
    ahead::Ahead,
    room::{Place, Room},
};

/// Name of the part with the file.
pub(super) const FILE: &str = "gpxFile";
/// Most bytes of all other parts together.
const TEXT_MAX: usize = 16 * 1024;
/// Most parts.
const MOST_PARTS: usize = 64;

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
    let ahead = Ahead::default();
    let request = request.map(|body| ahead.of(body));
    let mut parts = Multipart::from_request(request, &()).await.map_err(|_| UploadError::NotAForm)?;
    let (mut file, mut fields, mut text, mut own) = (None, Vec::new(), 0, is_own(""));
    let mut count = 0;
    while let Some(mut part) = handed_on(&ahead, room.next(&mut place, parts.next_field()).await)? {
        count += 1;
        if count > MOST_PARTS {
            return Err(UploadError::BadForm(format!("The form has more than {MOST_PARTS} parts.")));
        }
        let name = part.name().unwrap_or_default().to_owned();
        match name.as_str() {
            FILE if !own => return Err(UploadError::Foreign),
            FILE if file.is_some() => return Err(UploadError::BadForm(format!("Send one \"{FILE}\" only."))),
            _ => {}
        }
        let cap = if name == FILE { MAX_BYTES } else { TEXT_MAX - text };
        let mut value = BytesMut::new();
        while let Some(chunk) = handed_on(&ahead, room.next(&mut place, part.chunk()).await)? {
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
fn handed_on<T>(ahead: &Ahead, next: Option<Result<Option<T>, MultipartError>>) -> Result<Option<T>, UploadError> {
    ahead.handed_on();
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
    use std::{
        convert::Infallible,
        future::pending,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use axum::body::Body;
    use futures_util::{StreamExt, stream};

    use super::*;

    fn request(body: Body) -> Request {
        Request::post("/").header("content-type", "multipart/form-data; boundary=edge").body(body).unwrap()
    }

    /// What is said of a form whose bytes come in pieces of this size, and how many were taken.
    async fn refusal(form: Vec<u8>, piece: usize, is_own: bool) -> (Option<String>, usize) {
        let (room, taken) = (Room::of(100_000, 1), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&taken);
        let pieces: Vec<_> = form.chunks(piece).map(Bytes::copy_from_slice).collect();
        let body = stream::iter(pieces).map(move |piece| {
            count.fetch_add(piece.len(), Ordering::Relaxed);
            Ok::<_, Infallible>(piece)
        });
        let place = room.enter(&"ann".into()).unwrap();
        let read = read(request(Body::from_stream(body)), |_| is_own, &room, place).await;
        (read.err().map(|err| err.sentence().unwrap()), taken.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn what_is_no_part_has_an_end() {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"; x=\"";
        let torn = "The form is cut off or not well-formed.";
        for begun in [head, "", "--edge", "--edge\r\n"] {
            for piece in [100, 7_000, 100_000] {
                let form = [begun.as_bytes(), &vec![b'a'; 1_000_000]].concat();
                let (said, taken) = refusal(form, piece, true).await;
                assert_eq!(said.as_deref(), Some(torn), "{begun:?}");
                assert!(taken <= 64 * 1024 + piece, "{taken} of pieces of {piece} after {begun:?}");
            }
        }
        let part = "--edge\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\r\n";
        let (said, _) = refusal(part.repeat(65).into_bytes(), 1_000, true).await;
        assert_eq!(said.as_deref(), Some("The form has more than 64 parts."));
    }

    #[tokio::test]
    async fn a_file_that_is_not_wanted_is_not_read() {
        let part =
            |value: &str| format!("--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"\r\n\r\n{value}\r\n");
        let long = part(&"x".repeat(1_000_000));
        let twice = part("<gpx/>") + &long;
        for (form, is_own, says) in [(&long, false, "The form does not belong"), (&twice, true, "Send one \"gpxFile\"")]
        {
            let (said, taken) = refusal(form.clone().into_bytes(), 1_000, is_own).await;
            assert!(said.unwrap().starts_with(says) && taken < 300_000, "{taken} bytes were read");
        }
    }

    #[tokio::test]
    async fn a_form_is_read_in_whatever_pieces_it_comes() {
        let part = |name: &str, value: &[u8]| {
            let head = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            [head.as_bytes(), value, b"\r\n"].concat()
        };
        let file: Vec<u8> = (0..400_000_u32).map(|at| b"\r\n--edg <>."[at as usize * 7 % 11]).collect();
        let form =
            [&part("title", b"Loire")[..], &part(FILE, &file), &part("averageSpeed", b"18"), b"--edge--\r\n"].concat();
        for piece in [997, 65_536, 1_000_000] {
            let room = Room::of(100_000, 1);
            let pieces: Vec<_> = form.chunks(piece).map(|piece| Ok::<_, Infallible>(piece.to_vec())).collect();
            let body = Body::from_stream(stream::iter(pieces));
            let read = read(request(body), |_| true, &room, room.enter(&"ann".into()).unwrap()).await;
            let Form { file: read, fields } = read.unwrap();
            assert!(read.bytes == file, "pieces of {piece}");
            let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            assert_eq!(fields, [pair("title", "Loire"), pair("averageSpeed", "18")]);
        }
    }

    /// Time is paused and moves on by itself when nothing else can.
    #[tokio::test(start_paused = true)]
    async fn wherever_a_sender_stops_they_give_way() {
        let head = "--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"\r\n\r\n";
        for begun in ["", "--edge\r\nContent", head, &format!("{head}<gpx>"), &format!("{head}<gpx/>\r\n--edge\r\n")] {
            let room = Room::of(10, 1);
            let (place, mut other) = (room.enter(&"ann".into()).unwrap(), room.enter(&"bob".into()).unwrap());
            assert!(room.grow(&mut other, 6 * 1024).await);
            let body = stream::iter([Ok::<_, Infallible>(begun.to_owned())]).chain(stream::once(pending()));
            let refused = read(request(Body::from_stream(body)), |_| true, &room, place).await.err();
            assert!(matches!(refused, Some(UploadError::TooSlow)), "{begun:?}: {refused:?}");
            assert!(room.grow(&mut other, 4 * 1024).await, "its room is free");
        }
    }
}
