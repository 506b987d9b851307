//! The in-process limiter: a log of timestamps a key, exact at any window edge.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{Exceeded, Figures, Limit, LimitError, Limiter, Timestamp};

/// Keys kept before those whose window has passed are swept out.
const SWEEP_AT: usize = 10_000;

/// Sliding windows in memory, per process.
#[derive(Default)]
pub struct Windows {
    figures: Figures,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    taken: HashMap<(&'static str, String), VecDeque<i64>>,
    sweep_at: usize,
}

impl Windows {
    /// Windows with these figures.
    pub fn new(figures: impl Into<Figures>) -> Self {
        Self { figures: figures.into(), log: Mutex::default() }
    }

    fn span(&self, name: &str) -> i64 {
        let limit = crate::limit::ALL.iter().find(|limit| limit.name == name);
        limit.map_or(3_600_000, |limit| self.figures.span(limit))
    }

    /// How many milliseconds until one more of `limit` is let through; 0 when it is now.
    fn wait(&self, log: &mut Log, limit: &'static Limit, key: &str, now: i64) -> i64 {
        let (count, span) = (self.figures.count(limit), self.figures.span(limit));
        if count == 0 {
            return span;
        }
        let Some(times) = log.taken.get_mut(&(limit.name, key.to_owned())) else { return 0 };
        // A clock that was set back must not lock a caller out: later times count as now.
        if times.back().is_some_and(|&at| at > now) {
            times.iter_mut().for_each(|at| *at = (*at).min(now));
        }
        while times.front().is_some_and(|&at| at <= now - span) {
            times.pop_front();
        }
        let count = count as usize;
        if times.len() < count { 0 } else { times[times.len() - count] + span - now }
    }
}

#[async_trait]
impl Limiter for Windows {
    async fn take(&self, of: &[(&'static Limit, &str)], now: Timestamp) -> Result<(), LimitError> {
        let now = now.as_millis();
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = of
            .iter()
            .map(|(limit, key)| (self.wait(&mut log, limit, key, now), limit.name))
            .max_by_key(|(wait, _)| *wait)
            .filter(|(wait, _)| *wait > 0);
        if let Some((wait, limit)) = longest {
            return Err(Exceeded { limit, retry_after: wait.unsigned_abs().div_ceil(1000).max(1) }.into());
        }
        for (limit, key) in of {
            log.taken.entry((limit.name, (*key).to_owned())).or_default().push_back(now);
        }
        if log.taken.len() > log.sweep_at.max(SWEEP_AT) {
            log.taken.retain(|(name, _), times| times.back().is_some_and(|&at| at > now - self.span(name)));
            log.sweep_at = log.taken.len() * 2;
        }
        Ok(())
    }
}
