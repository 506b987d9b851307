//! A change of address ends what was granted in the person's name, whatever happens at the same time.

use btp_accounts::store::{NewSession, Purpose};
use btp_oauth::store::{Redeemed, Rotated};

use super::{super::accounts::signed_in, House, ann, at, authorized, code, family, live, parked, person, refresh};

async fn confirmed(house: &House, round: usize) {
    let link = format!("link-{round}");
    let purpose = Purpose::ChangeEmail(ann(), format!("ann{round}@example.org").parse().unwrap());
    house.people.put_link(&link, &purpose, at(60)).await.unwrap();
    let here = NewSession { key: format!("here-{round}"), current: "first".to_owned(), since: at(1), expires: at(60) };
    signed_in(&*house.people, &ann(), &here).await;
    assert!(house.people.change_email(&link, &ann(), Some(&here.key), at(2)).await.unwrap().is_some());
}

// oauth row: 3.5-2
// attack: 79
pub(super) async fn ends_access(house: &House) {
    let store = &*house.grants;
    family(store, "one").await;
    authorized(store, &code("open")).await;
    store.park(&parked("handle")).await.unwrap();
    let bob = btp_oauth::store::Code { user: person("bob").id, ..code("bobs") };
    authorized(store, &bob).await;
    assert_eq!(store.redeem("bobs", "bobs", &refresh("bobs-0"), at(1)).await.unwrap(), Redeemed::Fresh);

    confirmed(house, 0).await;
    assert_eq!(store.live("one").await.unwrap(), None);
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(3)).await.unwrap(), Rotated::Dead);
    assert_eq!(store.redeem("open", "late", &refresh("late-0"), at(3)).await.unwrap(), Redeemed::Dead);
    assert_eq!(store.parked("handle", at(3)).await.unwrap(), None);
    assert!(store.live("bobs").await.unwrap().is_some(), "nothing of anyone else");
    family(store, "again").await;
    assert_eq!(store.live("again").await.unwrap(), Some(live()), "but the person may authorize again");
}

// oauth row: 3.5-2
// attack: 79
pub(super) async fn wins_every_race(house: House) {
    let house = std::sync::Arc::new(house);
    for round in 1..=10 {
        let (held, open) = (format!("held{round}"), format!("open{round}"));
        family(&*house.grants, &held).await;
        authorized(&*house.grants, &code(&open)).await;
        let (changer, rotator, redeemer) = (house.clone(), house.grants.clone(), house.grants.clone());
        let (token, next) = (format!("{held}-0"), refresh(&format!("{held}-1")));
        let (born, first) = (open.clone(), refresh(&format!("{open}-0")));
        let tasks = [
            tokio::spawn(async move { confirmed(&changer, round).await }),
            tokio::spawn(async move { _ = rotator.rotate(&token, &next, None, at(2)).await.unwrap() }),
            tokio::spawn(async move { _ = redeemer.redeem(&born, &born, &first, at(2)).await.unwrap() }),
        ];
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(house.grants.live(&held).await.unwrap(), None);
        assert_eq!(house.grants.live(&open).await.unwrap(), None, "born before it ends with it, after it not at all");
    }
}
