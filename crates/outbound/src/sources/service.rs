//! The services routes are fetched from.

use std::num::NonZeroU32;

use governor::Quota;
use url::Url;

/// A service that has routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Service {
    /// Tours and collections.
    Komoot,
    /// Routes.
    RideWithGps,
    /// Routes.
    Strava,
}

impl Service {
    /// Every service.
    pub const ALL: [Self; 3] = [Self::Komoot, Self::RideWithGps, Self::Strava];

    /// Its name in settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Komoot => "komoot",
            Self::RideWithGps => "ridewithgps",
            Self::Strava => "strava",
        }
    }

    /// The service with this name in settings.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.as_str() == name)
    }

    /// Its name for people.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Komoot => "Komoot",
            Self::RideWithGps => "RideWithGPS",
            Self::Strava => "Strava",
        }
    }

    /// Its base address.
    pub(super) fn address(self) -> Url {
        Url::parse(&format!("https://{}", self.host())).expect("a host makes an address")
    }

    /// The host of its pages.
    pub(super) const fn host(self) -> &'static str {
        self.hosts()[0]
    }

    /// The hosts it may redirect to.
    pub(super) const fn hosts(self) -> &'static [&'static str] {
        match self {
            Self::Komoot => &["www.komoot.com", "komoot.com", "www.komoot.de", "komoot.de"],
            Self::RideWithGps => &["ridewithgps.com", "www.ridewithgps.com"],
            Self::Strava => &["www.strava.com", "strava.com"],
        }
    }

    /// How often its public address is asked over all trips, and how often at once after a while of silence. A Komoot
    /// collection asks for each of its tours: a fortnight comes at once, forty days within the time of one fetch.
    pub(super) fn pace(self) -> Quota {
        const TWO: NonZeroU32 = NonZeroU32::new(2).expect("not zero");
        const FIVE: NonZeroU32 = NonZeroU32::new(5).expect("not zero");
        const SIXTEEN: NonZeroU32 = NonZeroU32::new(16).expect("not zero");
        match self {
            Self::Komoot => Quota::per_second(TWO).allow_burst(SIXTEEN),
            Self::RideWithGps | Self::Strava => Quota::per_second(TWO).allow_burst(FIVE),
        }
    }
}
