//! The real clock, randomness, time zones and threads: the only place that asks the machine for them.

use std::{sync::LazyLock, time::SystemTime};

use async_trait::async_trait;
use btp_domain::{Aside, route::Zones};
use btp_kernel::{Clock, Entropy, Timestamp};

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    #[expect(clippy::disallowed_methods, reason = "this is the randomness that everything else is given")]
    fn fill(&self, out: &mut [u8]) {
        aws_lc_rs::rand::fill(out).expect("the operating system gives random bytes");
    }
}

/// Time zones of the world, from the data compiled in (© OpenStreetMap contributors); read on first use, or by
/// [`WorldZones::unpack`].
#[derive(Clone, Copy, Debug)]
pub struct WorldZones;

static FINDER: LazyLock<tzf_rs::DefaultFinder> = LazyLock::new(tzf_rs::DefaultFinder::new);

impl Zones for WorldZones {
    fn zone_at(&self, lat: f64, lon: f64) -> Option<String> {
        let name = FINDER.get_tz_name(lon, lat);
        (!name.is_empty()).then(|| name.to_owned())
    }
}

impl WorldZones {
    /// Reads the data, which takes as long as the longest line.
    pub fn unpack() {
        LazyLock::force(&FINDER);
    }
}

/// The runtime's threads for work that keeps them busy.
#[derive(Clone, Copy, Debug)]
pub struct Threads;

#[async_trait]
impl Aside for Threads {
    async fn run(&self, work: Box<dyn FnOnce() + Send>) {
        // A panic was told by its hook; whoever waits sees that nothing was done.
        let _ = tokio::task::spawn_blocking(work).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_zones() {
        assert_eq!(WorldZones.zone_at(47.2466, -2.1665).as_deref(), Some("Europe/Paris"));
        assert_eq!(WorldZones.zone_at(-36.85, 174.76).as_deref(), Some("Pacific/Auckland"));
    }
}
