//! Where a route comes from, what fetching it gives, and how it can fail.

mod address;

use std::fmt;

use async_trait::async_trait;

use crate::{Line, trip::names};

names! {
    /// The kinds of source.
    SourceKind {
        /// A Komoot tour.
        KomootTour = "komoot_tour",
        /// A Komoot collection: one tour a day.
        KomootCollection = "komoot_collection",
        /// A Strava route.
        StravaRoute = "strava_route",
        /// A RideWithGPS route.
        RideWithGps = "ride_with_gps",
        /// An uploaded file.
        GpxUpload = "gpx_upload",
    }
}

/// A route at its source. Only the kind, the id and the token ever reach a request; never the caller's address.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceRef {
    /// The kind.
    pub kind: SourceKind,
    /// Digits, up to 19 of them; behind `smarttour/` for a smart tour of Komoot.
    pub id: String,
    /// A share token or privacy code: kept to fetch with, never shown or logged.
    pub token: Option<String>,
}

/// Without the token: whoever prints a source, or what holds one, gives nothing away.
impl fmt::Debug for SourceRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, id, token } = self;
        let token = token.as_ref().map(|_| "…");
        f.debug_struct("SourceRef").field("kind", kind).field("id", id).field("token", &token).finish()
    }
}

names! {
    /// Why a route could not be had. `docs/errors.md` says what to do about each.
    FailureCode {
        /// No such route.
        NotFound = "not_found",
        /// 403 or a login page.
        PrivateOrLoginRequired = "private_or_login_required",
        /// 410.
        Gone = "gone",
        /// 429.
        RateLimited = "rate_limited",
        /// The answer has another shape than the one known.
        UpstreamChanged = "upstream_changed",
        /// More bytes or points than allowed.
        TooLarge = "too_large",
        /// Fewer than two points, or no length.
        NoTrackPoints = "no_track_points",
        /// No answer within 15 seconds.
        Timeout = "timeout",
        /// A redirect to another host.
        RedirectedElsewhere = "redirected_elsewhere",
        /// The source's name leads to an address that may not be asked.
        BlockedAddress = "blocked_address",
        /// 5xx, no DNS answer, connection refused.
        SourceUnavailable = "source_unavailable",
        /// The settings need more than 366 days.
        TooManyDays = "too_many_days",
        /// Attempts used up.
        Internal = "internal",
    }
}

/// Why a route could not be had, for the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// Stable code.
    pub code: FailureCode,
    /// A sentence that says what to do.
    pub message: String,
}

/// What a source gave.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchedRoute {
    /// The source's title.
    pub title: Option<String>,
    /// The line.
    pub line: Line,
    /// What was not perfect, in sentences (for example a tour of a collection that could not be read).
    pub warnings: Vec<crate::Warning>,
}

/// Fetches routes. One call takes at most 15 seconds, retries included; its failures are final.
#[async_trait]
pub trait RouteSources: Send + Sync {
    /// The route at `source`.
    ///
    /// # Errors
    /// A [`Failure`] to store on the trip.
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure>;
}

/// Finds time zones.
pub trait Zones: Send + Sync {
    /// IANA name of the zone at a place.
    fn zone_at(&self, lat: f64, lon: f64) -> Option<String>;
}
