//! Shared trips: a page and files for anyone who has the link. A link that is unknown, revoked or of a deleted trip is
//! answered alike.

use askama::Template;
use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse, Response},
};
use btp_domain::{Error, SharedTrip};
use btp_formats::{Course, FIT_TYPE, GPX_TYPE, write_fit, write_gpx};
use btp_kernel::{LimitError, chain, limit};
use http::{HeaderValue, StatusCode, header};
use url::form_urlencoded::byte_serialize;

use super::{
    Frame, Message, Visitor,
    course::{NoCourse, course},
    html,
    said::Said,
    trip_view::TripView,
};
use crate::{
    Services,
    aside::aside,
    layer::{ClientIp, Named},
    turns::Turn,
};

#[derive(Template)]
#[template(path = "shared.html")]
struct SharedPage<'a> {
    frame: Frame<'a>,
    view: TripView,
}

/// Characters of a file's name.
const LONGEST_NAME: usize = 60;

/// A kind of file.
#[derive(Clone, Copy)]
enum Format {
    Gpx,
    Fit,
}

/// The public address of a trip.
pub(super) fn address(services: &Services, code: &str) -> String {
    format!("{}/s/{code}", services.settings.base())
}

/// The page `/s/{code}`, or the whole trip as `/s/{code}.gpx` or `.fit`.
pub(super) async fn read(
    State(services): State<Services>,
    ip: ClientIp,
    visitor: Visitor,
    Named(name): Named,
) -> Response {
    let (code, format) = split(&name);
    let found = match find(&services, &ip, &visitor, code).await {
        Ok(found) => found,
        Err(refusal) => return *refusal,
    };
    match format {
        Some(format) => file(found, None, format, &visitor).await,
        None => page(found, address(&services, code), visitor).await,
    }
}

/// One day as `/s/{code}/{day}.gpx` or `.fit`.
pub(super) async fn read_day(
    State(services): State<Services>,
    ip: ClientIp,
    visitor: Visitor,
    path: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    // What is no text is the name of nothing.
    let (code, name) = path.map_or_else(|_| Default::default(), |Path(names)| names);
    let found = match find(&services, &ip, &visitor, &code).await {
        Ok(found) => found,
        Err(refusal) => return *refusal,
    };
    match split(&name) {
        (day, Some(format)) => file(found, Some(day.parse().unwrap_or(0)), format, &visitor).await,
        (_, None) => no_link(&visitor),
    }
}

fn split(name: &str) -> (&str, Option<Format>) {
    match name.rsplit_once('.') {
        Some((name, "gpx")) => (name, Some(Format::Gpx)),
        Some((name, "fit")) => (name, Some(Format::Fit)),
        _ => (name, None),
    }
}

/// The trip behind a link, and the turn in which it is shown. Every request counts, so that codes cannot be tried out.
async fn find(
    services: &Services,
    ip: &ClientIp,
    visitor: &Visitor,
    code: &str,
) -> Result<(SharedTrip, Turn), Box<Response>> {
    match services.limiter.take(&[(&limit::SHARED_TRIP, &ip.0)], services.clock.now()).await {
        Ok(()) => {}
        Err(LimitError::Exceeded(exceeded)) => {
            return Err(Box::new(Message::limited(visitor, &exceeded, visitor.text().authorize_limited)));
        }
        Err(err @ LimitError::Failed(_)) => {
            tracing::error!(target: "btp::pages", error = chain(&err), "a limit could not be counted");
            return Err(Box::new(Message::failed(visitor).show(visitor)));
        }
    }
    let turn = services.turns.take(&ip.0).await;
    let shared = services.planner.shared_trip(code).await.map_err(|err| match err {
        Error::Refused(_) => Box::new(no_link(visitor)),
        err => {
            tracing::error!(target: "btp::pages", error = chain(&err), "a shared trip could not be read");
            Box::new(Message::broken(visitor, matches!(err, Error::Busy(_))))
        }
    })?;
    Ok((shared, turn))
}

fn no_link(visitor: &Visitor) -> Response {
    let text = visitor.text();
    missing(visitor, "This link leads to no trip.", text.no_link, text.no_link_said)
}

fn missing(visitor: &Visitor, description: &'static str, title: &'static str, said: &str) -> Response {
    let (status, code) = (StatusCode::NOT_FOUND, "not_found");
    Message { status, code, description, title, said: said.to_owned() }.show(visitor)
}

async fn page((shared, turn): (SharedTrip, Turn), address: String, visitor: Visitor) -> Response {
    let page = aside(move || {
        let SharedTrip { trip, line } = shared;
        let mut view = TripView::of(&trip, line.as_ref(), Some(&address), &visitor);
        // Why, and what to do about it, is its owner's business.
        view.failure = view.failure.map(|_| Said::here(visitor.text().no_route));
        turn.until_sent(html(&SharedPage { frame: visitor.frame(), view }, "'self'"))
    });
    unlisted(page.await)
}

async fn file((shared, turn): (SharedTrip, Turn), day: Option<usize>, format: Format, visitor: &Visitor) -> Response {
    let text = visitor.text();
    let file = aside(move || {
        let course = course(&shared, day, text)?;
        Ok(turn.until_sent(written(&course, format)))
    });
    match file.await {
        Ok(response) => unlisted(response),
        Err(NoCourse::NotComputed) => {
            missing(visitor, "The days of this trip are not computed.", text.no_file, text.not_computed)
        }
        Err(NoCourse::NoDay) => missing(visitor, "This trip has no such day.", text.no_file, text.no_such_day),
        Err(NoCourse::RestDay) => {
            missing(visitor, "This is a rest day: there is nothing to ride.", text.no_file, text.nothing_to_ride)
        }
    }
}

fn written(course: &Course, format: Format) -> Response {
    let (media, ending, body) = match format {
        Format::Gpx => (GPX_TYPE, "gpx", write_gpx(course).into_bytes()),
        Format::Fit => (FIT_TYPE, "fit", write_fit(course)),
    };
    let disposition = format!("attachment; filename*=UTF-8''{}.{ending}", file_name(&course.name));
    let headers = [(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, "no-store")];
    (headers, [(header::CONTENT_DISPOSITION, disposition)], body).into_response()
}

/// Letters and digits of a name with hyphens between them, encoded as RFC 8187 asks.
fn file_name(name: &str) -> String {
    let words: Vec<_> = name.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(LONGEST_NAME).collect();
    byte_serialize(if name.is_empty() { "trip" } else { &name }.as_bytes()).collect()
}

/// A link is for those it was given to, not for search engines.
fn unlisted(mut response: Response) -> Response {
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_words() {
        for (name, file) in [
            ("Day 3: Sargans – Chur", "Day-3-Sargans-Chur"),
            ("Été", "%C3%89t%C3%A9"),
            ("../../etc\"\r\n", "etc"),
            ("🚲", "trip"),
        ] {
            assert_eq!(file_name(name), file);
        }
    }
}
