//! Addresses of routes: which are understood, and how they are shown.

use url::Url;

use crate::{Refusal, SourceKind, SourceRef};

/// Longest address read, in characters.
const LONGEST: usize = 2048;
/// Digits of the longest id (64 bits).
const MOST_DIGITS: usize = 19;
/// Characters of the longest share token.
const LONGEST_TOKEN: usize = 200;
/// What the id of a smart tour begins with. Komoot counts them apart from tours: the same number is another route.
const SMART_TOUR: &str = "smarttour/";

const UNSUPPORTED: &str = "This \"sourceUrl\" is not supported: give the https address of a Komoot tour \
    (https://www.komoot.com/tour/123), a Komoot collection (https://www.komoot.com/collection/123), a Strava route \
    (https://www.strava.com/routes/123) or a RideWithGPS route (https://ridewithgps.com/routes/123).";

impl SourceRef {
    /// Reads the address of a route. Only the kind, the id and a share token are kept of it.
    ///
    /// # Errors
    /// A [`Refusal::Invalid`] that says which addresses are understood, or what is wrong with this one.
    pub fn parse(address: &str) -> Result<Self, Refusal> {
        let url = legal(address).ok_or_else(unsupported)?;
        let host = url.host_str().map(|host| host.strip_suffix('.').unwrap_or(host)).ok_or_else(unsupported)?;
        let mut path: Vec<_> = url.path_segments().ok_or_else(unsupported)?.collect();
        match host.strip_prefix("www.").unwrap_or(host) {
            "komoot.com" | "komoot.de" | "komoot.nl" | "komoot.fr" | "komoot.it" => {
                if path.first().is_some_and(|folder| is_locale(folder)) {
                    path.remove(0);
                }
                komoot(&path, &url)
            }
            "strava.com" => strava(&path),
            "strava.app.link" => strava_link(&url),
            "ridewithgps.com" => ride_with_gps(&path, &url),
            _ => Err(unsupported()),
        }
    }

    /// The address to show, in one spelling and without any token; `None` for a file.
    pub fn address(&self) -> Option<String> {
        let start = match self.kind {
            SourceKind::KomootTour if self.smart_tour().is_some() => "https://www.komoot.com/",
            SourceKind::KomootTour => "https://www.komoot.com/tour/",
            SourceKind::KomootCollection => "https://www.komoot.com/collection/",
            SourceKind::StravaRoute => "https://www.strava.com/routes/",
            SourceKind::RideWithGps => "https://ridewithgps.com/routes/",
            SourceKind::GpxUpload => return None,
        };
        Some(format!("{start}{}", self.id))
    }

    /// The number of a Komoot smart tour, which is no number of a tour.
    pub fn smart_tour(&self) -> Option<&str> {
        self.id.strip_prefix(SMART_TOUR)
    }
}

/// An https address on the default port, without user or password.
fn legal(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok().filter(|_| address.chars().count() <= LONGEST)?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
    (url.scheme() == "https" && is_plain).then_some(url)
}

fn komoot(path: &[&str], url: &Url) -> Result<SourceRef, Refusal> {
    // An invitation carries both; the code alone opens nothing but the invitation.
    let token = || token(url, "share_token").or_else(|| token(url, "code"));
    match *path {
        ["tour" | "invite-tour", id, ..] => source(SourceKind::KomootTour, id, token()),
        ["smarttour" | "discover_tours", id, ..] => match id.strip_prefix('e') {
            Some(tour) => source(SourceKind::KomootTour, tour, token()),
            None => source(SourceKind::KomootTour, id, token())
                .map(|tour| SourceRef { id: format!("{SMART_TOUR}{}", tour.id), ..tour }),
        },
        ["collection", id, ..] => source(SourceKind::KomootCollection, id, token()),
        ["highlight", ..] => {
            Err(refusal("This is a Komoot highlight, a single place: give the address of a tour or a collection."))
        }
        ["guide", ..] => Err(refusal("This is a Komoot guide, a list of many tours: give the address of one of them.")),
        ["s", ..] => {
            Err(refusal("This is a Komoot short link: open it and give the address of the tour or collection."))
        }
        _ => Err(unsupported()),
    }
}

fn strava(path: &[&str]) -> Result<SourceRef, Refusal> {
    match *path {
        ["routes", id, ..] => source(SourceKind::StravaRoute, id, None),
        ["activities", ..] => Err(refusal(
            "This is a Strava activity, a ride of the past: make a route of it and give the route's address.",
        )),
        ["segments", ..] => {
            Err(refusal("This is a Strava segment, a part of a road: give the address of a route that passes it."))
        }
        _ => Err(unsupported()),
    }
}

/// A short link often carries the whole address beside its own.
fn strava_link(url: &Url) -> Result<SourceRef, Refusal> {
    let mut carried = url.query_pairs().filter_map(|(_, value)| SourceRef::parse(&value).ok());
    carried
        .find(|source| source.kind == SourceKind::StravaRoute)
        .ok_or_else(|| refusal("This is a Strava short link: open it and give the address of the route."))
}

fn ride_with_gps(path: &[&str], url: &Url) -> Result<SourceRef, Refusal> {
    match *path {
        ["routes", id, ..] => source(SourceKind::RideWithGps, id, token(url, "privacy_code")),
        ["trips" | "collections" | "events", ..] => Err(refusal(
            "This is a RideWithGPS trip, collection or event: give the address of a single route (https://ridewithgps.com/routes/123).",
        )),
        _ => Err(unsupported()),
    }
}

/// The id is the digits a segment begins with; a title may follow behind a hyphen.
fn source(kind: SourceKind, segment: &str, token: Option<String>) -> Result<SourceRef, Refusal> {
    let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
    let (id, rest) = segment.split_at(digits);
    let is_id = (1..=MOST_DIGITS).contains(&digits) && !id.starts_with('0');
    if is_id && (rest.is_empty() || rest.starts_with('-')) {
        Ok(SourceRef { kind, id: id.to_owned(), token })
    } else {
        Err(unsupported())
    }
}

/// The query parameter, when it has the form of a token.
fn token(url: &Url, name: &str) -> Option<String> {
    let legal = |value: &str| {
        let has_form = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        has_form && (1..=LONGEST_TOKEN).contains(&value.len())
    };
    let mut pairs = url.query_pairs();
    pairs.find(|(given, value)| given == name && legal(value)).map(|(_, value)| value.into_owned())
}

/// Whether a folder names a language, with or without a country: `de`, `pt-br`.
fn is_locale(folder: &str) -> bool {
    let is_code = |code: &str| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic());
    folder.split_once('-').map_or_else(|| is_code(folder), |(language, country)| is_code(language) && is_code(country))
}

fn unsupported() -> Refusal {
    refusal(UNSUPPORTED)
}

fn refusal(sentence: &str) -> Refusal {
    Refusal::Invalid(sentence.to_owned())
}
