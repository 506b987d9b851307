//! Every way in which a service may fail us, and the code that the trip then has. One table, run against the client and
//! against the built binary.

use btp_domain::{
    FailureCode::{self, *},
    SourceKind::{self, *},
};

use super::{
    Answer,
    shapes::{self, body, track},
    target,
};

/// The number of the first fault; the others follow.
const FIRST: u64 = 9_000_000;

/// A fault.
#[derive(Clone, Copy)]
pub struct Fault {
    /// What happens.
    pub name: &'static str,
    /// What the trip fails with.
    pub code: FailureCode,
    answer: fn(SourceKind, u64) -> Answer,
}

/// Every fault with its number, ready for addresses.
///
/// The order matters where one server meets them all: after five failures in a row a service is left alone, so each that
/// counts as one is followed by one that does not; and after being told to wait nothing is asked at all, so that is last.
pub fn numbered_faults() -> impl Iterator<Item = (u64, &'static Fault)> {
    (FIRST..).zip(FAULTS)
}

/// What a service of this kind answers, when the number is that of a fault.
pub(super) fn answer(kind: SourceKind, id: u64) -> Option<Answer> {
    let fault = FAULTS.get(usize::try_from(id.checked_sub(FIRST)?).ok()?)?;
    Some((fault.answer)(kind, id))
}

const fn fault(name: &'static str, code: FailureCode, answer: fn(SourceKind, u64) -> Answer) -> Fault {
    Fault { name, code, answer }
}

const FAULTS: &[Fault] = &[
    fault("404", NotFound, |_, _| Answer::status("404 Not Found")),
    fault("500 every time", SourceUnavailable, |_, _| Answer::status("500 Internal Server Error")),
    fault("410", Gone, |_, _| Answer::status("410 Gone")),
    fault("503 every time", SourceUnavailable, |_, _| Answer::status("503 Service Unavailable")),
    fault("403", PrivateOrLoginRequired, |_, _| Answer::status("403 Forbidden")),
    fault("429 without a word", RateLimited, |_, _| Answer::status("429 Too Many Requests")),
    fault("401", PrivateOrLoginRequired, |_, _| Answer::status("401 Unauthorized")),
    fault("a connection that breaks", SourceUnavailable, |_, _| Answer::Torn),
    fault("204", UpstreamChanged, |_, _| Answer::status("204 No Content")),
    fault("no answer", Timeout, |_, _| Answer::Never),
    fault("a drop now and then", Timeout, |_, _| Answer::Drip),
    fault("a redirect to the login page", PrivateOrLoginRequired, |_, _| Answer::redirect("/login")),
    fault("a redirect to a foreign login page", PrivateOrLoginRequired, |_, _| {
        Answer::redirect("https://account.example.org/signin")
    }),
    fault("the login page itself", PrivateOrLoginRequired, |_, _| Answer::ok(shapes::LOGIN_PAGE)),
    fault("a redirect to another host", RedirectedElsewhere, |_, _| Answer::redirect("http://127.0.0.2:9/tour/1")),
    fault("a redirect to a cloud's metadata", RedirectedElsewhere, |_, _| {
        Answer::redirect("http://169.254.169.254/latest/meta-data")
    }),
    fault("a redirect to a file", RedirectedElsewhere, |_, _| Answer::redirect("file:///etc/passwd")),
    fault("a redirect to itself", RedirectedElsewhere, |kind, id| Answer::redirect(&target(kind, id))),
    fault("40 MB", TooLarge, |_, _| Answer::ok(vec![b' '; 40_000_000])),
    fault("more than is read, unannounced", TooLarge, |kind, _| {
        Answer::Undeclared("200 OK".to_owned(), vec![b' '; too_much(kind)])
    }),
    fault("a bomb: more than is read, packed into little", TooLarge, |kind, _| {
        Answer::gzip(&vec![b' '; too_much(kind)])
    }),
    fault("more than is read that unpacks to nothing", TooLarge, |kind, _| hollow_gzip(too_much(kind))),
    fault("a packing that was not asked for", UpstreamChanged, |kind, _| {
        Answer::Whole("200 OK\r\ncontent-encoding: br".to_owned(), body(kind, &track(5)).into_bytes())
    }),
    fault("a body that is not packed as it says", UpstreamChanged, |kind, _| {
        Answer::Whole("200 OK\r\ncontent-encoding: gzip".to_owned(), body(kind, &track(5)).into_bytes())
    }),
    fault("a picture", UpstreamChanged, |_, _| {
        Answer::Whole("200 OK\r\ncontent-type: image/png".to_owned(), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec())
    }),
    fault("nothing", UpstreamChanged, |_, _| Answer::ok("")),
    fault("a question whether we are human", UpstreamChanged, |_, _| {
        Answer::ok("<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>")
    }),
    fault("half a document", UpstreamChanged, |kind, _| {
        let whole = list_or_body(kind, 50);
        Answer::ok(&whole.as_bytes()[..whole.len() / 2])
    }),
    fault("a document without the data", UpstreamChanged, |kind, _| {
        Answer::ok(match kind {
            KomootTour | KomootCollection => "<html><title>New design</title><div id=\"app\"></div></html>",
            RideWithGps => "{}",
            StravaRoute | GpxUpload => "<html><title>Maintenance</title></html>",
        })
    }),
    fault("a renamed key", UpstreamChanged, |kind, _| {
        let (old, new) = match kind {
            KomootTour => ("coordinates", "geometry"),
            KomootCollection => ("compilation", "list"),
            RideWithGps => ("track_points", "points"),
            StravaRoute | GpxUpload => ("gpx", "route"),
        };
        Answer::ok(list_or_body(kind, 5).replace(old, new))
    }),
    fault("no point", NoTrackPoints, |kind, _| match kind {
        KomootCollection => Answer::ok(shapes::komoot_collection_page(&[])),
        _ => Answer::ok(body(kind, &track(0))),
    }),
    fault("one point", NoTrackPoints, |kind, id| match kind {
        KomootCollection => Answer::ok(shapes::komoot_collection_page(&[id])),
        _ => Answer::ok(body(kind, &track(1))),
    }),
    fault("the same point again and again", NoTrackPoints, |kind, id| match kind {
        KomootCollection => Answer::ok(shapes::komoot_collection_page(&[id])),
        _ => Answer::ok(body(kind, &vec![(42.0, 1.5, None); 9])),
    }),
    fault("429 with a time to wait", RateLimited, |_, _| Answer::status("429 Too Many Requests\r\nretry-after: 120")),
];

fn list_or_body(kind: SourceKind, points: u32) -> String {
    match kind {
        KomootCollection => shapes::komoot_collection_page(&[1, 2, 3]),
        _ => body(kind, &track(points)),
    }
}

/// Bytes that are too many: of a GPX file 30 MiB are read, of anything else 8 MB.
fn too_much(kind: SourceKind) -> usize {
    match kind {
        StravaRoute | GpxUpload => 32_000_000,
        KomootTour | KomootCollection | RideWithGps => 9_000_000,
    }
}

/// Blocks without content, one after the other: a packed body that never ends and never grows.
fn hollow_gzip(length: usize) -> Answer {
    const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    const EMPTY: [u8; 5] = [0, 0, 0, 0xff, 0xff];
    let body = [HEAD.as_slice(), &EMPTY.repeat(length / EMPTY.len())].concat();
    Answer::Undeclared("200 OK\r\ncontent-encoding: gzip".to_owned(), body)
}
