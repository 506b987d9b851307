//! Writing a changed trip: all of it or nothing.

use std::time::Duration;

use btp_domain::{
    Computation, Computations, Stage, StageId, Trip,
    store::{Change, JobId, Lease, NewTrip, StoreError},
};
use btp_kernel::Entropy;

use super::{
    Stores, ann, bob,
    sample::{at, full, id, job, line, new, next, trip},
};
use crate::SeededEntropy;

const HOLD: Duration = Duration::from_secs(60);

pub(super) async fn everything_is_kept_exactly(stores: &Stores) {
    let made = trip(&ann(), "t1", 0);
    stores.trips.create(new(&made)).await.unwrap();
    let whole = Trip { version: 2, ..full(&ann(), "t1") };
    let change =
        Change { trip: whole.clone(), read: 1, line: Some(line()), former: None, jobs: Vec::new(), finishes: None };
    stores.trips.commit(change).await.unwrap();
    assert_eq!(stores.trips.find(&ann(), &whole.id).await.unwrap(), Some(whole.clone()));
    assert_eq!(stores.trips.line(&ann(), &whole.id).await.unwrap(), Some(line()));

    let bare = Trip { version: 3, ..made };
    stores.trips.commit(Change { trip: bare.clone(), ..next(&whole) }).await.unwrap();
    assert_eq!(stores.trips.find(&ann(), &bare.id).await.unwrap(), Some(bare.clone()), "values can be taken back");
    assert_eq!(stores.trips.line(&ann(), &bare.id).await.unwrap(), Some(line()), "a change without a line keeps it");

    let mut replaced = line();
    replaced.tracks.truncate(1);
    stores.trips.commit(Change { line: Some(replaced.clone()), ..next(&bare) }).await.unwrap();
    assert_eq!(stores.trips.line(&ann(), &bare.id).await.unwrap(), Some(replaced), "a line replaces the one before");
    for (index, route) in Computation::ALL.iter().enumerate() {
        let settled = Trip { version: 4 + index as u64, computations: Computations { route: *route }, ..bare.clone() };
        stores.trips.commit(next(&settled)).await.unwrap();
        assert_eq!(stores.trips.find(&ann(), &bare.id).await.unwrap().unwrap().computations.route, *route);
    }
}

/// Whether or not the change tells the former days, of which then only what differs need be written.
pub(super) async fn days_come_and_go(stores: &Stores, telling: bool) {
    let change = |trip: &Trip, former: &[Stage]| Change { former: telling.then(|| former.to_vec()), ..next(trip) };
    let (mine, other) = (full(&ann(), "t1"), full(&ann(), "t2"));
    for whole in [&mine, &other] {
        stores.trips.create(new(&Trip { stages: Vec::new(), ..whole.clone() })).await.unwrap();
        stores.trips.commit(next(whole)).await.unwrap();
    }
    let [first, rest, last] = &mine.stages[..] else { panic!("three days") };
    let fresh = Stage { id: StageId("t1-day-4".to_owned()), distance: 4.0, ..last.clone() };
    let moved = Stage { label: None, ascent: None, ..first.clone() };
    let changed = Trip { version: 2, stages: vec![last.clone(), fresh, moved], ..mine.clone() };
    stores.trips.commit(change(&changed, &mine.stages)).await.unwrap();
    let found = stores.trips.find(&ann(), &mine.id).await.unwrap().unwrap();
    assert_eq!(found.stages, changed.stages, "kept, moved, changed and new days, in order");
    assert!(found.stages.iter().all(|day| day.id != rest.id));
    let untouched = stores.trips.find(&ann(), &other.id).await.unwrap().unwrap();
    assert_eq!(untouched.stages, other.stages, "another trip's days stay");

    let many = (0..366).map(|day| Stage { id: StageId(format!("t1-new-{day}")), ..first.clone() }).collect();
    let relabelled = Stage { label: Some("2".to_owned()), ..changed.stages[1].clone() };
    let named = Trip { version: 3, stages: changed.stages.clone(), ..mine.clone() };
    let named = Trip { stages: [&named.stages[..1], &[relabelled], &named.stages[2..]].concat(), ..named };
    stores.trips.commit(change(&named, &changed.stages)).await.unwrap();
    assert_eq!(stores.trips.find(&ann(), &named.id).await.unwrap().unwrap().stages, named.stages, "one day differs");

    let recut = Trip { version: 4, stages: many, ..mine };
    stores.trips.commit(change(&recut, &named.stages)).await.unwrap();
    assert_eq!(stores.trips.find(&ann(), &recut.id).await.unwrap().unwrap().stages, recut.stages, "a year of days");
}

