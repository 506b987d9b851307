//! The configuration: one table of settings, read from the environment, validated before anything is opened.

mod base;
mod mail;
mod policy;
mod settings;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    path::PathBuf,
};

use btp_accounts::SignUp;
use btp_kernel::limit;
use btp_oauth::{Issuer, Policy};
use btp_outbound::{PlaceService, Service};
use ipnet::IpNet;
use url::Url;

pub use mail::MailSettings;
pub use settings::{SETTINGS, Setting};

/// A setting that cannot work. The process exits with 78 and this one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}: {problem}")]
pub struct ConfigError {
    /// Name of the setting.
    pub setting: String,
    /// What is wrong and what to write instead.
    pub problem: String,
}

impl ConfigError {
    /// A problem with a setting.
    pub fn new(setting: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { setting: setting.into(), problem: problem.into() }
    }
}

/// The environment as a map, so that configuration is tested without touching the process.
pub type Env = BTreeMap<String, String>;

/// The process's environment.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub fn process_env() -> Env {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Everything the server is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Public base address: OAuth issuer and start of every address we print.
    pub base: Issuer,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where to show metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// SQLite file and keys.
    pub data_dir: PathBuf,
    /// `sqlite://…` or `postgres://…`.
    pub database_url: String,
    /// Where limits of several processes are counted.
    pub redis_url: Option<String>,
    /// Certificate chain and key, to serve https ourselves.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// PEM files; the first signs access tokens, all verify.
    pub oauth_keys: Vec<PathBuf>,
    /// PEM files for the sessions of the apps.
    pub session_keys: Vec<PathBuf>,
    /// Decisions about OAuth.
    pub policy: Policy,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Browser origins that may call the MCP endpoint, beside our own.
    pub allowed_origins: Vec<String>,
    /// Limits with other figures than published.
    pub limits: BTreeMap<&'static str, (u32, u32)>,
    /// Base addresses of route sources that replace the public ones.
    pub sources: Sources,
    /// Who gets an account.
    pub sign_up: SignUp,
    /// How mails are sent; `None` writes them to standard error.
    pub mail: Option<MailSettings>,
    /// The map service that finds places, before the index that is built in.
    pub places: Option<PlaceService>,
    /// Log filter.
    pub log: String,
}

/// Route sources.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sources {
    /// In place of `https://www.komoot.com`.
    pub komoot: Option<Url>,
    /// In place of `https://ridewithgps.com`.
    pub ridewithgps: Option<Url>,
    /// In place of `https://www.strava.com`.
    pub strava: Option<Url>,
    /// Sources that are switched off.
    pub disabled: BTreeSet<Service>,
}

