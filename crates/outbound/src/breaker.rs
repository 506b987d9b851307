//! Leaves a server alone while it is not well: nobody waits for what will not come, and it can recover.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use btp_kernel::{Clock, Timestamp};

/// Failures in a row after which a server is left alone.
const FAILURES: u32 = 5;
/// For how long, and for how long one that is busy without saying for how long.
const REST: Duration = Duration::from_secs(60);
/// How long one caller may try after a rest before another does.
const TRIAL: Duration = Duration::from_secs(20);
/// The longest rest that a busy server may ask for.
const LONGEST_REST: Duration = Duration::from_secs(15 * 60);

/// How a server answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// It answered, whatever it said.
    Well,
    /// It failed, broke off or kept silent.
    Failing,
    /// It wants to be asked less, and may say for how long.
    Busy(Option<Duration>),
    /// It had no fair chance.
    Unknown,
}

/// The server is left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("left alone for {} s more", left.as_secs())]
pub(crate) struct Resting {
    /// Until the next attempt.
    pub(crate) left: Duration,
    /// Whether it is because the server is busy rather than failing.
    pub(crate) busy: bool,
}

/// The state of one server.
pub(crate) struct Breaker {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    failures: u32,
    busy: bool,
    rests_until: Option<Timestamp>,
}

impl Breaker {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, state: Mutex::default() }
    }

    /// Whether the server may be asked now. After a rest, one caller tries; the others rest on until it has reported.
    pub(crate) fn admit(&self) -> Result<(), Resting> {
        let now = self.clock.now();
        let mut state = self.lock();
        match state.rests_until {
            None => Ok(()),
            Some(until) if now < until => Err(Resting { left: until.since(now), busy: state.busy }),
            Some(_) => {
                state.rests_until = Some(now.plus(TRIAL));
                Ok(())
            }
        }
    }

    /// Takes note of how the server answered.
    pub(crate) fn report(&self, health: Health) {
        let now = self.clock.now();
        let mut state = self.lock();
        let rest = match health {
            Health::Unknown => return,
            Health::Well => {
                *state = State::default();
                return;
            }
            Health::Failing => {
                state.failures += 1;
                (state.failures >= FAILURES).then_some(REST)
            }
            Health::Busy(asked) => {
                state.failures += 1;
                let asked = asked.filter(|asked| !asked.is_zero()).map(|asked| asked.min(LONGEST_REST));
                asked.or((state.failures >= FAILURES).then_some(REST))
            }
        };
        if let Some(rest) = rest {
            state.busy = matches!(health, Health::Busy(_));
            state.rests_until = Some(now.plus(rest));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use btp_testkit::ManualClock;

    use super::*;

    fn breaker() -> (Arc<ManualClock>, Breaker) {
        let clock = Arc::new(ManualClock::default());
        (clock.clone(), Breaker::new(clock))
    }

    #[test]
    fn failures_in_a_row_end_in_a_rest() {
        let (clock, breaker) = breaker();
        for _ in 0..3 {
            (1..FAILURES).for_each(|_| breaker.report(Health::Failing));
            assert_eq!(breaker.admit(), Ok(()));
            breaker.report(Health::Well);
        }
        (0..FAILURES).for_each(|_| breaker.report(Health::Failing));
        assert_eq!(breaker.admit(), Err(Resting { left: REST, busy: false }));
        clock.advance(Duration::from_secs(20));
        assert_eq!(breaker.admit(), Err(Resting { left: Duration::from_secs(40), busy: false }));
    }

    #[test]
    fn after_the_rest_one_tries_for_all() {
        let (clock, breaker) = breaker();
        (0..FAILURES).for_each(|_| breaker.report(Health::Failing));
        clock.advance(REST);
        assert_eq!(breaker.admit(), Ok(()));
        assert_eq!(breaker.admit(), Err(Resting { left: TRIAL, busy: false }), "the others wait for the first");
        breaker.report(Health::Failing);
        clock.advance(REST / 2);
        assert!(breaker.admit().is_err(), "still failing: another rest");
        clock.advance(REST);
        assert_eq!(breaker.admit(), Ok(()));
        breaker.report(Health::Well);
        assert_eq!([breaker.admit(), breaker.admit()], [Ok(()); 2]);
    }

    #[test]
    fn a_busy_server_says_for_how_long() {
        let (clock, breaker) = breaker();
        [None, Some(Duration::ZERO)].into_iter().for_each(|asked| breaker.report(Health::Busy(asked)));
        assert_eq!(breaker.admit(), Ok(()), "it did not say");
        breaker.report(Health::Busy(Some(Duration::from_secs(120))));
        assert_eq!(breaker.admit(), Err(Resting { left: Duration::from_secs(120), busy: true }));
        clock.advance(Duration::from_secs(120));
        assert_eq!(breaker.admit(), Ok(()));
        breaker.report(Health::Busy(Some(Duration::from_secs(1_000_000))));
        assert_eq!(breaker.admit(), Err(Resting { left: LONGEST_REST, busy: true }));
    }

    #[test]
    fn what_says_nothing_changes_nothing() {
        let (_, breaker) = breaker();
        (0..FAILURES * 2).for_each(|_| breaker.report(Health::Unknown));
        assert_eq!(breaker.admit(), Ok(()));
    }
}
