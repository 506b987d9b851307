//! What a person granted: listed, and revoked against everybody who wants more of it.

use std::sync::Arc;

use btp_kernel::{ClientId, Timestamp};
use btp_oauth::store::{Code, Decision, GrantStore, Parked, Redeemed, Refresh, Rotated, SignIn, ended};
use tokio::task::JoinSet;

use super::{
    super::accounts::{NOW, RACERS, at, person},
    CLIENT, House, ann, authorized, client, code, family, live, parked, refresh,
};

fn listed(of: &str, since: Timestamp, last_used: Option<Timestamp>) -> SignIn {
    let known = client(of);
    SignIn {
        client: of.into(),
        registered: Some((known.name, known.redirect_uris)),
        scopes: live().scopes,
        since,
        last_used,
        reused: None,
    }
}

pub(super) async fn are_listed_while_a_token_lives(store: &dyn GrantStore) {
    assert_eq!(store.sign_ins(&ann(), NOW).await.unwrap(), []);
    family(store, "one").await;
    assert_eq!(store.sign_ins(&person("bob").id, at(2)).await.unwrap(), [], "someone else's");
    assert_eq!(store.sign_ins(&ann(), at(2)).await.unwrap(), [listed(CLIENT, at(1), None)]);
    store.touch("one", at(3)).await.unwrap();
    store.touch("one", at(4)).await.unwrap();
    assert_eq!(store.sign_ins(&ann(), at(5)).await.unwrap(), [listed(CLIENT, at(1), Some(at(3)))]);
    store.touch("one", at(303)).await.unwrap();
    authorized(store, &code("late-code")).await;
    assert_eq!(store.redeem("late-code", "late", &refresh("late-0"), at(9)).await.unwrap(), Redeemed::Fresh);
    let both = [listed(CLIENT, at(1), Some(at(303))), listed(CLIENT, at(9), Some(at(303)))];
    assert_eq!(store.sign_ins(&ann(), at(304)).await.unwrap(), both, "use is known of the grant");

    store.revoke_family("late", ended::CLIENT, at(305)).await.unwrap();
    assert_eq!(store.sign_ins(&ann(), at(306)).await.unwrap(), both[..1]);
    let longer = Refresh { expires: at(7200), ..refresh("one-1") };
    assert_eq!(store.rotate("one-0", &longer, None, at(307)).await.unwrap(), Rotated::Fresh);
    assert_eq!(store.sign_ins(&ann(), at(7199)).await.unwrap(), both[..1], "as long as its last token");
    assert_eq!(store.sign_ins(&ann(), at(7200)).await.unwrap(), []);
    assert!(store.disable_client(&CLIENT.into(), at(308)).await.unwrap());
    assert_eq!(store.sign_ins(&ann(), at(309)).await.unwrap(), []);
}

pub(super) async fn show_what_was_used_twice(store: &dyn GrantStore) {
    family(store, "one").await;
    family(store, "two").await;
    store.revoke_family("one", ended::REUSE, at(20)).await.unwrap();
    assert_eq!(store.redeem("two-code", "x", &refresh("x"), at(30)).await.unwrap(), Redeemed::Replayed);
    let reused: Vec<_> = store.sign_ins(&ann(), at(40)).await.unwrap().into_iter().map(|it| it.reused).collect();
    assert!(reused.contains(&Some(at(20))) && reused.contains(&Some(at(30))) && reused.len() == 2, "{reused:?}");
}

pub(super) async fn of_a_client_without_a_row_are_alive(store: &dyn GrantStore) {
    let id = ClientId::from("https://zed.example.org/client.json");
    authorized(store, &Code { client: id.clone(), ..code("code") }).await;
    assert_eq!(store.redeem("code", "one", &refresh("one-0"), at(1)).await.unwrap(), Redeemed::Fresh);
    assert_eq!(store.live("one").await.unwrap().unwrap().client, id);
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(2)).await.unwrap(), Rotated::Fresh);
    let listed = store.sign_ins(&ann(), at(3)).await.unwrap();
    assert_eq!((listed[0].client.clone(), listed[0].registered.clone()), (id, None));
}

