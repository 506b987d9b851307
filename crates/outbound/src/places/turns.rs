//! One request a second, in the order of asking, and nobody waits long.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// Between two turns: a little more than the second that is allowed, so that no delay of ours makes it less.
const EVERY: Duration = Duration::from_millis(1_050);
/// The longest wait; whoever would wait longer is told so at once.
const LONGEST: Duration = Duration::from_millis(1_500);

#[derive(Default)]
pub(super) struct Turns {
    next: Mutex<Option<Instant>>,
}

impl Turns {
    /// When it is this caller's turn; how long it would be until then when that is too long, and no turn is taken.
    pub(super) fn take(&self, now: Instant) -> Result<Instant, Duration> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = next.map_or(now, |next| next.max(now));
        if turn - now > LONGEST {
            return Err(turn - now);
        }
        *next = Some(turn + EVERY);
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_a_second_and_no_long_queue() {
        let (turns, start) = (Turns::default(), Instant::now());
        assert_eq!(turns.take(start), Ok(start));
        assert_eq!(turns.take(start), Ok(start + EVERY));
        for _ in 0..28 {
            assert_eq!(turns.take(start), Err(2 * EVERY), "whoever is turned away lengthens nothing");
        }
        let later = start + Duration::from_secs(1);
        assert_eq!(turns.take(later), Ok(start + 2 * EVERY));
        let idle = start + Duration::from_secs(60);
        assert_eq!(turns.take(idle), Ok(idle));
        assert_eq!(turns.take(idle), Ok(idle + EVERY));
    }
}