/// Two hundred changes of days at random, each of which writes only what differs: what is stored is what each one said.
pub(super) async fn any_change_of_days_is_stored_whole(stores: &Stores) {
    let entropy = SeededEntropy::new(30);
    let dice = |sides: usize| {
        let mut bytes = [0; 4];
        entropy.fill(&mut bytes);
        u32::from_le_bytes(bytes) as usize % sides
    };
    let mut trip = full(&ann(), "t1");
    stores.trips.create(new(&Trip { stages: Vec::new(), ..trip.clone() })).await.unwrap();
    stores.trips.commit(next(&trip)).await.unwrap();
    trip.version = 2;
    let (pool, mut gone) = (trip.stages.clone(), Vec::new());
    for step in 0..200 {
        let (former, read) = (trip.stages.clone(), trip.version);
        for _ in 0..=dice(3) {
            let days = &mut trip.stages;
            match dice(7) {
                0 => days.insert(dice(days.len() + 1), {
                    let id = StageId(format!("t1-new-{step}-{}", dice(1_000_000)));
                    Stage { id, ..pool[dice(pool.len())].clone() }
                }),
                1 if !gone.is_empty() => days.insert(dice(days.len() + 1), gone.swap_remove(dice(gone.len()))),
                2 if !days.is_empty() => gone.push(days.remove(dice(days.len()))),
                3 if dice(8) == 0 => gone.append(days),
                4 => days.reverse(),
                5 if !days.is_empty() => {
                    let middle = dice(days.len());
                    days.rotate_left(middle);
                }
                6 if !days.is_empty() => {
                    let (at, like) = (dice(days.len()), &pool[dice(pool.len())]);
                    days[at] = Stage { id: days[at].id.clone(), distance: dice(9) as f64, ..like.clone() };
                }
                _ => {}
            }
        }
        stores.trips.commit(Change { former: Some(former.clone()), ..next(&trip) }).await.unwrap();
        trip.version += 1;
        let found = stores.trips.find(&ann(), &trip.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(&trip), "step {step}");
        assert_eq!(stores.trips.former_days(&ann(), &trip.id, read).await.unwrap(), Some(former), "step {step}");
    }
}

pub(super) async fn one_of_twenty_writers_wins(stores: &Stores) {
    let made = trip(&ann(), "t1", 0);
    stores.trips.create(new(&made)).await.unwrap();
    let writers = (0..20).map(|number| {
        let mut change = next(&made);
        change.trip.title = Some(format!("writer {number}"));
        change.jobs = vec![job(&made, &format!("j{number}"), 0)];
        let trips = stores.trips.clone();
        tokio::spawn(async move { trips.commit(change).await })
    });
    let mut winners = Vec::new();
    for (number, writer) in writers.collect::<Vec<_>>().into_iter().enumerate() {
        match writer.await.unwrap() {
            Ok(()) => winners.push(number),
            Err(StoreError::Moved(2)) => {}
            Err(other) => panic!("writer {number}: {other:?}"),
        }
    }
    let [winner] = winners[..] else { panic!("one writer wins, not {winners:?}") };
    let found = stores.trips.find(&ann(), &made.id).await.unwrap().unwrap();
    assert_eq!((found.version, found.title), (2, Some(format!("writer {winner}"))));
    let job = stores.jobs.claim("w1", at(1), HOLD).await.unwrap().unwrap();
    assert_eq!(job.lease.job, JobId(format!("j{winner}")));
    assert_eq!(stores.jobs.claim("w2", at(1), HOLD).await.unwrap(), None, "the losers' jobs are not there");
}

