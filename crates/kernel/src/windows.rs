//! The in-process limiter: a log of timestamps a key, exact at any window edge.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;

use crate::{Exceeded, Limit, LimitError, Limiter, Timestamp};

/// Keys kept before those whose window has passed are swept out.
const SWEEP_AT: usize = 10_000;

/// Sliding windows in memory, per process.
#[derive(Default)]
pub struct Windows {
    overrides: BTreeMap<&'static str, (u32, u32)>,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    taken: HashMap<(&'static str, String), VecDeque<i64>>,
    sweep_at: usize,
}

impl Windows {
    /// Windows in which the named limits have other figures: `(count, seconds)`.
    pub fn new(overrides: BTreeMap<&'static str, (u32, u32)>) -> Self {
        Self { overrides, log: Mutex::default() }
    }

    fn figures(&self, limit: &Limit) -> (u32, u32) {
        self.overrides.get(limit.name).copied().unwrap_or((limit.count, limit.seconds))
    }

    fn span(&self, name: &str) -> i64 {
        let limit = crate::limit::ALL.iter().find(|limit| limit.name == name);
        i64::from(limit.map_or(3600, |limit| self.figures(limit).1)) * 1000
    }

    /// How many milliseconds until one more of `limit` is let through; 0 when it is now.
    fn wait(&self, log: &mut Log, limit: &'static Limit, key: &str, now: i64) -> i64 {
        let (count, seconds) = self.figures(limit);
        let span = i64::from(seconds) * 1000;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{MCP_MUTATION, MCP_TOOL_CALL, TRIP_CREATE};

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(1_800_000_000 + seconds)
    }

    async fn refused(windows: &Windows, of: &[(&'static Limit, &str)], seconds: i64) -> Option<(&'static str, u64)> {
        match windows.take(of, at(seconds)).await {
            Ok(()) => None,
            Err(LimitError::Exceeded(exceeded)) => Some((exceeded.limit, exceeded.retry_after)),
            Err(other) => panic!("{other}"),
        }
    }

    #[tokio::test]
    async fn no_window_lets_more_through_than_its_limit() {
        let windows = Windows::default();
        let mut passed = Vec::new();
        for second in 0..300 {
            if refused(&windows, &[(&TRIP_CREATE, "ann")], second).await.is_none() {
                passed.push(second);
            }
        }
        for start in 0..240 {
            let inside = passed.iter().filter(|&&second| (start..start + 60).contains(&second)).count();
            assert!(inside <= 10, "{inside} in the minute from {start}");
        }
        assert_eq!(passed.len(), 50);
    }

    #[tokio::test]
    async fn both_or_neither_and_keys_apart() {
        let windows = Windows::default();
        let both = [(&MCP_TOOL_CALL, "ann"), (&MCP_MUTATION, "ann")];
        for _ in 0..20 {
            assert_eq!(refused(&windows, &both, 0).await, None);
        }
        assert_eq!(refused(&windows, &both, 10).await, Some(("mcp_mutation", 50)));
        for _ in 0..40 {
            assert_eq!(refused(&windows, &both[..1], 10).await, None, "the refused call took no tool call");
        }
        assert_eq!(refused(&windows, &both[..1], 10).await, Some(("mcp_tool_call", 50)));
        assert_eq!(refused(&windows, &[(&MCP_MUTATION, "bob")], 10).await, None);
    }

    #[tokio::test]
    async fn overrides_and_a_clock_set_back() {
        let windows = Windows::new(BTreeMap::from([("trip_create", (1, 5))]));
        assert_eq!(refused(&windows, &[(&TRIP_CREATE, "ann")], 3600).await, None);
        assert_eq!(refused(&windows, &[(&TRIP_CREATE, "ann")], 0).await, Some(("trip_create", 5)));
        assert_eq!(refused(&windows, &[(&TRIP_CREATE, "ann")], 5).await, None);
    }
}
