//! The object graph: every port with its real part, built once from the configuration.

mod planner_resource;
mod serving;

use std::{future::Future, net::TcpListener, sync::Arc};

use anyhow::Context;
use btp_accounts::{Accounts, Apps};
use btp_domain::{Planner, Ports, places::Places};
use btp_jobs::Worker;
use btp_kernel::{Clock, Entropy, Limiter, Windows};
use btp_oauth::{AuthorizationServer, Clients, Parts as OAuthParts};
use btp_outbound::{Documents, Geocoder, Sources, SourcesConfig, user_agent};
use btp_places::Gazetteer;
use btp_storage::{ServingLock, Stores};
use btp_transport::{Services, Settings};
use rustls::ServerConfig;
pub(crate) use serving::tls;

use crate::{
    config::{Config, ConfigError},
    database, keys,
    limits::Limits,
    mailer,
    system::{SystemClock, SystemEntropy, Threads, WorldZones},
};

const NO_CLIENT: &str = "cannot make the HTTP client";

/// Everything a serving process is made of.
pub struct App {
    config: Config,
    tls: Option<Arc<ServerConfig>>,
    stores: Stores,
    planner: Planner,
    services: Services,
    _lock: Option<ServingLock>,
}

impl App {
    /// Opens the database, reads the keys and wires the parts.
    ///
    /// # Errors
    /// A [`crate::config::ConfigError`] in the chain when a setting is to blame.
    pub async fn build(config: &Config) -> anyhow::Result<Self> {
        let tls = tls(config)?;
        let keys = keys::load(config)?;
        let stores = database::connect(config).await?;
        let lock = database::lock(config)?;
        database::prepare(config, &stores).await?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let entropy: Arc<dyn Entropy> = Arc::new(SystemEntropy);
        let limits = Limits::from_config(config)?;
        let limiter = limits.limiter();
        let planner = Planner::new(Ports {
            trips: stores.trips(),
            confirmations: stores.confirmations(),
            limiter: Arc::clone(&limiter),
            sources: Arc::new(sources(config)?),
            zones: Arc::new(WorldZones),
            places: places(config)?,
            aside: Arc::new(Threads),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
        });
        let oauth = AuthorizationServer::new(OAuthParts {
            issuer: config.base.clone(),
            resources: vec![planner_resource::protected()],
            keys: keys.oauth,
            store: stores.grants(),
            documents: Arc::new(Documents::new(&agent(config)).context(NO_CLIENT)?),
            policy: config.policy,
            limiter: Arc::clone(&limiter),
            clock: Arc::clone(&clock),
            entropy: Arc::clone(&entropy),
        });
        let resource = planner_resource::endpoint(planner.clone(), config.base.as_str(), &limiter, &clock);
        let accounts = counted_accounts(config, &stores, Arc::clone(&limiter))?;
        let database = stores.clone();
        let services = Services::new(btp_transport::Parts {
            settings: Settings::new(config.base.as_str(), &config.allowed_origins, config.trusted_proxies.clone())?,
            planner: planner.clone(),
            authenticate: Arc::new(oauth.clone()),
            authorization: oauth,
            apps: Apps::new(accounts.clone(), Arc::new(keys.session)),
            accounts,
            resources: vec![resource],
            limiter,
            clock,
            readiness: Arc::new(move || Box::pin(serving::readiness(database.clone(), limits.clone()))),
            contexts: btp_mcp_tools::contexts(config.base.as_str()),
        });
        Ok(Self { config: config.clone(), tls, stores, planner, services, _lock: lock })
    }

    /// Serves on `listener` until `stop` completes, working off jobs as well when `work`; then ends what is at hand.
    ///
    /// # Errors
    /// A listener that fails, or a certificate that cannot be read.
    pub async fn serve(
        self,
        listener: TcpListener,
        work: bool,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> anyhow::Result<()> {
        let worker = work.then(|| self.worker());
        read_ahead();
        if self.config.is_sqlite() {
            // The only serving process: whatever is held was held by one that died.
            self.stores.jobs().free_all().await.context("cannot free the jobs of the last process")?;
        }
        serving::run(listener, self.tls.clone(), self.services.clone(), worker, stop).await
    }

    /// Works off jobs until `stop` completes; outlives a database that is away.
    pub async fn work(self, stop: impl Future<Output = ()> + Send + 'static) {
        read_ahead();
        self.worker().run(stop).await;
    }

    /// What agents are given to connect with.
    pub fn mcp_address(&self) -> String {
        planner_resource::protected().address(&self.config.base)
    }

    /// A one-time address that signs this person in.
    ///
    /// # Errors
    /// Nobody has this address.
    pub async fn sign_in_link(&self, email: &str) -> anyhow::Result<String> {
        sign_in_link(&self.services.accounts, email).await
    }

    /// What the short commands do to people.
    pub fn accounts(&self) -> Accounts {
        self.services.accounts.clone()
    }

    /// What the short commands do to clients.
    pub fn clients(&self) -> Clients {
        clients(&self.stores)
    }

    fn worker(&self) -> Worker {
        serving::worker(&self.stores, &self.planner)
    }
}

/// Reads what the first trip needs before there is one, on a thread that serves nobody.
fn read_ahead() {
    tokio::task::spawn_blocking(WorldZones::unpack);
}

/// The accounts of a database, for commands that count for nobody.
pub(crate) fn accounts(config: &Config, stores: &Stores) -> Result<Accounts, ConfigError> {
    counted_accounts(config, stores, Arc::new(Windows::default()))
}

fn counted_accounts(config: &Config, stores: &Stores, limiter: Arc<dyn Limiter>) -> Result<Accounts, ConfigError> {
    Ok(Accounts::new(btp_accounts::Parts {
        store: stores.accounts(),
        mailer: mailer::of(config)?,
        limiter,
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
        base: config.base.as_str().to_owned(),
        sign_up: config.sign_up,
    }))
}

/// The OAuth clients of a database.
pub(crate) fn clients(stores: &Stores) -> Clients {
    Clients::new(stores.grants(), Arc::new(SystemClock), Arc::new(SystemEntropy))
}

/// A one-time address that signs the person with this e-mail address in.
pub(crate) async fn sign_in_link(accounts: &Accounts, email: &str) -> anyhow::Result<String> {
    let link = accounts.sign_in_link(email).await?;
    link.with_context(|| format!("nobody has the address {email}; `user add` makes an account"))
}

/// The route sources of a configuration.
pub(crate) fn sources(config: &Config) -> anyhow::Result<Sources> {
    let chosen = config.sources.clone();
    let config = SourcesConfig {
        komoot: chosen.komoot,
        ridewithgps: chosen.ridewithgps,
        strava: chosen.strava,
        disabled: chosen.disabled,
        user_agent: agent(config),
        ..SourcesConfig::default()
    };
    Sources::new(config, Arc::new(SystemClock)).context(NO_CLIENT)
}

/// Who asks, as those who are asked see it.
fn agent(config: &Config) -> String {
    user_agent(config.base.as_str().parse().ok().as_ref())
}

/// The map service of a configuration, when there is one, and the index behind it.
fn places(config: &Config) -> anyhow::Result<Vec<Arc<dyn Places>>> {
    let service = config.places.clone().map(|service| Geocoder::new(service, &agent(config), Arc::new(SystemClock)));
    let geocoder = service.transpose().context(NO_CLIENT)?;
    let geocoder = geocoder.map(|geocoder| Arc::new(geocoder) as Arc<dyn Places>);
    Ok(geocoder.into_iter().chain([Arc::new(Gazetteer::default()) as Arc<dyn Places>]).collect())
}
