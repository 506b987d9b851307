//! Creation, its records, and who may see the result.

use btp_domain::{
    Trip,
    store::{Creation, CreationKey, NewTrip, Stored},
};

use super::{
    Stores, ann, bob,
    sample::{at, full, id, job, line, new, next, trip},
};

pub(super) async fn a_trip_round_trips(at: &Stores) {
    let made = Trip { stages: Vec::new(), ..full(&ann(), "t1") };
    assert_eq!(at.trips.create(new(&made)).await.unwrap(), Stored::New);
    assert_eq!(at.trips.find(&ann(), &made.id).await.unwrap(), Some(made.clone()), "a new trip is kept exactly");
    assert_eq!(at.trips.line(&ann(), &made.id).await.unwrap(), None);
    assert_eq!(at.trips.link(&ann(), &made.id).await.unwrap(), None);

    let bare = trip(&ann(), "t2", 0);
    at.trips.create(new(&bare)).await.unwrap();
    assert_eq!(at.trips.find(&ann(), &bare.id).await.unwrap(), Some(bare), "so is one without optional values");
}

pub(super) async fn a_trip_may_bring_its_days(at: &Stores) {
    let made = full(&ann(), "t1");
    assert_eq!(at.trips.create(NewTrip { line: Some(line()), ..new(&made) }).await.unwrap(), Stored::New);
    assert_eq!(at.trips.find(&ann(), &made.id).await.unwrap(), Some(made.clone()));
    assert_eq!(at.trips.line(&ann(), &made.id).await.unwrap(), Some(line()));
    assert_eq!(at.trips.line(&bob(), &made.id).await.unwrap(), None);

    let again = NewTrip { line: Some(line()), key: new(&made).key, ..new(&full(&ann(), "t2")) };
    assert!(matches!(at.trips.create(again).await.unwrap(), Stored::Existing(_)));
    assert_eq!(at.trips.line(&ann(), &id("t2")).await.unwrap(), None, "nothing of the second is stored");
}

pub(super) async fn ownership_hides(stores: &Stores) {
    let mine = trip(&ann(), "t1", 0);
    stores.trips.create(NewTrip { jobs: vec![job(&mine, "j1", 0)], ..new(&mine) }).await.unwrap();
    let change = btp_domain::store::Change { line: Some(line()), ..next(&mine) };
    stores.trips.commit(change.clone()).await.unwrap();

    assert_eq!(stores.trips.find(&bob(), &mine.id).await.unwrap(), None);
    assert_eq!(stores.trips.find(&ann(), &id("no uuid; ' or 1=1 --")).await.unwrap(), None);
    assert_eq!(stores.trips.line(&bob(), &mine.id).await.unwrap(), None);
    assert_eq!(stores.trips.link(&bob(), &mine.id).await.unwrap(), None);
    assert_eq!(stores.trips.replay(&bob(), &[new(&mine).key], at(-3600)).await.unwrap(), None);
    assert!(!stores.trips.delete(&bob(), &mine.id).await.unwrap());

    let stolen = Trip { owner: bob(), version: 3, ..mine.clone() };
    let refused = stores.trips.commit(btp_domain::store::Change { trip: stolen, read: 2, ..change }).await;
    assert!(matches!(refused, Err(btp_domain::store::StoreError::Gone)), "another's trip is gone: {refused:?}");
    assert_eq!(stores.trips.find(&ann(), &mine.id).await.unwrap().unwrap().version, 2);
}

