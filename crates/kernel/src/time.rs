//! Time is an argument: only services hold a [`Clock`], pure code takes a [`Timestamp`] or a date.

use std::time::Duration;

use jiff::{civil::Date, tz::TimeZone};

/// A point in time, in milliseconds since the Unix epoch (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// From whole seconds since the Unix epoch.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, rounded down.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// This time plus `span`.
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// This time minus `span`.
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long after `earlier` this is; zero when it is not after it.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// RFC 3339 in UTC with seconds, for example `2026-07-01T00:00:00+00:00`.
    pub fn rfc3339(self) -> String {
        let at = jiff::Timestamp::from_second(self.as_seconds()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        format!("{}+00:00", TimeZone::UTC.to_datetime(at).strftime("%Y-%m-%dT%H:%M:%S"))
    }
}

/// The wall clock, injected.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Timestamp;
}

/// The civil date of `now` in the IANA zone `zone`; in UTC when it is absent or unknown.
pub fn today(now: Timestamp, zone: Option<&str>) -> Date {
    let zone = zone.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC);
    let at = jiff::Timestamp::from_millisecond(now.as_millis()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    zone.to_datetime(at).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_depends_on_the_zone() {
        let now = Timestamp::from_seconds(1_782_862_200); // 2026-06-30T23:30:00Z
        assert_eq!(today(now, None).to_string(), "2026-06-30");
        assert_eq!(today(now, Some("Europe/Paris")).to_string(), "2026-07-01");
        assert_eq!(today(now, Some("Nowhere/Land")).to_string(), "2026-06-30");
        assert_eq!(now.rfc3339(), "2026-06-30T23:30:00+00:00");
    }
}
