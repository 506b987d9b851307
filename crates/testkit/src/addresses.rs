//! Addresses of routes as people paste them and as attackers try them, and what each is read as. One table, run through
//! the domain, the HTTP client and the built binary.

use btp_domain::SourceKind::{self, KomootCollection, KomootTour, RideWithGps, StravaRoute};

/// What an address is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A route: its kind, its id and the token that opens it.
    Route(SourceKind, &'static str, Option<&'static str>),
    /// Something recognised that is no route, refused in a sentence with these words.
    Named(&'static str),
    /// Anything else, refused in the sentence that names the four forms.
    Unsupported,
}

use Reading::{Named, Route, Unsupported};

/// Every address.
pub const ADDRESSES: &[(&str, Reading)] = &[
    // Hosts, locales and what stands behind the number.
    ("https://www.komoot.com/tour/101", Route(KomootTour, "101", None)),
    ("https://komoot.com/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.de/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.nl/tour/101", Route(KomootTour, "101", None)),
    ("https://komoot.fr/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.it/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/fr-fr/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/de/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/101/", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/101/zoom", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/101?ref=wtd", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/101#map", Route(KomootTour, "101", None)),
    ("HTTPS://WWW.KOMOOT.COM:443/tour/101", Route(KomootTour, "101", None)),
    ("https://www.komoot.com./tour/101", Route(KomootTour, "101", None)),
    (" https://www.komoot.com/tour/101\n", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/9223372036854775807", Route(KomootTour, "9223372036854775807", None)),
    ("https://www.komoot.com/collection/102/-loire-by-bike", Route(KomootCollection, "102", None)),
    ("https://www.komoot.com/it-it/collection/102-loire", Route(KomootCollection, "102", None)),
    ("https://www.strava.com/routes/3141592653589793238", Route(StravaRoute, "3141592653589793238", None)),
    ("https://strava.com/routes/103?hl=en", Route(StravaRoute, "103", None)),
    (
        "https://strava.app.link/aB3?%24desktop_url=https%3A%2F%2Fwww.strava.com%2Froutes%2F103",
        Route(StravaRoute, "103", None),
    ),
    ("https://ridewithgps.com/routes/104", Route(RideWithGps, "104", None)),
    ("https://www.ridewithgps.com/routes/104-loire", Route(RideWithGps, "104", None)),
    // Tokens: kept to fetch with.
    ("https://www.komoot.com/tour/101/embed?share_token=aB3-_&profile=1", Route(KomootTour, "101", Some("aB3-_"))),
    ("https://www.komoot.com/invite-tour/101?code=xyz", Route(KomootTour, "101", Some("xyz"))),
    ("https://www.komoot.com/invite-tour/101?code=xyz&share_token=t0k", Route(KomootTour, "101", Some("t0k"))),
    ("https://www.komoot.com/tour/101?share_token=", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/101?share_token=a%20b", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/collection/102?share_token=t0k", Route(KomootCollection, "102", Some("t0k"))),
    ("https://ridewithgps.com/routes/104?privacy_code=q1W2", Route(RideWithGps, "104", Some("q1W2"))),
    // Smart tours: with an e they are tours, without it they are counted apart.
    ("https://www.komoot.com/smarttour/e101/a-name", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/de-de/smarttour/101?x=1", Route(KomootTour, "smarttour/101", None)),
    ("https://www.komoot.com/discover_tours/e101", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/discover_tours/101", Route(KomootTour, "smarttour/101", None)),
    // Recognised, and not a route.
    ("https://www.komoot.com/highlight/1", Named("Komoot highlight")),
    ("https://www.komoot.com/fr-fr/guide/1/tours", Named("Komoot guide")),
    ("https://www.komoot.com/s/abc", Named("Komoot short link")),
    ("https://www.strava.com/activities/1", Named("Strava activity")),
    ("https://www.strava.com/segments/1", Named("Strava segment")),
    ("https://strava.app.link/abc", Named("Strava short link")),
    ("https://strava.app.link/abc?u=https%3A%2F%2Fwww.komoot.com%2Ftour%2F1", Named("Strava short link")),
    ("https://ridewithgps.com/trips/1", Named("single route")),
    ("https://ridewithgps.com/collections/1", Named("single route")),
    ("https://ridewithgps.com/events/1-name", Named("single route")),
    // Schemes, ports, users, look-alikes.
    ("komoot.com/tour/101", Unsupported),
    ("http://www.komoot.com/tour/101", Unsupported),
    ("ftp://www.komoot.com/tour/101", Unsupported),
    ("data:text/plain,https://www.komoot.com/tour/101", Unsupported),
    ("https://user@www.komoot.com/tour/101", Unsupported),
    ("https://user:secret@www.komoot.com/tour/101", Unsupported),
    ("https://www.komoot.com:8443/tour/101", Unsupported),
    ("https://www.komoot.com@localhost:3000/tour/101", Unsupported),
    ("https://www.komoot.com@evil.example/tour/101", Unsupported),
    ("https://www.komoot.com.evil.example/tour/101", Unsupported),
    ("https://evilkomoot.com/tour/101", Unsupported),
    ("https://www.www.komoot.com/tour/101", Unsupported),
    ("https://api.komoot.com/tour/101", Unsupported),
    ("https://www.komoot.com../tour/101", Unsupported),
    ("https://www.k\u{43e}moot.com/tour/101", Unsupported),
    ("https://xn--kmoot-jye.com/tour/101", Unsupported),
    ("https://127.0.0.1/tour/101", Unsupported),
    ("https://[::1]/tour/101", Unsupported),
    ("https://www.google.com/maps/d/viewer?mid=1", Unsupported),
    ("https://example.org/route.gpx", Unsupported),
    // Paths.
    ("https://www.komoot.com/", Unsupported),
    ("https://www.komoot.com/tour/", Unsupported),
    ("https://www.komoot.com/tour/101x", Unsupported),
    ("https://www.komoot.com/tour/e101", Unsupported),
    ("https://www.komoot.com/tour/1.5", Unsupported),
    ("https://www.komoot.com/tour/-1", Unsupported),
    ("https://www.komoot.com/tour/0101", Unsupported),
    ("https://www.komoot.com/tour/%31", Unsupported),
    ("https://www.komoot.com/tour/\u{661}", Unsupported),
    ("https://www.komoot.com/tour%2F101", Unsupported),
    ("https://www.komoot.com//tour/101", Unsupported),
    ("https://www.komoot.com/tour//101", Unsupported),
    ("https://www.komoot.com/TOUR/101", Unsupported),
    ("https://www.komoot.com/x/../../tour/101?a=/../..//", Route(KomootTour, "101", None)),
    ("https://www.komoot.com/tour/12345678901234567890", Unsupported),
    ("https://www.komoot.com/fr-fr/fr-fr/tour/101", Unsupported),
    ("https://www.komoot.com/abc/tour/101", Unsupported),
    ("https://www.komoot.com/user/1", Unsupported),
    ("https://www.strava.com/fr/routes/103", Unsupported),
    ("https://www.strava.com/routes/new", Unsupported),
    ("https://ridewithgps.com/users/1", Unsupported),
    ("https://ridewithgps.com/routes/104.json", Unsupported),
    ("nonsense", Unsupported),
];