// oauth row: 3.5-1
// attack: 82
pub(super) async fn are_revoked_by_person_and_client(house: &House) {
    let store = &*house.grants;
    let bob = person("bob").id;
    store.put_client(&client("other")).await.unwrap();
    let grant = async |name: &str, user: &btp_kernel::UserId, of: &str| {
        let code = Code { user: user.clone(), client: of.into(), ..code(&format!("{name}-code")) };
        authorized(store, &code).await;
        let token = refresh(&format!("{name}-0"));
        assert_eq!(store.redeem(&format!("{name}-code"), name, &token, at(1)).await.unwrap(), Redeemed::Fresh);
    };
    let open = async |name: &str, user: &btp_kernel::UserId, of: &str| {
        authorized(store, &Code { user: user.clone(), client: of.into(), ..code(name) }).await;
        store.park(&Parked { user: user.clone(), client: of.into(), ..parked(name) }).await.unwrap();
    };
    for (name, user, of) in
        [("mine", &ann(), CLIENT), ("again", &ann(), CLIENT), ("other", &ann(), "other"), ("bobs", &bob, CLIENT)]
    {
        grant(name, user, of).await;
        open(&format!("open-{name}"), user, of).await;
    }
    store.touch("mine", at(2)).await.unwrap();

    assert_eq!(store.revoke_grants(&ann(), Some(&CLIENT.into()), ended::USER, at(5)).await.unwrap(), 2);
    assert_eq!(store.revoke_grants(&ann(), Some(&CLIENT.into()), ended::USER, at(6)).await.unwrap(), 0);
    for (name, lives) in [("mine", false), ("again", false), ("other", true), ("bobs", true)] {
        assert_eq!(store.live(name).await.unwrap().is_some(), lives, "{name}");
        assert_eq!(store.code(&format!("open-{name}")).await.unwrap().is_some(), lives, "{name}");
        assert_eq!(store.parked(&format!("open-{name}"), at(6)).await.unwrap().is_some(), lives, "{name}");
        let next = store.rotate(&format!("{name}-0"), &refresh(&format!("{name}-1")), None, at(6)).await.unwrap();
        assert_eq!(next == Rotated::Fresh, lives, "{name}");
    }
    assert_eq!(store.redeem("mine-code", "x", &refresh("x"), at(7)).await.unwrap(), Redeemed::Dead);

    grant("anew", &ann(), CLIENT).await;
    let anew: Vec<_> = store.sign_ins(&ann(), at(8)).await.unwrap();
    assert!(anew.iter().any(|it| it.client.as_str() == CLIENT && it.last_used.is_none()), "begins anew, never used");
    assert_eq!(store.revoke_grants(&ann(), None, ended::EMAIL, at(9)).await.unwrap(), 2);
    assert_eq!(store.sign_ins(&ann(), at(10)).await.unwrap(), []);
    assert!(store.live("bobs").await.unwrap().is_some());
    assert_eq!(store.revoke_grants(&"nobody".into(), None, ended::EMAIL, at(9)).await.unwrap(), 0);
}

/// First grants and rotations against a revocation: whatever order they come in, nothing lives after all is over.
// attack: 26
pub(super) async fn are_gone_after_a_race(house: House) {
    let store = &house.grants;
    for round in 0..RACERS {
        let id = ClientId::from(format!("client{round}").as_str());
        let name = format!("round{round}");
        let mut race = JoinSet::new();
        for racer in 0..4 {
            let code = Code { client: id.clone(), ..code(&format!("{name}-{racer}")) };
            authorized(&**store, &code).await;
            let store: Arc<dyn GrantStore> = store.clone();
            let (family, token) = (format!("{name}-family{racer}"), format!("{name}-token{racer}"));
            race.spawn(async move {
                let redeemed = store.redeem(&code.digest, &family, &refresh(&token), at(2)).await.unwrap();
                if redeemed == Redeemed::Fresh {
                    store.rotate(&token, &refresh(&format!("{token}-next")), None, at(2)).await.unwrap();
                }
            });
        }
        let (revoker, client) = (store.clone(), id.clone());
        race.spawn(async move {
            revoker.revoke_grants(&ann(), Some(&client), ended::USER, at(2)).await.unwrap();
        });
        race.join_all().await;
        assert_eq!(store.sign_ins(&ann(), at(3)).await.unwrap(), [], "{name}");
        for racer in 0..4 {
            assert_eq!(store.live(&format!("{name}-family{racer}")).await.unwrap(), None, "{name} {racer}");
        }
    }
}

/// Answers on their way to becoming codes against a revocation: it finds the one or the other, so that no code is left.
// oauth row: 3.5-1
// attack: 20
pub(super) async fn leave_no_code_behind(house: House) {
    let store = &house.grants;
    for round in 0..RACERS {
        let name = format!("round{round}");
        let mut race = JoinSet::new();
        for racer in 0..4 {
            let code = code(&format!("{name}-{racer}"));
            store.park(&Parked { decision: Some(Decision::Authorize), ..parked(&code.digest) }).await.unwrap();
            let store: Arc<dyn GrantStore> = store.clone();
            race.spawn(async move {
                store.take_decision(&code.digest, &ann(), Some(&code), at(2)).await.unwrap();
            });
        }
        let revoker = store.clone();
        race.spawn(async move {
            match round % 2 {
                0 => _ = revoker.revoke_grants(&ann(), Some(&CLIENT.into()), ended::USER, at(2)).await.unwrap(),
                _ => _ = revoker.disable_client(&CLIENT.into(), at(2)).await.unwrap(),
            }
        });
        race.join_all().await;
        assert!(store.enable_client(&CLIENT.into()).await.unwrap());
        for racer in 0..4 {
            assert_eq!(store.code(&format!("{name}-{racer}")).await.unwrap(), None, "{name} {racer}");
        }
    }
}
