//! Addresses of routes: which are understood, and how they are shown.

use url::Url;

use crate::{Refusal, SourceKind, SourceRef};

/// Longest address read, in characters.
const LONGEST: usize = 2048;
/// Digits of the longest id (64 bits).
const MOST_DIGITS: usize = 19;
/// Characters of the longest share token.
const LONGEST_TOKEN: usize = 200;

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
            "ridewithgps.com" => ride_with_gps(&path, &url),
            "strava.app.link" => {
                Err(refusal("This is a Strava short link: open it and give the address of the route."))
            }
            _ => Err(unsupported()),
        }
    }

    /// The address to show, in one spelling and without any token; `None` for a file.
    pub fn address(&self) -> Option<String> {
        let start = match self.kind {
            SourceKind::KomootTour => "https://www.komoot.com/tour/",
            SourceKind::KomootCollection => "https://www.komoot.com/collection/",
            SourceKind::StravaRoute => "https://www.strava.com/routes/",
            SourceKind::RideWithGps => "https://ridewithgps.com/routes/",
            SourceKind::GpxUpload => return None,
        };
        Some(format!("{start}{}", self.id))
    }
}

/// An https address on the default port, without user or password.
fn legal(address: &str) -> Option<Url> {
    let url = Url::parse(address).ok().filter(|_| address.chars().count() <= LONGEST)?;
    let is_plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
    (url.scheme() == "https" && is_plain).then_some(url)
}

fn komoot(path: &[&str], url: &Url) -> Result<SourceRef, Refusal> {
    let token = || token(url, &["share_token", "code"]);
    match *path {
        ["tour" | "smarttour" | "discover_tours" | "invite-tour", id, ..] => {
            source(SourceKind::KomootTour, id, token())
        }
        ["collection", id, ..] => source(SourceKind::KomootCollection, id, token()),
        ["highlight", ..] => {
            Err(refusal("This is a Komoot highlight, a single place: give the address of a tour or a collection."))
        }
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
        _ => Err(unsupported()),
    }
}

