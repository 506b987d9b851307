//! Former days and public links.

use btp_domain::{
    ShareLink, Stage, Trip,
    store::{Change, StoreError},
};

use super::{
    Stores, ann, bob,
    sample::{at, full, line, new, next, trip},
};

fn link(code: &str, second: i64) -> ShareLink {
    ShareLink { code: code.to_owned(), created_at: at(second) }
}

pub(super) async fn former_days_are_kept_exactly(stores: &Stores) {
    let whole = full(&ann(), "t1");
    stores.trips.create(new(&Trip { stages: Vec::new(), ..whole.clone() })).await.unwrap();
    stores.trips.commit(next(&whole)).await.unwrap();
    let second = Trip { version: 2, stages: whole.stages[..1].to_vec(), ..whole.clone() };
    let keeping = |trip: &Trip, former: &[Stage]| Change { former: Some(former.to_vec()), ..next(trip) };
    let kept = async |version| stores.trips.former_days(&ann(), &whole.id, version).await.unwrap();
    let stale = stores.trips.commit(Change { read: 1, ..keeping(&second, &[]) }).await;
    assert!(matches!(stale, Err(StoreError::Moved(2))), "{stale:?}");
    assert_eq!(kept(1).await, None, "a refused change keeps nothing");
    stores.trips.commit(keeping(&second, &whole.stages)).await.unwrap();
    stores.trips.commit(keeping(&Trip { version: 3, ..second.clone() }, &second.stages)).await.unwrap();
    assert_eq!(kept(2).await, Some(whole.stages.clone()), "every value, in order");
    assert_eq!(kept(3).await, Some(second.stages.clone()));
    assert_eq!(kept(4).await, None);
    assert_eq!(kept(u64::MAX).await, None);
    assert_eq!(stores.trips.former_days(&bob(), &whole.id, 2).await.unwrap(), None, "not the owner's");
    stores.trips.delete(&ann(), &whole.id).await.unwrap();
    stores.trips.create(new(&Trip { stages: Vec::new(), ..whole.clone() })).await.unwrap();
    assert_eq!(kept(2).await, None, "they went with their trip");
}

pub(super) async fn a_trip_has_one_link(stores: &Stores) {
    let (mine, his) = (full(&ann(), "t1"), trip(&bob(), "t2", 0));
    stores.trips.create(new(&Trip { stages: Vec::new(), ..mine.clone() })).await.unwrap();
    stores.trips.create(new(&his)).await.unwrap();
    stores.trips.commit(Change { line: Some(line()), ..next(&mine) }).await.unwrap();
    let mine = Trip { version: 2, ..mine };
    let store = &stores.trips;
    assert_eq!(store.share(&ann(), &mine.id, link("a-_first", 1)).await.unwrap(), link("a-_first", 1));
    assert_eq!(store.share(&ann(), &mine.id, link("another", 2)).await.unwrap(), link("a-_first", 1));
    assert_eq!(store.link(&ann(), &mine.id).await.unwrap(), Some(link("a-_first", 1)));
    for (owner, id) in [(bob(), &mine.id), (ann(), &"nowhere".into()), (ann(), &"t1\0".into())] {
        let refused = store.share(&owner, id, link("stolen", 3)).await;
        assert!(matches!(refused, Err(StoreError::Gone)), "{refused:?}");
        assert_eq!(store.link(&owner, id).await.unwrap(), None);
        assert!(!store.unshare(&owner, id, at(3)).await.unwrap());
    }
    let shared = store.shared("a-_first").await.unwrap().unwrap();
    assert_eq!((shared.trip, shared.line), (mine.clone(), Some(line())));
    store.share(&bob(), &his.id, link("his", 4)).await.unwrap();
    assert_eq!(store.shared("his").await.unwrap().unwrap().line, None);
    for code in ["", "A-_FIRST", "another", "stolen", "a-_first ", "a-_first\0"] {
        assert_eq!(store.shared(code).await.unwrap(), None, "{code:?}");
    }

    assert!(store.unshare(&ann(), &mine.id, at(5)).await.unwrap());
    assert!(!store.unshare(&ann(), &mine.id, at(6)).await.unwrap(), "once");
    assert_eq!((store.link(&ann(), &mine.id).await.unwrap(), store.shared("a-_first").await.unwrap()), (None, None));
    store.share(&ann(), &mine.id, link("second", 7)).await.unwrap();
    assert_eq!(store.shared("second").await.unwrap().unwrap().trip.id, mine.id);
    assert_eq!(store.shared("a-_first").await.unwrap(), None, "revoked for good");
    store.delete(&ann(), &mine.id).await.unwrap();
    assert_eq!(store.shared("second").await.unwrap(), None);
    assert!(store.shared("his").await.unwrap().is_some());
}

pub(super) async fn twenty_shares_make_one_link(stores: &Stores) {
    let made = trip(&ann(), "t1", 0);
    stores.trips.create(new(&made)).await.unwrap();
    let racers = (0..20).map(|number| {
        let (trips, id) = (stores.trips.clone(), made.id.clone());
        tokio::spawn(async move { trips.share(&ann(), &id, link(&format!("code{number}"), number)).await.unwrap() })
    });
    let mut links = Vec::new();
    for racer in racers.collect::<Vec<_>>() {
        links.push(racer.await.unwrap());
    }
    assert!(links.iter().all(|link| *link == links[0]), "{links:?}");
    assert_eq!(stores.trips.link(&ann(), &made.id).await.unwrap().as_ref(), Some(&links[0]));
}
