//! Limits that several processes share, in Redis. While it is away each process goes on with windows of its own.

use std::{
    sync::atomic::{AtomicI64, AtomicU64, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use btp_kernel::{Entropy, Exceeded, Figures, Limit, LimitError, Limiter, Timestamp, Windows, chain, entropy};
use redis::{
    Client, RedisResult, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

/// An answer that takes longer is none: a caller waits for it.
const PATIENCE: Duration = Duration::from_millis(300);
/// How long Redis is left alone after it failed, in milliseconds.
const RETRY: i64 = 1000;
/// [`RedisWindows::away_until`] while Redis answers.
const HERE: i64 = i64::MIN;

/// Sliding windows in Redis, exact at any window edge, and the same in memory beside them.
///
/// What this process lets through is counted in both, so that nobody starts anew when Redis goes away. Nothing but
/// these counters is kept there: what must not be lost or doubled is in the database.
pub struct RedisWindows {
    redis: ConnectionManager,
    script: Script,
    prefix: String,
    figures: Figures,
    local: Windows,
    /// Makes each taking a member of its own: a number of this process, and the taking's.
    process: String,
    taken: AtomicU64,
    /// When it is asked again, in milliseconds; [`HERE`] while it answers.
    away_until: AtomicI64,
}

/// The address cannot be one of a Redis server.
#[derive(Debug, thiserror::Error)]
#[error("an address of Redis is redis://HOST:PORT/DATABASE, with rediss for TLS")]
pub struct RedisError(#[source] redis::RedisError);

impl RedisWindows {
    /// Windows in the Redis at `url`, in keys that begin with `prefix`. Connects when it first counts.
    ///
    /// # Errors
    /// An address that is none.
    pub fn new(url: &str, prefix: &str, figures: Figures, entropy: &dyn Entropy) -> Result<Self, RedisError> {
        let patience = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let client = Client::open(url).map_err(RedisError)?;
        Ok(Self {
            redis: ConnectionManager::new_lazy_with_config(client, patience).map_err(RedisError)?,
            script: Script::new(include_str!("redis_windows/take.lua")),
            prefix: prefix.to_owned(),
            local: Windows::new(figures.clone()),
            figures,
            process: entropy::hex16(entropy),
            taken: AtomicU64::new(0),
            away_until: AtomicI64::new(HERE),
        })
    }

    /// Whether Redis answers now; what it says is also what the next calls go by.
    pub async fn ping(&self, now: Timestamp) -> bool {
        let (ping, mut redis) = (redis::cmd("PING"), self.redis.clone());
        let mut answer = ping.query_async::<String>(&mut redis).await;
        if answer.as_ref().is_err_and(found_broken) {
            answer = ping.query_async(&mut redis).await;
        }
        self.noted(answer, now).is_some()
    }

    /// The longest wait in milliseconds and whose it is; `None` when all were taken.
    async fn ask(&self, of: &[(&'static Limit, &str)], now: Timestamp) -> RedisResult<Option<(i64, &'static Limit)>> {
        let member = format!("{}-{}", self.process, self.taken.fetch_add(1, Ordering::Relaxed));
        let mut call = self.script.prepare_invoke();
        call.arg(now.as_millis()).arg(member);
        for (limit, key) in of {
            call.key(format!("{}:{}:{key}", self.prefix, limit.name));
            call.arg(self.figures.count(limit)).arg(self.figures.span(limit));
        }
        let mut redis = self.redis.clone();
        let mut answer = call.invoke_async(&mut redis).await;
        if answer.as_ref().is_err_and(found_broken) {
            // Should the first have arrived all the same: it was the same member, which is there once.
            answer = call.invoke_async(&mut redis).await;
        }
        let (wait, refuser): (i64, usize) = answer?;
        Ok(refuser.checked_sub(1).and_then(|index| of.get(index)).map(|(limit, _)| (wait, *limit)))
    }

    /// Whether Redis is to be asked: always while it answers, and by one call a second while it is away.
    fn is_due(&self, now: i64) -> bool {
        let away_until = self.away_until.load(Ordering::Relaxed);
        // A clock that was set back must not keep us from asking.
        let waits = now < away_until && away_until - now <= RETRY;
        let first = || self.away_until.compare_exchange(away_until, now + RETRY, Ordering::Relaxed, Ordering::Relaxed);
        away_until == HERE || (!waits && first().is_ok())
    }

    /// The answer, after noting, and logging once, whether Redis came or went.
    fn noted<T>(&self, answer: RedisResult<T>, now: Timestamp) -> Option<T> {
        match answer {
            Ok(answer) => {
                if self.away_until.swap(HERE, Ordering::Relaxed) != HERE {
                    tracing::warn!("redis answers again: limits count for all processes together");
                }
                Some(answer)
            }
            Err(err) => {
                if self.away_until.swap(now.as_millis() + RETRY, Ordering::Relaxed) == HERE {
                    tracing::error!(error = chain(&err), "redis does not answer: limits count in each process apart");
                }
                None
            }
        }
    }
}

/// Whether a call only found out that the connection was gone: the next one waits for a new connection.
fn found_broken(err: &redis::RedisError) -> bool {
    (err.is_connection_dropped() || err.is_io_error()) && !err.is_timeout()
}

#[async_trait]
impl Limiter for RedisWindows {
    async fn take(&self, of: &[(&'static Limit, &str)], now: Timestamp) -> Result<(), LimitError> {
        if !self.is_due(now.as_millis()) {
            return self.local.take(of, now).await;
        }
        match self.noted(self.ask(of, now).await, now) {
            None => self.local.take(of, now).await,
            Some(Some((wait, limit))) => {
                Err(Exceeded { limit: limit.name, retry_after: wait.unsigned_abs().div_ceil(1000).max(1) }.into())
            }
            Some(None) => {
                // Redis has decided; this is for the time when it is away.
                let _ = self.local.take(of, now).await;
                Ok(())
            }
        }
    }
}
