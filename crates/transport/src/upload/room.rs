//! Room for files. It is taken for what has come of a file, not for what may come, and nobody has all of it. While half of
//! it is free everybody sends as slowly as they like; beyond that whoever holds room must go on sending.

use std::{
    collections::HashMap,
    mem::take,
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    thread::available_parallelism,
    time::Duration,
};

use btp_domain::Error;
use btp_formats::MAX_BYTES;
use btp_kernel::UserId;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::{Instant, timeout},
};

/// Files of one person at a time.
const EACH: usize = 2;
/// Bytes of a unit of room.
const UNIT: usize = 1024;
/// Units held of all files together: eight of the largest.
const UNITS: usize = 8 * MAX_BYTES.div_ceil(UNIT);
/// Files read and cut at a time, at most: each takes a core for about a second, and 100 MB.
const TURNS: usize = 2;
/// How long a file waits for more room.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a sender may keep us waiting. What comes makes up for it, as if it had taken [`A_BYTE`] each, and never for more.
const GRACE: Duration = Duration::from_secs(10);
/// 1 Mbit/s: slower ones could not send the largest file in the time that there is for it.
const A_BYTE: Duration = Duration::from_micros(8);
/// How often it is looked whether there is still room for a slow sender.
const LOOK: Duration = Duration::from_secs(1);

/// The room of a process.
pub(crate) struct Room {
    units: Arc<Semaphore>,
    /// Units of which it is scarce when fewer are free.
    scarce: usize,
    turns: Arc<Semaphore>,
    senders: Arc<Senders>,
}

type Senders = Mutex<HashMap<UserId, Files>>;

/// The files that a person sends or has read.
#[derive(Debug, Default)]
struct Files {
    count: usize,
    /// Whether one more was refused since one of them was through.
    refused: bool,
}

/// Room for one file, as much as has come of it. It goes where the bytes go: a request that is given up frees nothing
/// before the work on its file has ended.
#[derive(Debug)]
pub(super) struct Place {
    user: UserId,
    senders: Arc<Senders>,
    bytes: usize,
    held: OwnedSemaphorePermit,
    /// How much longer its sender may keep us waiting.
    grace: Duration,
}

impl Default for Room {
    fn default() -> Self {
        // One core is left to those who send no file.
        let spare = available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1));
        Self::of(UNITS, spare.clamp(1, TURNS))
    }
}

