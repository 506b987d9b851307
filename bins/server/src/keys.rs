//! The signing keys on disk: made on first start, refused when agents' tokens and app sessions would share one.

use std::{
    fs,
    io::Write,
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use btp_accounts::Signer;
use btp_kernel::BoxError;
use btp_oauth::{Keys, keys};
use serde_json::Value;

use crate::{
    config::{Config, ConfigError},
    private,
    system::SystemEntropy,
};

/// The two sets of keys, which share none.
pub(crate) struct SigningKeys {
    /// Of agents' tokens.
    pub(crate) oauth: Keys,
    /// Of apps' tokens.
    pub(crate) session: SessionKeys,
}

/// Signs the tokens of apps.
pub(crate) struct SessionKeys(Keys);

impl Signer for SessionKeys {
    fn sign(&self, kind: &str, claims: &Value) -> Result<String, BoxError> {
        self.0.sign(kind, claims)
    }

    fn open(&self, kind: &str, token: &str) -> Option<Value> {
        self.0.open(kind, token)
    }
}

/// Both sets, checked.
pub(crate) fn load(config: &Config) -> Result<SigningKeys, ConfigError> {
    make_missing(config)?;
    let oauth = read("OAUTH_SIGNING_KEYS", &config.oauth_keys)?;
    let session = read("SESSION_SIGNING_KEYS", &config.session_keys)?;
    if oauth.shares_a_key_with(&session) {
        return Err(ConfigError::new(
            "OAUTH_SIGNING_KEYS",
            "shares a key with SESSION_SIGNING_KEYS; each needs keys of its own",
        ));
    }
    Ok(SigningKeys { oauth, session: SessionKeys(session) })
}

/// Makes the keys at their default places when they are not there; which ones it made.
pub(crate) fn make_missing(config: &Config) -> Result<Vec<PathBuf>, ConfigError> {
    let folder = config.data_dir.join("keys");
    let ours = config.oauth_keys.iter().chain(&config.session_keys).filter(|path| path.parent() == Some(&folder));
    let missing: Vec<_> = ours.filter(|path| !path.exists()).cloned().collect();
    for path in &missing {
        let problem = |what: &str, err: std::io::Error| {
            ConfigError::new("DATA_DIR", format!("cannot {what} {}: {err}", path.display()))
        };
        private::folder(&folder).map_err(|err| problem("make the folder of", err))?;
        let pem = keys::generate(&SystemEntropy).map_err(|err| ConfigError::new("DATA_DIR", err.to_string()))?;
        // Written beside its place and moved there: a second process that starts now reads a whole key or none.
        let draft = path.with_extension(format!("{}.tmp", std::process::id()));
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft);
        file.as_mut()
            .map_err(|err| std::io::Error::from(err.kind()))
            .and_then(|file| file.write_all(pem.as_bytes()))
            .and_then(|()| fs::hard_link(&draft, path))
            .or_else(|err| if err.kind() == std::io::ErrorKind::AlreadyExists { Ok(()) } else { Err(err) })
            .map_err(|err| problem("write", err))?;
        let _ = fs::remove_file(&draft);
    }
    Ok(missing)
}

fn read(setting: &str, paths: &[PathBuf]) -> Result<Keys, ConfigError> {
    let pems = paths.iter().map(|path| read_one(setting, path)).collect::<Result<Vec<_>, _>>()?;
    Keys::load(&pems).map_err(|err| {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        ConfigError::new(setting, format!("{}: {err}", names.join(", ")))
    })
}

fn read_one(setting: &str, path: &Path) -> Result<String, ConfigError> {
    let problem = |err: std::io::Error| ConfigError::new(setting, format!("cannot read {}: {err}", path.display()));
    let mode = fs::metadata(path).map_err(problem)?.permissions().mode();
    if mode & 0o007 != 0 {
        return Err(ConfigError::new(setting, format!("{} is open to everyone; chmod 600 it", path.display())));
    }
    fs::read_to_string(path).map_err(problem)
}