fn ride_with_gps(path: &[&str], url: &Url) -> Result<SourceRef, Refusal> {
    match *path {
        ["routes", id, ..] => source(SourceKind::RideWithGps, id, token(url, &["privacy_code"])),
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

/// The first of these query parameters that has the form of a token.
fn token(url: &Url, names: &[&str]) -> Option<String> {
    let legal = |value: &str| {
        let has_form = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        has_form && (1..=LONGEST_TOKEN).contains(&value.len())
    };
    let mut pairs = url.query_pairs();
    pairs.find(|(name, value)| names.contains(&name.as_ref()) && legal(value)).map(|(_, value)| value.into_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(address: &str) -> String {
        match SourceRef::parse(address) {
            Ok(SourceRef { kind, id, token }) => format!("{} {id} {}", kind.as_str(), token.as_deref().unwrap_or("-")),
            Err(Refusal::Invalid(sentence)) if sentence == UNSUPPORTED => "unsupported".to_owned(),
            Err(other) => other.to_string(),
        }
    }

    #[test]
    fn the_four_forms_in_every_spelling() {
        for (address, expected) in [
            ("https://www.komoot.com/tour/1", "komoot_tour 1 -"),
            ("https://komoot.com/tour/1", "komoot_tour 1 -"),
            ("https://www.komoot.de/tour/1", "komoot_tour 1 -"),
            ("https://www.komoot.com/fr-fr/tour/1", "komoot_tour 1 -"),
            ("https://www.komoot.com/de/tour/1", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/1/zoom", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/1/embed?share_token=aB3-_&profile=1", "komoot_tour 1 aB3-_"),
            ("https://www.komoot.com/tour/1?ref=wtd", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/1?share_token=", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/1?share_token=a%20b", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/1#map", "komoot_tour 1 -"),
            ("https://www.komoot.com/smarttour/1", "komoot_tour 1 -"),
            ("https://www.komoot.com/invite-tour/1?code=xyz", "komoot_tour 1 xyz"),
            ("HTTPS://WWW.KOMOOT.COM:443/tour/1", "komoot_tour 1 -"),
            ("https://www.komoot.com./tour/1", "komoot_tour 1 -"),
            (" https://www.komoot.com/tour/1\n", "komoot_tour 1 -"),
            ("https://www.komoot.com/tour/9223372036854775807", "komoot_tour 9223372036854775807 -"),
            ("https://www.komoot.com/collection/1234/-loire-by-bike", "komoot_collection 1234 -"),
            ("https://www.komoot.com/it-it/collection/1234-loire", "komoot_collection 1234 -"),
            ("https://www.strava.com/routes/3141592653589793238", "strava_route 3141592653589793238 -"),
            ("https://strava.com/routes/7?hl=en", "strava_route 7 -"),
            ("https://ridewithgps.com/routes/42", "ride_with_gps 42 -"),
            ("https://www.ridewithgps.com/routes/42-loire?privacy_code=q1W2", "ride_with_gps 42 q1W2"),
        ] {
            assert_eq!(parsed(address), expected, "{address}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        let long = format!("https://www.komoot.com/tour/1?{}", "x".repeat(2048));
        for address in [
            "",
            "komoot.com/tour/1",
            "http://www.komoot.com/tour/1",
            "ftp://www.komoot.com/tour/1",
            "https://user@www.komoot.com/tour/1",
            "https://user:secret@www.komoot.com/tour/1",
            "https://www.komoot.com:8443/tour/1",
            "https://www.komoot.com@evil.test/tour/1",
            "https://www.komoot.com.evil.test/tour/1",
            "https://evilkomoot.com/tour/1",
            "https://www.www.komoot.com/tour/1",
            "https://api.komoot.com/tour/1",
            "https://www.kоmoot.com/tour/1",
            "https://xn--kmoot-jye.com/tour/1",
            "https://127.0.0.1/tour/1",
            "https://www.komoot.com/",
            "https://www.komoot.com/tour/",
            "https://www.komoot.com/tour/1x",
            "https://www.komoot.com/tour/1.5",
            "https://www.komoot.com/tour/01",
            "https://www.komoot.com/tour/%31",
            "https://www.komoot.com/tour/١",
            "https://www.komoot.com/tour%2F1",
            "https://www.komoot.com//tour/1",
            "https://www.komoot.com/tour/12345678901234567890",
            "https://www.komoot.com/fr-fr/fr-fr/tour/1",
            "https://www.komoot.com/abc/tour/1",
            "https://www.komoot.com/user/1",
            "https://www.strava.com/fr/routes/1",
            "https://www.strava.com/segments/1",
            "https://ridewithgps.com/users/1",
            "https://www.google.com/maps/d/viewer?mid=1",
            "data:text/plain,https://www.komoot.com/tour/1",
            &long,
        ] {
            assert_eq!(parsed(address), "unsupported", "{address}");
        }
    }

    #[test]
    fn what_is_recognised_gets_its_own_sentence() {
        for (address, word) in [
            ("https://www.komoot.com/highlight/1", "highlight"),
            ("https://www.komoot.com/s/abc", "short link"),
            ("https://www.strava.com/activities/1", "activity"),
            ("https://strava.app.link/abc", "short link"),
            ("https://ridewithgps.com/trips/1", "single route"),
            ("https://ridewithgps.com/collections/1", "single route"),
        ] {
            assert!(parsed(address).contains(word), "{address}: {}", parsed(address));
        }
    }

    #[test]
    fn shown_addresses_lead_back_and_have_no_token() {
        for kind in SourceKind::ALL.iter().filter(|kind| **kind != SourceKind::GpxUpload) {
            let source = SourceRef { kind: *kind, id: "123".to_owned(), token: Some("secret".to_owned()) };
            let shown = source.address().unwrap();
            assert!(!shown.contains("secret"));
            assert_eq!(SourceRef::parse(&shown), Ok(SourceRef { token: None, ..source }));
        }
    }
}
