//! What counts: windows of this process, or those that every process shares in Redis.

use std::sync::Arc;

use btp_kernel::{Clock, Figures, Limiter, Windows};
use btp_storage::RedisWindows;
use btp_transport::Check;

use crate::{
    config::{Config, ConfigError},
    system::{SystemClock, SystemEntropy},
};

/// What the keys in Redis begin with.
const PREFIX: &str = "btp";

/// The limits of this process.
#[derive(Clone)]
pub(crate) struct Limits {
    own: Arc<dyn Limiter>,
    shared: Option<Arc<RedisWindows>>,
}

impl Limits {
    /// As configured. A Redis that does not answer keeps nobody from starting.
    pub(crate) fn from_config(config: &Config) -> Result<Self, ConfigError> {
        let figures = Figures::from(config.limits.clone());
        let Some(url) = &config.redis_url else {
            return Ok(Self { own: Arc::new(Windows::new(figures)), shared: None });
        };
        let shared = RedisWindows::new(url, PREFIX, figures, &SystemEntropy);
        let shared = Arc::new(shared.map_err(|err| ConfigError::new("REDIS_URL", err.to_string()))?);
        Ok(Self { own: Arc::clone(&shared) as _, shared: Some(shared) })
    }

    /// Where calls are counted.
    pub(crate) fn limiter(&self) -> Arc<dyn Limiter> {
        Arc::clone(&self.own)
    }

    /// How Redis is, when there is one.
    pub(crate) async fn check(&self) -> Option<Check> {
        let answers = self.shared.as_ref()?.ping(SystemClock.now()).await;
        let problem = (!answers).then(|| "redis does not answer: limits count in each process apart".to_owned());
        Some(Check { name: "redis", problem, vital: false })
    }
}
