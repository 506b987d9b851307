//! Places by name, from a map service: asked politely, remembered for a day, and left alone when it is not well.

mod nominatim;
mod photon;
mod turns;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use btp_domain::places::{FoundPlaces, MOST_PLACES, Place, PlaceQuery, Places, PlacesBusy};
use btp_kernel::{Clock, chain};
use reqwest::StatusCode;
use tokio::time::{Instant, sleep_until};
use url::Url;

use self::turns::Turns;
use crate::{
    BuildError, FetchError, InternalClient, Lookup, Patience, PublicClient, Reply, Request, SystemLookup,
    breaker::{Breaker, Health, Resting},
    kept::Kept,
};

const ATTRIBUTION: &str = "Data © OpenStreetMap contributors (https://www.openstreetmap.org/copyright), ODbL 1.0";
/// For how long an answer is remembered.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How much is remembered, in bytes.
const MEMORY: u64 = 16_000_000;
/// Most bytes of an answer.
const CAP: usize = 1_000_000;
/// Somebody waits for the answer, and there is another to ask.
const PATIENCE: Patience = Patience { total: Duration::from_secs(4), retries: 0, pause: Duration::ZERO };
/// For how long a service is left alone that is busy and does not say for how long, or that has shut us out.
const REST: Duration = Duration::from_secs(60);
const LONG_REST: Duration = Duration::from_secs(15 * 60);
/// When to ask again after an answer that failed, in seconds.
const SOON: u64 = 5;

/// Which service is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceService {
    /// The Nominatim of the OpenStreetMap foundation, by its usage policy: one request a second from this process.
    PublicNominatim,
    /// A Nominatim at this base address, asked as often as wanted.
    Nominatim(Url),
    /// A Photon at this base address, asked as often as wanted.
    Photon(Url),
}

/// A map service that finds places.
pub struct Geocoder {
    service: PlaceService,
    via: Via,
    /// For one that is shared with the world.
    turns: Option<Turns>,
    breaker: Breaker,
    kept: Kept<String, Arc<[Place]>>,
}