impl Config {
    /// Reads and validates the settings in `env`.
    ///
    /// # Errors
    /// The first setting that cannot work.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let get = |name: &str| env.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
        let listen = parse(
            get("LISTEN").unwrap_or("127.0.0.1:8080"),
            "LISTEN",
            "write address:port, for example 127.0.0.1:8080",
        )?;
        let metrics_listen = get("METRICS_LISTEN")
            .map(|address| parse(address, "METRICS_LISTEN", "write address:port, for example 127.0.0.1:9464"))
            .transpose()?;
        let data_dir = PathBuf::from(get("DATA_DIR").unwrap_or("./data"));
        let database_url = match get("DATABASE_URL") {
            Some(url)
                if url.starts_with("sqlite:") || url.starts_with("postgres:") || url.starts_with("postgresql:") =>
            {
                url.to_owned()
            }
            Some(_) => return Err(ConfigError::new("DATABASE_URL", "begin it with sqlite:// or postgres://")),
            None => btp_storage::file_url(&data_dir.join("bike-trip-planner.sqlite")),
        };
        if database_url.starts_with("sqlite:") && !names_a_file(&database_url) {
            let problem = "name a file, for example sqlite:///var/lib/trips.sqlite; only ?, # and % in it are escaped";
            return Err(ConfigError::new("DATABASE_URL", problem));
        }
        let redis_url = get("REDIS_URL").map(|url| redis(url, &database_url)).transpose()?;
        let tls = match (get("TLS_CERT"), get("TLS_KEY")) {
            (Some(cert), Some(key)) => Some((PathBuf::from(cert), PathBuf::from(key))),
            (None, None) => None,
            (Some(_), None) => return Err(ConfigError::new("TLS_KEY", "set it together with TLS_CERT")),
            (None, Some(_)) => return Err(ConfigError::new("TLS_CERT", "set it together with TLS_KEY")),
        };
        let base = base::from_settings(get("DEFAULT_URI"), get("DOMAIN"), listen, tls.is_some())?;
        let files = |name: &str, default: &str| match get(name) {
            Some(named) => list(Some(named)).map(PathBuf::from).collect(),
            None => vec![data_dir.join("keys").join(default)],
        };
        let sign_up = match get("SIGN_UP") {
            None | Some("invite") => SignUp::Invite,
            Some("open") => SignUp::Open,
            Some(_) => return Err(ConfigError::new("SIGN_UP", "write invite or open")),
        };
        Ok(Self {
            oauth_keys: files("OAUTH_SIGNING_KEYS", "oauth.pem"),
            session_keys: files("SESSION_SIGNING_KEYS", "session.pem"),
            policy: policy::from_settings(get)?,
            trusted_proxies: list(get("TRUSTED_PROXIES"))
                .map(|cidr| {
                    cidr.parse::<IpNet>().or_else(|_| cidr.parse::<std::net::IpAddr>().map(IpNet::from)).map_err(|_| {
                        ConfigError::new("TRUSTED_PROXIES", "write networks such as 10.0.0.0/8, separated by commas")
                    })
                })
                .collect::<Result<_, _>>()?,
            allowed_origins: list(get("ALLOWED_ORIGINS")).map(origin).collect::<Result<_, _>>()?,
            limits: limits(env)?,
            sources: Sources {
                komoot: source(get("KOMOOT_URL"), "KOMOOT_URL")?,
                ridewithgps: source(get("RIDEWITHGPS_URL"), "RIDEWITHGPS_URL")?,
                strava: source(get("STRAVA_URL"), "STRAVA_URL")?,
                disabled: list(get("SOURCES_DISABLED"))
                    .map(|name| {
                        Service::from_name(name).ok_or_else(|| {
                            let known: Vec<_> = Service::ALL.iter().map(|service| service.as_str()).collect();
                            ConfigError::new(
                                "SOURCES_DISABLED",
                                format!("write any of {}, separated by commas", known.join(", ")),
                            )
                        })
                    })
                    .collect::<Result<_, _>>()?,
            },
            sign_up,
            mail: mail::from_settings(get("MAILER_URL"), get("MAILER_FROM"))?,
            places: places(get("NOMINATIM_URL"), get("PHOTON_URL"))?,
            log: get("LOG").unwrap_or("info").to_owned(),
            base,
            listen,
            metrics_listen,
            data_dir,
            database_url,
            redis_url,
            tls,
        })
    }

    /// A sentence for each limit that is not as published.
    pub fn limit_notes(&self) -> Vec<String> {
        let changed = limit::ALL.iter().filter_map(|limit| Some((limit, self.limits.get(limit.name)?)));
        let differs = changed.filter(|(limit, figures)| **figures != (limit.count, limit.seconds));
        let note = |(limit, (count, seconds)): (&&btp_kernel::Limit, &(u32, u32))| {
            let name = limit.name.to_uppercase();
            format!("LIMIT_{name} is {count}/{seconds}, published {}/{}", limit.count, limit.seconds)
        };
        differs.map(note).collect()
    }

    /// Whether the database is the embedded one.
    pub fn is_sqlite(&self) -> bool {
        self.database_url.starts_with("sqlite:")
    }

    /// The file of the embedded database.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        let rest = self.database_url.strip_prefix("sqlite:")?;
        let path = rest.strip_prefix("//").unwrap_or(rest).split('?').next()?;
        Some(PathBuf::from(path.replace("%3F", "?").replace("%23", "#").replace("%25", "%")))
    }
}

