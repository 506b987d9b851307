//! The suite of `Limiter`.

use std::{collections::BTreeMap, sync::Arc};

use btp_kernel::{
    Figures, Limit, LimitError, Limiter, Timestamp,
    limit::{MCP_MUTATION, MCP_TOOL_CALL, TRIP_CREATE},
};
use tokio::task::JoinSet;

use super::accounts::RACERS;

/// Every rule of [`Limiter`]; `fresh` gives one that has counted nothing, with these figures.
///
/// Run it on a multi-threaded runtime, so that the race is real.
#[expect(clippy::future_not_send, reason = "a test awaits it in place, and `AsyncFn` cannot promise more")]
pub async fn limiter(fresh: impl AsyncFn(Figures) -> Arc<dyn Limiter>) {
    let published = async || fresh(Figures::default()).await;
    no_window_lets_more_through(&*published().await).await;
    both_or_neither_and_keys_apart(&*published().await).await;
    the_longest_wait_is_told(&*published().await).await;
    to_the_millisecond(&*published().await).await;
    other_figures_and_a_clock_set_back(&*fresh(figures("trip_create", (1, 5))).await).await;
    nothing_passes_a_limit_of_none(&*fresh(figures("trip_create", (0, 60))).await).await;
    racers_share_what_there_is(published().await).await;
}

fn figures(name: &'static str, figures: (u32, u32)) -> Figures {
    BTreeMap::from([(name, figures)]).into()
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000 + millis)
}

/// Which limit refused and how long to wait, `None` when it passed.
async fn refused(of: &dyn Limiter, what: &[(&'static Limit, &str)], millis: i64) -> Option<(&'static str, u64)> {
    match of.take(what, at(millis)).await {
        Ok(()) => None,
        Err(LimitError::Exceeded(exceeded)) => Some((exceeded.limit, exceeded.retry_after)),
        Err(other) => panic!("{other}"),
    }
}

// attack: 78
async fn no_window_lets_more_through(limiter: &dyn Limiter) {
    let mut passed = Vec::new();
    for second in 0..300 {
        if refused(limiter, &[(&TRIP_CREATE, "ann")], second * 1000).await.is_none() {
            passed.push(second);
        }
    }
    for start in 0..240 {
        let inside = passed.iter().filter(|&&second| (start..start + 60).contains(&second)).count();
        assert!(inside <= 10, "{inside} in the minute from {start}");
    }
    assert_eq!(passed.len(), 50);
}

async fn both_or_neither_and_keys_apart(limiter: &dyn Limiter) {
    let both = [(&MCP_TOOL_CALL, "ann"), (&MCP_MUTATION, "ann")];
    for _ in 0..20 {
        assert_eq!(refused(limiter, &both, 0).await, None);
    }
    assert_eq!(refused(limiter, &both, 10_000).await, Some(("mcp_mutation", 50)));
    for _ in 0..40 {
        assert_eq!(refused(limiter, &both[..1], 10_000).await, None, "the refused call took no tool call");
    }
    assert_eq!(refused(limiter, &both[..1], 10_000).await, Some(("mcp_tool_call", 50)));
    assert_eq!(refused(limiter, &[(&MCP_MUTATION, "bob")], 10_000).await, None);
}

async fn the_longest_wait_is_told(limiter: &dyn Limiter) {
    for _ in 0..10 {
        assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 0).await, None);
    }
    for _ in 0..20 {
        assert_eq!(refused(limiter, &[(&MCP_MUTATION, "ann")], 30_000).await, None);
    }
    let all = [(&MCP_MUTATION, "ann"), (&TRIP_CREATE, "ann"), (&MCP_TOOL_CALL, "ann")];
    assert_eq!(refused(limiter, &all, 40_000).await, Some(("mcp_mutation", 50)));
    assert_eq!(refused(limiter, &all[1..], 40_000).await, Some(("trip_create", 20)));
}

async fn to_the_millisecond(limiter: &dyn Limiter) {
    for call in 0..10 {
        assert_eq!(
            refused(limiter, &[(&TRIP_CREATE, "ann")], call).await,
            None,
            "calls of one moment are counted each"
        );
    }
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 9).await, Some(("trip_create", 60)));
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 59_999).await, Some(("trip_create", 1)), "never zero");
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 60_000).await, None, "the first has left the window");
    assert_eq!(
        refused(limiter, &[(&TRIP_CREATE, "ann")], 60_000).await,
        Some(("trip_create", 1)),
        "the second has not"
    );
}

async fn other_figures_and_a_clock_set_back(limiter: &dyn Limiter) {
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 3_600_000).await, None);
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 0).await, Some(("trip_create", 5)));
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 5000).await, None, "nobody is locked out for an hour");
}

async fn nothing_passes_a_limit_of_none(limiter: &dyn Limiter) {
    assert_eq!(refused(limiter, &[(&TRIP_CREATE, "ann")], 0).await, Some(("trip_create", 60)));
}

async fn racers_share_what_there_is(limiter: Arc<dyn Limiter>) {
    let mut race = JoinSet::new();
    for _ in 0..RACERS {
        let limiter = limiter.clone();
        race.spawn(async move { refused(&*limiter, &[(&TRIP_CREATE, "ann")], 0).await.is_none() });
    }
    assert_eq!(race.join_all().await.into_iter().filter(|passed| *passed).count(), 10.min(RACERS));
}