enum Via {
    Public(PublicClient),
    Internal(InternalClient),
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
enum Miss {
    #[error("{} s until the next free turn", wait.as_secs())]
    Queue { wait: Duration },
    #[error(transparent)]
    Resting(#[from] Resting),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the answer is not readable")]
    Changed(#[source] serde_json::Error),
}

impl Geocoder {
    /// A client of the service.
    ///
    /// # Errors
    /// [`BuildError`] when the machine has no CA certificates.
    pub fn new(service: PlaceService, user_agent: &str, clock: Arc<dyn Clock>) -> Result<Self, BuildError> {
        Self::with_lookup(service, user_agent, clock, Arc::new(SystemLookup))
    }

    /// A client that resolves the name of a public service by `lookup`, whose answers are judged all the same.
    ///
    /// # Errors
    /// As [`Geocoder::new`].
    pub fn with_lookup(
        service: PlaceService,
        user_agent: &str,
        clock: Arc<dyn Clock>,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, BuildError> {
        let (via, turns) = match &service {
            PlaceService::PublicNominatim => {
                (Via::Public(PublicClient::with_lookup(user_agent, PATIENCE, lookup)?), Some(Turns::default()))
            }
            PlaceService::Nominatim(base) | PlaceService::Photon(base) => {
                (Via::Internal(InternalClient::new(user_agent, PATIENCE, base.clone())?), None)
            }
        };
        let weigh = |places: &Arc<[Place]>| {
            let texts = |place: &Place| place.name.len() + place.display_name.len() + place.kind.len();
            64 + places.iter().map(|place| size_of::<Place>() + texts(place)).sum::<usize>()
        };
        Ok(Self {
            service,
            via,
            turns,
            breaker: Breaker::new(Arc::clone(&clock)),
            kept: Kept::new(clock, DAY, MEMORY, weigh),
        })
    }

    async fn ask(&self, text: &str) -> Result<Arc<[Place]>, Miss> {
        self.breaker.admit()?;
        let places = self.fetch(text).await.and_then(|reply| match self.service {
            PlaceService::Photon(_) => photon::read(&reply.body).map_err(Miss::Changed),
            _ => nominatim::read(&reply.body).map_err(Miss::Changed),
        });
        self.breaker.report(health(&places));
        Ok(places?.into())
    }

    async fn fetch(&self, text: &str) -> Result<Reply, Miss> {
        let request = |base: &Url| {
            let url = match self.service {
                PlaceService::Photon(_) => photon::address(base, text),
                _ => nominatim::address(base, text),
            };
            Request { url, accept: "application/json", cap: CAP, until: Instant::now() + PATIENCE.total }
        };
        if let Some(turns) = &self.turns {
            sleep_until(turns.take(Instant::now()).map_err(|wait| Miss::Queue { wait })?).await;
        }
        Ok(match &self.via {
            Via::Internal(client) => client.get(&request(client.base())).await?,
            Via::Public(client) => client.get(&request(&nominatim::public()), &[]).await?,
        })
    }

    const fn name(&self) -> &'static str {
        match self.service {
            PlaceService::Photon(_) => "photon",
            _ => "nominatim",
        }
    }
}

#[async_trait]
impl Places for Geocoder {
    /// The service is always asked for all it may answer, so that who wants fewer is served from memory.
    async fn search(&self, query: &PlaceQuery) -> Result<FoundPlaces, PlacesBusy> {
        let answer = self.kept.get(query.text.to_lowercase(), self.ask(&query.text)).await;
        match answer {
            Ok(answer) => {
                if answer.fresh {
                    tracing::info!(service = self.name(), outcome = "found", count = answer.value.len(), "places");
                }
                let places = answer.value.iter().take(query.limit).cloned().collect();
                Ok(FoundPlaces { places, attribution: ATTRIBUTION })
            }
            Err(miss) => {
                tracing::warn!(service = self.name(), outcome = "missed", reason = chain(&*miss), "places");
                Err(PlacesBusy { retry_after: miss.retry_after() })
            }
        }
    }
}

impl Miss {
    /// Whole seconds, at least 1.
    fn retry_after(&self) -> u64 {
        let wait = match self {
            Self::Queue { wait } | Self::Resting(Resting { left: wait, .. }) => *wait,
            _ => return SOON,
        };
        u64::try_from(wait.as_nanos().div_ceil(1_000_000_000)).unwrap_or(u64::MAX).max(1)
    }
}

/// What an answer says about the service.
fn health(answer: &Result<Vec<Place>, Miss>) -> Health {
    match answer {
        Ok(_) => Health::Well,
        // It never got our question.
        Err(Miss::Queue { .. } | Miss::Resting(_) | Miss::Fetch(FetchError::BlockedAddress)) => Health::Unknown,
        Err(Miss::Fetch(FetchError::Status { status, retry_after })) => match *status {
            StatusCode::TOO_MANY_REQUESTS => Health::Busy(Some(retry_after.unwrap_or(REST))),
            StatusCode::FORBIDDEN => Health::Busy(Some(LONG_REST)),
            status if status.is_server_error() => Health::Failing,
            _ => Health::Well,
        },
        // Whoever is shut out for asking too much may be told so on a page with status 200.
        Err(Miss::Changed(_)) => Health::Busy(Some(REST)),
        Err(Miss::Fetch(_)) => Health::Failing,
    }
}

/// The request below a base address.
fn address(base: &Url, path: &str, query: &[(&str, &str)]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push(path);
    }
    url.query_pairs_mut().extend_pairs(query);
    url
}

/// Most places asked for, as text.
fn most() -> String {
    MOST_PLACES.to_string()
}

#[cfg(test)]
mod tests {
    use btp_testkit::{
        ManualClock,
        upstream::{Answer, Upstream},
    };
    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn thirty_at_once_are_one_request_a_second() {
        let times = Arc::new(std::sync::Mutex::new(Vec::new()));
        let noted = Arc::clone(&times);
        let server = Upstream::start(move |_| {
            noted.lock().unwrap().push(Instant::now());
            Answer::ok("[]")
        });
        let server = server.await.unwrap();
        let service = PlaceService::Nominatim(server.base().parse().unwrap());
        let mut geocoder = Geocoder::new(service, "test", Arc::new(ManualClock::default())).unwrap();
        geocoder.turns = Some(Turns::default());
        let begun = Instant::now();
        let answers = join_all((0..30).map(|number| {
            let (geocoder, query) = (&geocoder, PlaceQuery { text: format!("town {number}"), limit: 5 });
            async move { geocoder.search(&query).await }
        }))
        .await;
        let times = times.lock().unwrap().clone();
        assert_eq!(times.len(), 2, "the third would have waited too long");
        assert!(times[1] - times[0] >= Duration::from_secs(1), "{:?}", times[1] - times[0]);
        assert!(begun.elapsed() < PATIENCE.total, "nobody waits for a queue");
        let busy = answers.iter().filter(|answer| **answer == Err(PlacesBusy { retry_after: 3 })).count();
        assert_eq!((busy, answers.iter().filter(|answer| answer.is_ok()).count()), (28, 2));
    }

    #[test]
    fn seconds_are_rounded_up() {
        for (millis, seconds) in [(0, 1), (1, 1), (999, 1), (1_000, 1), (1_001, 2), (2_100, 3)] {
            assert_eq!(Miss::Queue { wait: Duration::from_millis(millis) }.retry_after(), seconds);
        }
    }
}