pub(super) async fn a_refused_change_writes_nothing(stores: &Stores) {
    let made = trip(&ann(), "t1", 0);
    stores.trips.create(NewTrip { jobs: vec![job(&made, "j1", 0)], ..new(&made) }).await.unwrap();
    let first = stores.jobs.claim("w1", at(0), HOLD).await.unwrap().unwrap();
    let second = stores.jobs.claim("w2", at(60), HOLD).await.unwrap().unwrap();
    let whole = Trip { version: 2, ..full(&ann(), "t1") };
    let change = |lease: &Lease| Change {
        trip: whole.clone(),
        read: 1,
        line: Some(line()),
        former: None,
        jobs: vec![job(&made, "j2", 0)],
        finishes: Some(lease.clone()),
    };

    let overtaken = stores.trips.commit(change(&first.lease)).await;
    assert!(matches!(overtaken, Err(StoreError::LeaseLost)), "{overtaken:?}");
    let unknown = Lease { job: JobId::from("nowhere"), token: "w2".to_owned() };
    let never = stores.trips.commit(change(&unknown)).await;
    assert!(matches!(never, Err(StoreError::LeaseLost)), "{never:?}");
    let moved = stores.trips.commit(Change { read: 7, ..change(&second.lease) }).await;
    assert!(matches!(moved, Err(StoreError::Moved(1))), "{moved:?}");
    assert_eq!(stores.trips.find(&ann(), &made.id).await.unwrap(), Some(made.clone()));
    assert_eq!(stores.trips.line(&ann(), &made.id).await.unwrap(), None);
    assert_eq!(stores.jobs.claim("w3", at(60), HOLD).await.unwrap(), None, "no job of a refused change");

    stores.trips.commit(change(&second.lease)).await.unwrap();
    assert_eq!(stores.trips.find(&ann(), &made.id).await.unwrap(), Some(whole.clone()));
    let job = stores.jobs.claim("w3", at(600), HOLD).await.unwrap().unwrap();
    assert_eq!(job.lease.job, JobId::from("j2"), "the finished job is gone, the new one came");
    let twice = stores.trips.commit(Change { read: 2, ..change(&second.lease) }).await;
    assert!(matches!(twice, Err(StoreError::LeaseLost)), "a job is finished once: {twice:?}");

    let gone = stores.trips.commit(next(&trip(&ann(), "t9", 0))).await;
    assert!(matches!(gone, Err(StoreError::Gone)), "{gone:?}");
}

pub(super) async fn deleting_takes_everything_along(stores: &Stores) {
    let (mine, kept) = (trip(&ann(), "t1", 0), trip(&bob(), "t2", 0));
    for (made, job_id) in [(&mine, "j1"), (&kept, "j2")] {
        stores.trips.create(NewTrip { jobs: vec![job(made, job_id, 0)], ..new(made) }).await.unwrap();
    }
    let held = stores.jobs.claim("w1", at(0), HOLD).await.unwrap().unwrap();
    assert_eq!(held.lease.job, JobId::from("j1"));
    let change = Change { trip: Trip { version: 2, ..full(&ann(), "t1") }, line: Some(line()), ..next(&mine) };
    stores.trips.commit(change.clone()).await.unwrap();

    assert!(stores.trips.delete(&ann(), &mine.id).await.unwrap());
    assert!(!stores.trips.delete(&ann(), &mine.id).await.unwrap(), "once");
    assert_eq!(stores.trips.find(&ann(), &mine.id).await.unwrap(), None);
    assert_eq!(stores.trips.line(&ann(), &mine.id).await.unwrap(), None);
    assert!(!stores.jobs.renew(&held.lease, at(1), HOLD).await.unwrap(), "its job is gone, though held");
    let late = stores.trips.commit(Change { read: 2, finishes: Some(held.lease), ..change }).await;
    assert!(matches!(late, Err(StoreError::Gone)), "gone, rather than overtaken: {late:?}");

    assert!(stores.trips.find(&bob(), &id("t2")).await.unwrap().is_some());
    let other = stores.jobs.claim("w1", at(600), HOLD).await.unwrap().unwrap();
    assert_eq!(other.lease.job, JobId::from("j2"));
    assert_eq!(stores.jobs.claim("w2", at(600), HOLD).await.unwrap(), None);
}