pub(super) async fn one_key_makes_one_trip(stores: &Stores) {
    let first = trip(&ann(), "t1", 0);
    let key = CreationKey("k".to_owned());
    let creation = Creation { arguments: "digest".to_owned(), trip: first.id.clone() };
    assert_eq!(stores.trips.replay(&ann(), std::slice::from_ref(&key), at(0)).await.unwrap(), None);
    stores.trips.create(NewTrip { key: key.clone(), ..new(&first) }).await.unwrap();

    let second = trip(&ann(), "t2", 1);
    let again =
        NewTrip { key: key.clone(), arguments: "other".to_owned(), jobs: vec![job(&second, "j2", 0)], ..new(&second) };
    assert_eq!(stores.trips.create(again.clone()).await.unwrap(), Stored::Existing(creation.clone()));
    assert_eq!(stores.trips.find(&ann(), &second.id).await.unwrap(), None, "nothing of the second is stored");
    assert_eq!(stores.jobs.claim("w", at(10), std::time::Duration::from_secs(1)).await.unwrap(), None);
    let keys = [CreationKey("absent".to_owned()), key.clone()];
    assert_eq!(stores.trips.replay(&ann(), &keys, at(0)).await.unwrap(), Some(creation), "any of the keys");
    assert_eq!(stores.trips.replay(&ann(), &[], at(0)).await.unwrap(), None);

    let other = trip(&bob(), "t3", 1);
    assert_eq!(stores.trips.create(NewTrip { key, ..new(&other) }).await.unwrap(), Stored::New, "keys are per owner");
}

pub(super) async fn a_race_makes_one_trip(stores: &Stores) {
    let key = CreationKey("race".to_owned());
    let racers = (0..20).map(|number| {
        let (trips, made) = (stores.trips.clone(), trip(&ann(), &format!("t{number}"), 0));
        let new = NewTrip { key: key.clone(), jobs: vec![job(&made, &format!("j{number}"), 0)], ..new(&made) };
        tokio::spawn(async move { trips.create(new).await.unwrap() })
    });
    let (mut stored, mut existing) = (0, Vec::new());
    for racer in racers.collect::<Vec<_>>() {
        match racer.await.unwrap() {
            Stored::New => stored += 1,
            Stored::Existing(creation) => existing.push(creation.trip),
        }
    }
    existing.dedup();
    assert_eq!((stored, existing.len()), (1, 1), "one trip is stored and all others are told of it");
    assert!(stores.trips.find(&ann(), &existing[0]).await.unwrap().is_some());
    let hold = std::time::Duration::from_secs(60);
    assert!(stores.jobs.claim("w1", at(1), hold).await.unwrap().is_some());
    assert!(stores.jobs.claim("w2", at(1), hold).await.unwrap().is_none(), "one trip, one job");
}

pub(super) async fn records_age(stores: &Stores) {
    let first = trip(&ann(), "t1", 0);
    stores.trips.create(new(&first)).await.unwrap();
    let key = new(&first).key;
    assert!(stores.trips.replay(&ann(), std::slice::from_ref(&key), at(0)).await.unwrap().is_some());
    assert_eq!(stores.trips.replay(&ann(), std::slice::from_ref(&key), at(1)).await.unwrap(), None, "too old");

    let second = trip(&ann(), "t2", 100);
    let later = NewTrip { key: key.clone(), not_before: at(1), ..new(&second) };
    assert_eq!(stores.trips.create(later.clone()).await.unwrap(), Stored::New, "a record that is too old gives way");
    assert!(stores.trips.find(&ann(), &first.id).await.unwrap().is_some(), "but its trip stays");
    let replayed = stores.trips.replay(&ann(), &[key], at(50)).await.unwrap();
    assert_eq!(replayed.unwrap().trip, second.id);
    stores.trips.delete(&ann(), &first.id).await.unwrap();
    assert!(
        matches!(stores.trips.create(later).await.unwrap(), Stored::Existing(creation) if creation.trip == second.id)
    );
}

pub(super) async fn a_deleted_trip_frees_its_key(stores: &Stores) {
    let first = trip(&ann(), "t1", 0);
    stores.trips.create(new(&first)).await.unwrap();
    assert!(stores.trips.delete(&ann(), &first.id).await.unwrap());
    let key = new(&first).key;
    assert_eq!(stores.trips.replay(&ann(), std::slice::from_ref(&key), at(-3600)).await.unwrap(), None);
    let second = trip(&ann(), "t2", 1);
    assert_eq!(stores.trips.create(NewTrip { key, ..new(&second) }).await.unwrap(), Stored::New);
}
