//! Answers that are kept for a while, each asked for once however many want it at the same time.

use std::{future::Future, hash::Hash, sync::Arc, time::Duration};

use btp_kernel::{Clock, Timestamp};
use moka::future::Cache;

/// Kept answers. Failures are not kept, but all who waited for the same answer share its failure.
pub(crate) struct Kept<K, V> {
    answers: Cache<K, (Timestamp, V)>,
    clock: Arc<dyn Clock>,
    span: Duration,
}

/// An answer, and whether it was asked for just now by this very caller.
pub(crate) struct Answer<V> {
    pub(crate) value: V,
    pub(crate) fresh: bool,
}

impl<K, V> Kept<K, V>
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Keeps answers for `span`, and fewer than that when their bytes, as `weigh` says, come to more than `capacity`.
    pub(crate) fn new(
        clock: Arc<dyn Clock>,
        span: Duration,
        capacity: u64,
        weigh: impl Fn(&V) -> usize + Send + Sync + 'static,
    ) -> Self {
        let answers = Cache::builder()
            .max_capacity(capacity)
            .weigher(move |_, (_, value)| u32::try_from(weigh(value)).unwrap_or(u32::MAX))
            // Frees the memory; what is too old is judged by our own clock.
            .time_to_live(span)
            .build();
        Self { answers, clock, span }
    }

    /// The answer for `key`: the kept one, or what `ask` gives.
    pub(crate) async fn get<E: Send + Sync + 'static>(
        &self,
        key: K,
        ask: impl Future<Output = Result<V, E>>,
    ) -> Result<Answer<V>, Arc<E>> {
        if let Some((since, _)) = self.answers.get(&key).await
            && self.clock.now().since(since) >= self.span
        {
            self.answers.invalidate(&key).await;
        }
        let asked = async { ask.await.map(|value| (self.clock.now(), value)) };
        let entry = self.answers.entry(key).or_try_insert_with(asked).await?;
        let fresh = entry.is_fresh();
        Ok(Answer { value: entry.into_value().1, fresh })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use btp_testkit::ManualClock;
    use futures_util::future::join_all;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    struct Scene {
        clock: Arc<ManualClock>,
        kept: Kept<&'static str, u32>,
        asked: AtomicU32,
    }

    fn scene() -> Scene {
        let clock = Arc::new(ManualClock::default());
        Scene { kept: Kept::new(clock.clone(), DAY, 1_000, |_| 1), clock, asked: AtomicU32::new(0) }
    }

    impl Scene {
        async fn get(&self, key: &'static str) -> (u32, bool) {
            let ask = async {
                tokio::task::yield_now().await;
                Ok::<_, ()>(self.asked.fetch_add(1, Ordering::SeqCst))
            };
            let answer = self.kept.get(key, ask).await.unwrap();
            (answer.value, answer.fresh)
        }
    }

    #[tokio::test]
    async fn for_its_span_by_our_clock() {
        let scene = scene();
        assert_eq!(scene.get("a").await, (0, true));
        scene.clock.advance(DAY - Duration::from_millis(1));
        assert_eq!(scene.get("a").await, (0, false));
        assert_eq!(scene.get("b").await, (1, true));
        scene.clock.advance(Duration::from_millis(1));
        assert_eq!(scene.get("a").await, (2, true));
        assert_eq!(scene.get("b").await, (1, false));
    }

    #[tokio::test]
    async fn asked_for_once_at_a_time() {
        let scene = scene();
        let answers = join_all((0..100).map(|_| scene.get("a"))).await;
        assert_eq!(scene.asked.load(Ordering::SeqCst), 1);
        assert_eq!(answers.iter().filter(|(value, fresh)| *value == 0 && *fresh).count(), 1);
    }

    #[tokio::test]
    async fn a_failure_is_shared_but_not_kept() {
        let scene = scene();
        let fail = || scene.kept.get("a", async { Err::<u32, _>("no") });
        assert_eq!(*fail().await.err().unwrap(), "no");
        assert_eq!(scene.get("a").await, (0, true));
    }
}
