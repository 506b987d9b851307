//! Where routes come from.

mod komoot;
mod login;
mod miss;
mod points;
mod ridewithgps;
mod service;
mod site;
mod strava;

use std::{collections::BTreeSet, sync::Arc};

use async_trait::async_trait;
use btp_domain::{
    Failure, SourceKind, SourceRef,
    route::{FetchedRoute, RouteSources},
};
use btp_kernel::chain;
use tokio::time::Instant;
use url::Url;

use self::{miss::Miss, site::Site};
use crate::{BuildError, Lookup, Patience, PublicClient, SystemLookup};

pub use service::Service;

/// Most bytes of a page or a JSON document.
const DOCUMENT_CAP: usize = 8_000_000;

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
pub struct Sources {
    komoot: Site,
    ridewithgps: Site,
    strava: Site,
    patience: Patience,
}

impl Sources {
    /// Sources as configured, names resolved as the system does.
    ///
    /// # Errors
    /// [`BuildError`] when a client cannot be made.
    pub fn new(config: SourcesConfig) -> Result<Self, BuildError> {
        Self::with_lookup(config, &(Arc::new(SystemLookup) as Arc<dyn Lookup>))
    }

    /// Sources whose public names are resolved by `lookup`; its answers are judged all the same.
    ///
    /// # Errors
    /// As [`Sources::new`].
    pub fn with_lookup(config: SourcesConfig, lookup: &Arc<dyn Lookup>) -> Result<Self, BuildError> {
        let SourcesConfig { komoot, ridewithgps, strava, disabled, user_agent, patience } = config;
        let mut public = None;
        let mut site = |service, base: Option<Url>| match base {
            _ if disabled.contains(&service) => Ok(Site::disabled(service)),
            Some(base) => Site::internal(service, &user_agent, patience, base),
            None => {
                let client = match public.take() {
                    Some(client) => client,
                    None => PublicClient::with_lookup(&user_agent, patience, lookup.clone())?,
                };
                Ok(Site::public(service, public.insert(client).clone()))
            }
        };
        Ok(Self {
            komoot: site(Service::Komoot, komoot)?,
            ridewithgps: site(Service::RideWithGps, ridewithgps)?,
            strava: site(Service::Strava, strava)?,
            patience,
        })
    }
}

#[async_trait]
impl RouteSources for Sources {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        let SourceRef { kind, id, token } = source;
        let (token, until) = (token.as_deref(), Instant::now() + self.patience.total);
        let (site, result) = match kind {
            SourceKind::KomootTour => (&self.komoot, komoot::tour(&self.komoot, id, token, until).await),
            SourceKind::KomootCollection => (&self.komoot, komoot::collection(&self.komoot, id, token, until).await),
            SourceKind::StravaRoute => (&self.strava, strava::route(&self.strava, id, until).await),
            SourceKind::RideWithGps => {
                (&self.ridewithgps, ridewithgps::route(&self.ridewithgps, id, token, until).await)
            }
            SourceKind::GpxUpload => return Err(miss::not_fetched()),
        };
        result
            .inspect(|_| tracing::info!(source = kind.as_str(), outcome = "fetched", host = site.host(), "route"))
            .map_err(|miss| {
                let failure = miss.failure(site.service());
                tracing::warn!(
                    source = kind.as_str(),
                    outcome = failure.code.as_str(),
                    host = site.host(),
                    reason = chain(&miss),
                    "route"
                );
                failure
            })
    }
}