impl Room {
    pub(super) fn of(units: usize, turns: usize) -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { units: semaphore(units), scarce: units / 2, turns: semaphore(turns), senders: Arc::default() }
    }

    /// A place for a file of this person; `None` when they have as many as anyone may have.
    pub(super) fn enter(&self, user: &UserId) -> Option<Place> {
        let held = Arc::clone(&self.units).try_acquire_many_owned(0).ok()?;
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        let files = senders.entry(user.clone()).or_default();
        files.refused = files.count == EACH;
        if files.refused {
            return None;
        }
        files.count += 1;
        Some(Place { user: user.clone(), senders: Arc::clone(&self.senders), bytes: 0, held, grace: GRACE })
    }

    /// Makes room for so many bytes more of a file; false when there is none in time.
    pub(super) async fn grow(&self, place: &mut Place, bytes: usize) -> bool {
        let wanted = (place.bytes + bytes).div_ceil(UNIT) - place.held.num_permits();
        let (Ok(wanted), Ok(come)) = (u32::try_from(wanted), u32::try_from(bytes)) else { return false };
        let more = timeout(PATIENCE, Arc::clone(&self.units).acquire_many_owned(wanted)).await;
        let Ok(Ok(more)) = more else { return false };
        place.held.merge(more);
        place.bytes += bytes;
        place.grace = (place.grace + A_BYTE * come).min(GRACE);
        true
    }

    /// What the sender of this file sends next; `None` when they are too slow for the little room that is left, or send
    /// nothing where another file of theirs could be: a connection that broke off may look like that for long.
    pub(super) async fn next<T>(&self, place: &mut Place, sent: impl Future<Output = T>) -> Option<T> {
        let (began, mut patience, mut sent) = (Instant::now(), place.grace, pin!(sent));
        loop {
            match timeout(patience, &mut sent).await {
                Ok(next) => {
                    place.grace = place.grace.saturating_sub(began.elapsed());
                    return Some(next);
                }
                Err(_) if self.units.available_permits() < self.scarce => return None,
                Err(_) if began.elapsed() >= GRACE && self.gives_way(&place.user) => return None,
                Err(_) => patience = LOOK,
            }
        }
    }

    /// Whether a file of this person is to give way to one that was refused; once.
    fn gives_way(&self, user: &UserId) -> bool {
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        senders.get_mut(user).is_some_and(|files| take(&mut files.refused))
    }

    /// Works on a file when it is its turn, on a thread that serves nobody.
    ///
    /// # Errors
    /// The work panicked.
    pub(super) async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
        let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(|err| Error::Failed(err.into()))?;
        let work = spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        work.await.map_err(|err| Error::Failed(err.into()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut senders = self.senders.lock().unwrap_or_else(PoisonError::into_inner);
        match senders.get_mut(&self.user) {
            Some(files) if files.count > 1 => *files = Files { count: files.count - 1, refused: false },
            _ => drop(senders.remove(&self.user)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::ready,
        sync::mpsc::channel,
        task::{Context, Waker},
    };

    use futures_util::future::join;
    use tokio::time::sleep;

    use super::*;
    use crate::{routes::UPLOAD_PATIENCE, turns};

    fn ann() -> UserId {
        "ann".into()
    }

    #[test]
    fn nobody_has_more_than_two_places() {
        let room = Room::of(10, 1);
        let mut places = vec![room.enter(&ann()).unwrap(), room.enter(&ann()).unwrap()];
        assert!(room.enter(&ann()).is_none() && room.enter(&"bob".into()).is_some());
        places.pop();
        places.push(room.enter(&ann()).unwrap());
        assert!(room.enter(&ann()).is_none());
        places.clear();
        assert!(room.senders.lock().unwrap().is_empty(), "who sends nothing is not remembered");
    }

    /// Time is paused and moves on by itself when nothing else can.
    #[tokio::test(start_paused = true)]
    async fn room_is_taken_for_what_has_come() {
        let room = Room::of(10, 1);
        let (mut slow, mut fast) = (room.enter(&ann()).unwrap(), room.enter(&"bob".into()).unwrap());
        assert!(room.grow(&mut slow, 1).await && room.grow(&mut slow, UNIT - 1).await);
        assert_eq!(room.units.available_permits(), 9);
        assert!(room.grow(&mut fast, 9 * UNIT).await);
        assert!(!room.grow(&mut slow, 1).await, "it is full");
        drop(fast);
        assert!(room.grow(&mut slow, 1).await);
        drop(slow);
        assert_eq!(room.units.available_permits(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn who_holds_room_while_there_is_little_goes_on_sending() {
        let room = Room::of(100, 1);
        let wait = |seconds| sleep(Duration::from_secs(seconds));
        let (mut slow, mut fast) = (room.enter(&ann()).unwrap(), room.enter(&"bob".into()).unwrap());
        assert!(room.grow(&mut slow, 40 * UNIT).await);
        assert!(room.next(&mut slow, wait(200)).await.is_some(), "half of it is free");
        let (cut, ()) = join(room.next(&mut slow, wait(200)), async {
            wait(100).await;
            assert!(room.grow(&mut fast, 20 * UNIT).await);
        })
        .await;
        assert!(cut.is_none(), "it was slow when others came");
        assert!(room.next(&mut slow, ready(())).await.is_some(), "what is there is taken");

        assert!(room.next(&mut fast, wait(6)).await.is_some() && room.next(&mut fast, wait(6)).await.is_none());
        for _ in 0..100 {
            drop(fast.held.split(20));
            fast.bytes = 0;
            assert!(room.grow(&mut fast, 20 * UNIT).await);
            assert!(room.next(&mut fast, sleep(A_BYTE * 20 * 1024)).await.is_some(), "1 Mbit/s will do");
        }
        assert!(room.next(&mut fast, wait(9)).await.is_none(), "no grace was saved up");
    }

    #[tokio::test(start_paused = true)]
    async fn who_stopped_sending_gives_way_to_their_next_file() {
        let room = Room::of(100, 1);
        let wait = |seconds| sleep(Duration::from_secs(seconds));
        let [mut one, mut other] = [(); 2].map(|()| room.enter(&ann()).unwrap());
        let stalled = join(room.next(&mut one, wait(60)), room.next(&mut other, wait(60)));
        let (through, ()) = join(stalled, async {
            wait(30).await;
            assert!(room.enter(&ann()).is_none());
        })
        .await;
        assert_eq!([through.0.is_none(), through.1.is_none()].iter().filter(|gave_way| **gave_way).count(), 1);
        assert!(room.enter(&ann()).is_none());
        for _ in 0..20 {
            assert!(room.next(&mut other, wait(9)).await.is_some(), "slow is not gone");
        }
        assert!(room.next(&mut other, wait(11)).await.is_none());
    }

    #[test]
    fn the_limits_are_those_of_the_page_about_them() {
        let page = include_str!("../../../../docs/limits.md");
        let (wait, scarce) = (GRACE.as_secs(), Room::default());
        assert_eq!(
            (scarce.scarce, A_BYTE * 125_000),
            (UNITS / 2, Duration::from_secs(1)),
            "half of it; a Mbit a second"
        );
        for row in [
            format!("| one file | {} MB |", MAX_BYTES / 1_000_000),
            format!("| the time for it to come | {} seconds |", UPLOAD_PATIENCE.as_secs()),
            format!("| files of one person at a time | {EACH}; one from which nothing came for {wait} seconds"),
            format!("| what has come of all files together | {} MB |", UNITS * UNIT / 1_000_000),
            format!("503 after {} seconds without room", PATIENCE.as_secs()),
            format!("| {wait} seconds; each Mbit that comes makes up for one |"),
            format!("are sent {} at a time", ["no", "one", "two", "three"][turns::EACH]),
        ] {
            assert!(page.contains(&row), "{row}");
        }
    }

    #[tokio::test]
    async fn a_request_that_is_given_up_keeps_its_place_until_its_work_has_ended() {
        let room = Room::of(10, 1);
        let mut place = room.enter(&ann()).unwrap();
        assert!(room.grow(&mut place, 10 * UNIT).await);
        let ((go, gone), (end, ended)) = (channel::<()>(), channel::<()>());
        {
            let mut work = pin!(room.work(move || {
                gone.recv().unwrap();
                drop(place);
                end.send(()).unwrap();
            }));
            assert!(work.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        }
        assert_eq!((room.units.available_permits(), room.turns.available_permits()), (0, 0));
        go.send(()).unwrap();
        ended.recv().unwrap();
        assert_eq!(room.units.available_permits(), 10);
        room.work(|| {}).await.unwrap();
    }
}
