//! Where routes come from.

mod komoot;
mod login;
mod miss;
mod points;
mod probe;
pub mod read;
mod ridewithgps;
mod service;
mod site;
mod strava;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use async_trait::async_trait;
use btp_domain::{
    Failure, Point, SourceKind, SourceRef,
    route::{FetchedRoute, RouteSources},
};
use btp_kernel::{Clock, chain};
use tokio::time::Instant;
use url::Url;

use self::{miss::Miss, site::Site};
use crate::{
    BuildError, Lookup, Patience, PublicClient, SystemLookup,
    kept::{Answer, Kept},
};

pub use probe::{Probe, Sight};
pub use service::Service;

/// Most bytes of a page or a JSON document.
const DOCUMENT_CAP: usize = 8_000_000;
/// How long a route is kept, and how many bytes of them all together.
const KEPT_FOR: Duration = Duration::from_secs(24 * 3_600);
const KEPT_BYTES: u64 = 64 << 20;

/// How routes are fetched.
#[derive(Clone, Debug)]
pub struct SourcesConfig {
    /// Base address instead of Komoot's own (pages and `/api/v007/…`): trusted, whatever network it is on.
    pub komoot: Option<Url>,
    /// Base address instead of RideWithGPS's own.
    pub ridewithgps: Option<Url>,
    /// Base address instead of Strava's own.
    pub strava: Option<Url>,
    /// Services that are never asked.
    pub disabled: BTreeSet<Service>,
    /// `User-Agent`; see [`user_agent`](crate::user_agent).
    pub user_agent: String,
    /// Time and attempts for one route.
    pub patience: Patience,
}

impl Default for SourcesConfig {
    fn default() -> Self {
        Self {
            komoot: None,
            ridewithgps: None,
            strava: None,
            disabled: BTreeSet::new(),
            user_agent: crate::user_agent(None),
            patience: Patience::default(),
        }
    }
}

/// The route sources, each through the client that its address calls for.
///
/// Routes that everybody may read are kept for 24 hours. One that a token opens is neither kept nor taken from what is
/// kept, so that nobody gets a route by another's token. A collection is listed anew each time; its tours are kept.
pub struct Sources {
    komoot: Site,
    ridewithgps: Site,
    strava: Site,
    patience: Patience,
    kept: Kept<(SourceKind, String), Arc<FetchedRoute>>,
}

impl Sources {
    /// Sources as configured, names resolved as the system does.
    ///
    /// # Errors
    /// [`BuildError`] when a client cannot be made.
    pub fn new(config: SourcesConfig, clock: Arc<dyn Clock>) -> Result<Self, BuildError> {
        Self::with_lookup(config, clock, &(Arc::new(SystemLookup) as Arc<dyn Lookup>))
    }

    /// Sources whose public names are resolved by `lookup`; its answers are judged all the same.
    ///
    /// # Errors
    /// As [`Sources::new`].
    pub fn with_lookup(
        config: SourcesConfig,
        clock: Arc<dyn Clock>,
        lookup: &Arc<dyn Lookup>,
    ) -> Result<Self, BuildError> {
        let SourcesConfig { komoot, ridewithgps, strava, disabled, user_agent, patience } = config;
        let mut public = None;
        let mut site = |service, base: Option<Url>| match base {
            _ if disabled.contains(&service) => Ok(Site::disabled(service, clock.clone())),
            Some(base) => Site::internal(service, &user_agent, patience, base, clock.clone()),
            None => {
                let client = match public.take() {
                    Some(client) => client,
                    None => PublicClient::with_lookup(&user_agent, patience, lookup.clone())?,
                };
                Ok(Site::public(service, public.insert(client).clone(), clock.clone()))
            }
        };
        Ok(Self {
            komoot: site(Service::Komoot, komoot)?,
            ridewithgps: site(Service::RideWithGps, ridewithgps)?,
            strava: site(Service::Strava, strava)?,
            patience,
            kept: Kept::new(clock, KEPT_FOR, KEPT_BYTES, |route: &Arc<FetchedRoute>| bytes(route)),
        })
    }

    /// One line: the kept one, or what its service gives.
    async fn line(&self, source: &SourceRef, until: Instant) -> Result<Answer<Arc<FetchedRoute>>, Arc<Miss>> {
        let fetch = async {
            let fetched = match source.kind {
                SourceKind::KomootTour => komoot::tour(&self.komoot, source, until).await,
                SourceKind::StravaRoute => strava::route(&self.strava, source, until).await,
                SourceKind::RideWithGps => ridewithgps::route(&self.ridewithgps, source, until).await,
                SourceKind::KomootCollection | SourceKind::GpxUpload => Err(Miss::NotFetched),
            };
            self.log(source.kind, fetched.as_ref().err());
            fetched.map(Arc::new)
        };
        match source.token {
            Some(_) => fetch.await.map(|value| Answer { value, fresh: true }).map_err(Arc::new),
            None => self.kept.get((source.kind, source.id.clone()), fetch).await,
        }
    }

    async fn collection(&self, source: &SourceRef, until: Instant) -> Result<FetchedRoute, Arc<Miss>> {
        let fetched = komoot::collection(self, source, until).await;
        self.log(source.kind, fetched.as_ref().err().map(Arc::as_ref));
        fetched
    }

    fn site(&self, kind: SourceKind) -> &Site {
        match kind {
            SourceKind::KomootTour | SourceKind::KomootCollection | SourceKind::GpxUpload => &self.komoot,
            SourceKind::StravaRoute => &self.strava,
            SourceKind::RideWithGps => &self.ridewithgps,
        }
    }

    /// One line for each route that was asked for; metrics are made of it.
    fn log(&self, kind: SourceKind, miss: Option<&Miss>) {
        let (source, host) = (kind.as_str(), self.site(kind).host());
        match miss {
            None => tracing::info!(source, outcome = "fetched", host, "route"),
            Some(miss) => {
                tracing::warn!(source, outcome = miss.code().as_str(), host, reason = chain(miss), "route");
            }
        }
    }
}

#[async_trait]
impl RouteSources for Sources {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        let until = Instant::now() + self.patience.total;
        let fetched = match source.kind {
            SourceKind::KomootCollection => self.collection(source, until).await,
            _ => match self.line(source, until).await {
                Ok(Answer { value, fresh }) => {
                    if !fresh {
                        let host = self.site(source.kind).host();
                        tracing::info!(source = source.kind.as_str(), outcome = "kept", host, "route");
                    }
                    off_thread(move || Ok(Arc::unwrap_or_clone(value))).await.map_err(Arc::new)
                }
                Err(miss) => Err(miss),
            },
        };
        fetched.map_err(|miss| miss.failure(self.site(source.kind).service()))
    }
}

/// Runs what takes long enough to keep others waiting.
async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, Miss> + Send + 'static) -> Result<T, Miss> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(Miss::Reader))
}

/// Bytes of memory that a route takes, roughly.
fn bytes(route: &FetchedRoute) -> usize {
    1_000 + route.line.points() * size_of::<Point>()
}