fn redis(url: &str, database_url: &str) -> Result<String, ConfigError> {
    let problem = if database_url.starts_with("sqlite:") {
        "needs PostgreSQL: on SQLite one process counts by itself"
    } else if !url.starts_with("redis://") && !url.starts_with("rediss://") {
        "begin it with redis://, or with rediss:// for TLS"
    } else if url.contains('#') {
        "leave out the # and what follows it: certificates are always checked"
    } else {
        return Ok(url.to_owned());
    };
    Err(ConfigError::new("REDIS_URL", problem))
}

/// Whether this is the address of a database that is kept, spelt so that we and SQLite read the same file name.
fn names_a_file(url: &str) -> bool {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let path = path.trim_start_matches("sqlite:").trim_start_matches("//");
    let escapes = ["%25", "%3F", "%23"].iter().map(|escape| path.matches(escape).count()).sum::<usize>();
    !matches!(path, "" | ":memory:") && !query.contains("memory") && escapes == path.matches('%').count()
}

fn list(value: Option<&str>) -> impl Iterator<Item = &str> {
    value.unwrap_or_default().split(',').map(str::trim).filter(|item| !item.is_empty())
}

fn parse<T: std::str::FromStr>(text: &str, setting: &str, problem: &str) -> Result<T, ConfigError> {
    text.parse().map_err(|_| ConfigError::new(setting, problem))
}

/// A browser origin: scheme and authority, in the form browsers send.
fn origin(text: &str) -> Result<String, ConfigError> {
    let problem =
        || ConfigError::new("ALLOWED_ORIGINS", "write origins such as https://app.example.org, separated by commas");
    let url = Url::parse(text).map_err(|_| problem())?;
    let origin = url.origin().ascii_serialization();
    if origin == text.trim_end_matches('/') { Ok(origin) } else { Err(problem()) }
}

fn source(value: Option<&str>, setting: &str) -> Result<Option<Url>, ConfigError> {
    let Some(text) = value else { return Ok(None) };
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.map(Some).ok_or_else(|| ConfigError::new(setting, "write a base address such as http://127.0.0.1:9000"))
}

/// The public Nominatim, unless another service is named or none is wanted.
fn places(nominatim: Option<&str>, photon: Option<&str>) -> Result<Option<PlaceService>, ConfigError> {
    let nominatim_off = nominatim == Some("off");
    let nominatim = source(nominatim.filter(|_| !nominatim_off), "NOMINATIM_URL")?;
    match (nominatim, source(photon, "PHOTON_URL")?) {
        (Some(_), Some(_)) => Err(ConfigError::new("PHOTON_URL", "set NOMINATIM_URL or PHOTON_URL, not both")),
        (Some(base), None) => Ok(Some(PlaceService::Nominatim(base))),
        (None, Some(base)) => Ok(Some(PlaceService::Photon(base))),
        (None, None) => Ok((!nominatim_off).then_some(PlaceService::PublicNominatim)),
    }
}

/// `LIMIT_<NAME>=<count>/<seconds>`.
fn limits(env: &Env) -> Result<BTreeMap<&'static str, (u32, u32)>, ConfigError> {
    let mut out = BTreeMap::new();
    for (name, value) in env.iter().filter(|(name, _)| name.starts_with("LIMIT_")) {
        let limit = limit::ALL.iter().find(|limit| name["LIMIT_".len()..].eq_ignore_ascii_case(limit.name));
        let Some(limit) = limit else {
            let known: Vec<_> = limit::ALL.iter().map(|limit| format!("LIMIT_{}", limit.name.to_uppercase())).collect();
            return Err(ConfigError::new(name, format!("there is no such limit; there are {}", known.join(", "))));
        };
        let figures = value.split_once('/').and_then(|(count, seconds)| {
            Some((count.trim().parse().ok()?, seconds.trim().parse().ok().filter(|&seconds: &u32| seconds > 0)?))
        });
        let Some(figures) = figures else {
            return Err(ConfigError::new(
                name,
                format!("write count/seconds, for example {}/{}", limit.count, limit.seconds),
            ));
        };
        out.insert(limit.name, figures);
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
