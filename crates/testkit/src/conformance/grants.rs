//! The suite of `GrantStore`.

mod address;
mod applications;
mod keeping;

use std::sync::Arc;

use btp_accounts::store::AccountStore;
use btp_kernel::{ClientId, Scopes, Timestamp, UserId};
use btp_oauth::store::{
    Client, Code, Decision, Document, Documented, GrantStore, Live, Parked, Redeemed, Refresh, Rotated,
};
use tokio::task::JoinSet;

use super::accounts::{NOW, RACERS, at, person};

const CLIENT: &str = "agent";
const RESOURCE: &str = "https://trips.example.org/mcp";

/// Every rule of [`GrantStore`]; `fresh` gives both stores over one empty database, for a grant belongs to a person.
///
/// Run it on a multi-threaded runtime, so that the races are real.
#[expect(clippy::future_not_send, reason = "a test awaits it in place, and `AsyncFn` cannot promise more")]
pub async fn grants(fresh: impl AsyncFn() -> (Arc<dyn AccountStore>, Arc<dyn GrantStore>)) {
    let new = async || House::build(fresh().await).await;
    clients(&*new().await.grants).await;
    documents(&new().await).await;
    parking(&*new().await.grants).await;
    answering(&*new().await.grants).await;
    codes(&*new().await.grants).await;
    replay(&*new().await.grants).await;
    rotation(&*new().await.grants).await;
    revocation(&*new().await.grants).await;
    narrower_scopes_stay_with_their_code(&*new().await.grants).await;
    keeping::ends_with_the_next_rotation(&*new().await.grants).await;
    applications::are_listed_while_a_token_lives(&*new().await.grants).await;
    applications::show_what_was_used_twice(&*new().await.grants).await;
    applications::of_a_client_without_a_row_are_alive(&*new().await.grants).await;
    applications::are_revoked_by_person_and_client(&new().await).await;
    applications::are_gone_after_a_race(new().await).await;
    applications::leave_no_code_behind(new().await).await;
    a_disabled_client_loses_everything(&*new().await.grants).await;
    a_deleted_person_leaves_nothing(&new().await).await;
    address::ends_access(&new().await).await;
    address::wins_every_race(new().await).await;
    one_answer(new().await).await;
    one_redeemer(new().await).await;
    one_successor(new().await).await;
    nothing_survives_a_revocation(new().await).await;
}

/// The stores with ann, bob and one client.
struct House {
    people: Arc<dyn AccountStore>,
    grants: Arc<dyn GrantStore>,
}

impl House {
    async fn build((people, grants): (Arc<dyn AccountStore>, Arc<dyn GrantStore>)) -> Self {
        people.add_user(&person("ann")).await.unwrap();
        people.add_user(&person("bob")).await.unwrap();
        grants.put_client(&client(CLIENT)).await.unwrap();
        Self { people, grants }
    }
}

fn ann() -> UserId {
    person("ann").id
}

fn client(id: &str) -> Client {
    Client {
        id: id.into(),
        name: "An agent".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned(), "https://agent.example.org/cb?a=1".to_owned()],
        disabled: false,
        created_at: NOW,
        document: None,
    }
}

fn parked(handle: &str) -> Parked {
    Parked {
        handle: handle.to_owned(),
        user: ann(),
        client: CLIENT.into(),
        resource: RESOURCE.to_owned(),
        scopes: Scopes::parse("trips:read trips:write"),
        redirect_uri: "http://127.0.0.1:4711/callback".to_owned(),
        query: "client_id=agent&state=a%26b".to_owned(),
        decision: None,
        expires: at(600),
        details: Some(r#"{"note":"kept as it is"}"#.to_owned()),
    }
}

fn code(digest: &str) -> Code {
    Code {
        digest: digest.to_owned(),
        user: ann(),
        client: CLIENT.into(),
        resource: RESOURCE.to_owned(),
        scopes: Scopes::parse("trips:read trips:write"),
        redirect_uri: "http://127.0.0.1:4711/callback".to_owned(),
        challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM".to_owned(),
        expires: at(120),
        used: false,
        details: None,
    }
}

fn refresh(digest: &str) -> Refresh {
    Refresh { digest: digest.to_owned(), expires: at(3600) }
}

fn live() -> Live {
    Live {
        user: ann(),
        client: CLIENT.into(),
        resource: RESOURCE.to_owned(),
        scopes: Scopes::parse("trips:read trips:write"),
    }
}

/// Stores a code as its person does: by authorizing a request for it.
pub async fn authorized(store: &dyn GrantStore, code: &Code) {
    let request = Parked {
        handle: format!("request for {}", code.digest),
        user: code.user.clone(),
        client: code.client.clone(),
        resource: code.resource.clone(),
        scopes: code.scopes.clone(),
        redirect_uri: code.redirect_uri.clone(),
        query: String::new(),
        decision: Some(Decision::Authorize),
        expires: code.expires,
        details: code.details.clone(),
    };
    store.park(&request).await.unwrap();
    let decision =
        store.take_decision(&request.handle, &code.user, Some(code), Timestamp::from_seconds(0)).await.unwrap();
    assert_eq!(decision, Some(Decision::Authorize));
}

/// A family `name` with the refresh token `name-0`.
async fn family(store: &dyn GrantStore, name: &str) {
    authorized(store, &code(&format!("{name}-code"))).await;
    let first = refresh(&format!("{name}-0"));
    assert_eq!(store.redeem(&format!("{name}-code"), name, &first, at(1)).await.unwrap(), Redeemed::Fresh);
}

async fn clients(store: &dyn GrantStore) {
    let mut zed = client("https://zed.example.org/client.json");
    store.put_client(&zed).await.unwrap();
    assert_eq!(store.clients().await.unwrap(), [client(CLIENT), zed.clone()], "by id");
    zed.name = "Another name".to_owned();
    zed.redirect_uris.pop();
    store.put_client(&zed).await.unwrap();
    assert_eq!(store.client(&zed.id).await.unwrap(), Some(zed), "replaced");
    assert_eq!(store.client(&ClientId::from("AGENT")).await.unwrap(), None, "ids are compared byte for byte");
}

async fn documents(house: &House) {
    let store = &*house.grants;
    let id = ClientId::from("https://zed.example.org/client.json");
    let document = |at_seconds| Some(Document { fetched_at: at(at_seconds), expires: at(at_seconds + 300) });
    let first = Client { document: document(0), ..client(id.as_str()) };
    let stored = async |client: &Client| store.put_document(client).await.unwrap();
    let unsettled = async |name: &str| {
        store.park(&Parked { client: id.clone(), ..parked(name) }).await.unwrap();
        authorized(store, &Code { client: id.clone(), ..code(name) }).await;
    };
    let waiting = async |name: &str| {
        (store.parked(name, at(1)).await.unwrap().is_some(), store.code(name).await.unwrap().is_some())
    };
    store.withdraw_document(&id, at(0)).await.unwrap();
    assert_eq!(store.client(&id).await.unwrap(), None, "nothing to withdraw");
    assert_eq!(stored(&first).await, Documented { client: first.clone(), changed: false });
    assert_eq!(store.client(&id).await.unwrap(), Some(first.clone()));
    authorized(store, &Code { client: id.clone(), ..code("used") }).await;
    assert_eq!(store.redeem("used", "family", &refresh("r"), at(1)).await.unwrap(), Redeemed::Fresh);
    unsettled("one").await;

    let again = Client { document: document(600), created_at: at(600), ..first.clone() };
    let kept = Client { created_at: NOW, ..again.clone() };
    assert_eq!(stored(&again).await, Documented { client: kept.clone(), changed: false }, "since when it is known");
    assert_eq!(store.client(&id).await.unwrap(), Some(kept.clone()));
    assert_eq!(waiting("one").await, (true, true), "the same document leaves all as it is");
    let renamed = Client { name: "Another".to_owned(), ..kept.clone() };
    let moved = Client { redirect_uris: vec!["https://zed.example.org/cb".to_owned()], ..kept.clone() };
    for (name, other) in [("two", renamed), ("three", moved.clone())] {
        unsettled(name).await;
        store.park(&parked("other")).await.unwrap();
        assert_eq!(stored(&other).await, Documented { client: other.clone(), changed: true });
        assert_eq!(waiting(name).await, (false, false), "nobody was asked about this");
        assert!(store.parked("other", at(1)).await.unwrap().is_some(), "another client's");
    }
    assert!(store.live("family").await.unwrap().is_some(), "what was granted stays");
    assert!(store.code("used").await.unwrap().is_some(), "a used code gives a replay away");

    unsettled("one").await;
    store.withdraw_document(&id, at(700)).await.unwrap();
    let gone = store.client(&id).await.unwrap().unwrap();
    assert_eq!(gone.document, Some(Document { fetched_at: at(600), expires: at(700) }));
    assert_eq!(waiting("one").await, (false, false));
    assert!(store.live("family").await.unwrap().is_some());

    assert!(store.disable_client(&id, at(800)).await.unwrap());
    let back = stored(&first).await;
    assert!(back.client.disabled && !back.changed && store.client(&id).await.unwrap().unwrap().disabled);
    let operators = client(id.as_str());
    store.put_client(&operators).await.unwrap();
    let still = Client { disabled: true, ..operators.clone() };
    assert_eq!(store.client(&id).await.unwrap(), Some(still), "brought up to date, and disabled still");
    assert!(store.enable_client(&id).await.unwrap());
    assert_eq!(stored(&moved).await, Documented { client: operators.clone(), changed: false }, "the operator's word");
    store.withdraw_document(&id, at(900)).await.unwrap();
    assert_eq!(store.client(&id).await.unwrap(), Some(operators));
}

async fn parking(store: &dyn GrantStore) {
    assert_eq!(store.parked("one", NOW).await.unwrap(), None);
    store.park(&parked("one")).await.unwrap();
    assert_eq!(store.parked("one", at(599)).await.unwrap(), Some(parked("one")));
    assert_eq!(store.parked("one", at(600)).await.unwrap(), None, "forgotten when it expires");
    let later = Parked { expires: at(900), ..parked("one") };
    store.park(&later).await.unwrap();
    assert_eq!(store.parked("one", at(600)).await.unwrap(), Some(later), "parked anew");
}

async fn answering(store: &dyn GrantStore) {
    let bob = person("bob").id;
    let take = async |handle: &str, user: &UserId, seconds| {
        let issued = Code { user: user.clone(), ..code(handle) };
        let decision = store.take_decision(handle, user, Some(&issued), at(seconds)).await.unwrap();
        assert_eq!(
            store.code(handle).await.unwrap().is_some(),
            decision == Some(Decision::Authorize),
            "a code is what becomes of a request that is authorized, and of no other"
        );
        decision
    };
    store.park(&parked("one")).await.unwrap();
    assert_eq!(take("one", &ann(), 1).await, None, "not answered yet");
    assert!(!store.decide("one", &bob, Decision::Authorize, at(1)).await.unwrap(), "someone else's");
    assert!(!store.decide("two", &ann(), Decision::Authorize, at(1)).await.unwrap(), "unknown");
    assert!(!store.decide("one", &ann(), Decision::Authorize, at(600)).await.unwrap(), "too late");
    assert!(store.decide("one", &ann(), Decision::Refuse, at(1)).await.unwrap());
    assert!(!store.decide("one", &ann(), Decision::Authorize, at(2)).await.unwrap(), "answered once");
    assert_eq!(store.parked("one", at(2)).await.unwrap().unwrap().decision, Some(Decision::Refuse));
    assert_eq!(take("one", &bob, 3).await, None, "someone else's");
    assert_eq!(take("one", &ann(), 600).await, None, "expired");
    assert_eq!(take("one", &ann(), 3).await, Some(Decision::Refuse));
    store.park(&parked("two")).await.unwrap();
    assert!(store.decide("two", &ann(), Decision::Authorize, at(1)).await.unwrap());
    assert_eq!(take("two", &ann(), 2).await, Some(Decision::Authorize));
    let second = store.take_decision("two", &ann(), Some(&code("second")), at(2)).await.unwrap();
    assert_eq!((second, store.code("second").await.unwrap()), (None, None), "taken once");
    assert_eq!(store.parked("two", at(2)).await.unwrap(), None);
    store.park(&parked("three")).await.unwrap();
    assert!(store.decide("three", &ann(), Decision::Authorize, at(1)).await.unwrap());
    store.park(&parked("three")).await.unwrap();
    assert_eq!(take("three", &ann(), 2).await, None, "parking anew asks anew");
    assert!(store.decide("three", &ann(), Decision::Authorize, at(2)).await.unwrap());
    assert_eq!(store.take_decision("three", &ann(), None, at(3)).await.unwrap(), Some(Decision::Authorize));
    assert_eq!(store.code("three").await.unwrap(), None, "for a request that turned out illegal");
    assert!(store.disable_client(&CLIENT.into(), at(4)).await.unwrap());
    store.park(&Parked { decision: Some(Decision::Authorize), ..parked("four") }).await.unwrap();
    assert_eq!(take("four", &ann(), 5).await, None, "its client is dead");
}

async fn codes(store: &dyn GrantStore) {
    let with_details = Code { details: Some("{}".to_owned()), ..code("one") };
    authorized(store, &with_details).await;
    authorized(store, &code("late")).await;
    assert_eq!(store.code("one").await.unwrap(), Some(with_details.clone()));
    assert_eq!(store.code("one").await.unwrap(), Some(with_details), "looking spends nothing");
    assert_eq!(store.code("two").await.unwrap(), None);
    assert_eq!(store.live("family").await.unwrap(), None);
    assert_eq!(store.redeem("two", "family", &refresh("r"), at(1)).await.unwrap(), Redeemed::Dead);
    assert_eq!(store.redeem("late", "family", &refresh("r"), at(120)).await.unwrap(), Redeemed::Dead, "expired");
    assert_eq!(store.redeem("one", "family", &refresh("r"), at(119)).await.unwrap(), Redeemed::Fresh);
    assert!(store.code("one").await.unwrap().unwrap().used);
    assert_eq!(store.live("family").await.unwrap(), Some(live()));
    store.touch("family", at(120)).await.unwrap();
    store.touch("family", at(121)).await.unwrap();
    store.touch("unknown", at(121)).await.unwrap();
    assert_eq!(store.live("family").await.unwrap(), Some(live()));
}

async fn replay(store: &dyn GrantStore) {
    family(store, "one").await;
    family(store, "two").await;
    let replayed = store.redeem("one-code", "three", &refresh("three-0"), at(200)).await.unwrap();
    assert_eq!(replayed, Redeemed::Replayed, "also after the code has expired");
    assert_eq!(store.live("one").await.unwrap(), None, "the first family dies");
    assert_eq!(store.live("three").await.unwrap(), None, "and no other is born");
    assert_eq!(store.refresh("three-0").await.unwrap(), None);
    assert_eq!(store.live("two").await.unwrap(), Some(live()), "the person's other sign-in of the client lives on");
}

async fn rotation(store: &dyn GrantStore) {
    family(store, "one").await;
    let first = store.refresh("one-0").await.unwrap().unwrap();
    assert_eq!((&first.user, first.client.as_str(), first.resource.as_str()), (&ann(), CLIENT, RESOURCE));
    assert_eq!((first.family.as_str(), first.expires, &first.scopes), ("one", at(3600), &live().scopes));
    assert!(first.alive && first.rotated.is_none());
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(3600)).await.unwrap(), Rotated::Dead, "expired");
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(3599)).await.unwrap(), Rotated::Fresh);
    assert_eq!(store.rotate("one-0", &refresh("one-2"), None, at(60)).await.unwrap(), Rotated::Already);
    assert_eq!(store.refresh("one-2").await.unwrap(), None, "the loser stored nothing");
    assert!(store.refresh("one-0").await.unwrap().unwrap().rotated.is_some(), "the rotated one is still known");
    let second = store.refresh("one-1").await.unwrap().unwrap();
    assert!(second.alive && second.rotated.is_none() && second.family == "one");
    assert_eq!(store.rotate("unknown", &refresh("x"), None, at(60)).await.unwrap(), Rotated::Dead);
    assert_eq!(store.refresh("unknown").await.unwrap(), None);
}

async fn revocation(store: &dyn GrantStore) {
    family(store, "one").await;
    family(store, "two").await;
    store.revoke_family("one", "reuse", at(2)).await.unwrap();
    store.revoke_family("one", "user", at(3)).await.unwrap();
    store.revoke_family("unknown", "reuse", at(2)).await.unwrap();
    assert_eq!(store.live("one").await.unwrap(), None);
    assert!(!store.refresh("one-0").await.unwrap().unwrap().alive);
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(4)).await.unwrap(), Rotated::Dead);
    assert_eq!(store.live("two").await.unwrap(), Some(live()));
}

async fn narrower_scopes_stay_with_their_code(store: &dyn GrantStore) {
    family(store, "both").await;
    let narrow = Scopes::parse("trips:read");
    authorized(store, &Code { scopes: narrow.clone(), ..code("narrow-code") }).await;
    assert_eq!(store.redeem("narrow-code", "narrow", &refresh("n"), at(1)).await.unwrap(), Redeemed::Fresh);
    assert_eq!(store.live("narrow").await.unwrap().unwrap().scopes, narrow);
    assert_eq!(store.live("both").await.unwrap(), Some(live()));
}

async fn a_disabled_client_loses_everything(store: &dyn GrantStore) {
    store.put_client(&client("other")).await.unwrap();
    authorized(store, &Code { client: "other".into(), ..code("other-code") }).await;
    assert_eq!(store.redeem("other-code", "other", &refresh("other-0"), at(1)).await.unwrap(), Redeemed::Fresh);
    family(store, "one").await;
    authorized(store, &code("open")).await;
    store.park(&parked("handle")).await.unwrap();

    assert!(!store.disable_client(&"nobody".into(), at(2)).await.unwrap());
    assert!(store.disable_client(&CLIENT.into(), at(2)).await.unwrap());
    assert!(store.client(&CLIENT.into()).await.unwrap().unwrap().disabled);
    assert_eq!(store.live("one").await.unwrap(), None);
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(3)).await.unwrap(), Rotated::Dead);
    assert_eq!(store.redeem("open", "late", &refresh("late-0"), at(3)).await.unwrap(), Redeemed::Dead);
    assert_eq!(store.parked("handle", at(3)).await.unwrap(), None);
    assert!(store.live("other").await.unwrap().is_some(), "another client is not touched");

    assert!(!store.enable_client(&"nobody".into()).await.unwrap());
    for _ in 0..2 {
        assert!(store.enable_client(&CLIENT.into()).await.unwrap());
    }
    assert_eq!(store.client(&CLIENT.into()).await.unwrap(), Some(client(CLIENT)));
    assert_eq!(store.live("one").await.unwrap(), None, "what was revoked stays so");
    assert_eq!(store.redeem("open", "late", &refresh("late-0"), at(3)).await.unwrap(), Redeemed::Dead);
    family(store, "new").await;
    assert_eq!(store.live("new").await.unwrap(), Some(live()), "but the person may authorize it again");
}

async fn a_deleted_person_leaves_nothing(house: &House) {
    let store = &*house.grants;
    family(store, "one").await;
    authorized(store, &code("open")).await;
    assert!(house.people.delete_user(&ann()).await.unwrap());
    assert_eq!(store.live("one").await.unwrap(), None);
    assert_eq!(store.redeem("open", "late", &refresh("late-0"), at(3)).await.unwrap(), Redeemed::Dead);
    assert_eq!(store.rotate("one-0", &refresh("one-1"), None, at(3)).await.unwrap(), Rotated::Dead);
    assert!(store.refresh("one-0").await.unwrap().is_none_or(|view| !view.alive));
}

async fn one_answer(house: House) {
    house.grants.park(&parked("handle")).await.unwrap();
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let store = house.grants.clone();
        let decision = if racer % 2 == 0 { Decision::Authorize } else { Decision::Refuse };
        race.spawn(async move { store.decide("handle", &ann(), decision, at(1)).await.unwrap() });
    }
    assert_eq!(race.join_all().await.into_iter().filter(|recorded| *recorded).count(), 1);
    let mut race = JoinSet::new();
    for _ in 0..RACERS {
        let store = house.grants.clone();
        race.spawn(async move { store.take_decision("handle", &ann(), None, at(1)).await.unwrap() });
    }
    assert_eq!(race.join_all().await.into_iter().flatten().count(), 1);
}

async fn one_redeemer(house: House) {
    authorized(&*house.grants, &code("code")).await;
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let store = house.grants.clone();
        race.spawn(async move {
            let (family, token) = (format!("family-{racer}"), refresh(&format!("refresh-{racer}")));
            (store.redeem("code", &family, &token, at(1)).await.unwrap(), family)
        });
    }
    let outcomes = race.join_all().await;
    let winners: Vec<_> = outcomes.iter().filter(|(outcome, _)| *outcome == Redeemed::Fresh).collect();
    assert_eq!(winners.len(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|(outcome, _)| *outcome != Redeemed::Dead));
    for (_, family) in &outcomes {
        assert_eq!(house.grants.live(family).await.unwrap(), None, "the replays revoked the winner's family too");
    }
}

async fn one_successor(house: House) {
    family(&*house.grants, "one").await;
    let mut race = JoinSet::new();
    for racer in 0..RACERS {
        let store = house.grants.clone();
        race.spawn(async move {
            let successor = refresh(&format!("successor-{racer}"));
            (store.rotate("one-0", &successor, None, at(2)).await.unwrap(), successor.digest)
        });
    }
    let outcomes = race.join_all().await;
    assert_eq!(outcomes.iter().filter(|(outcome, _)| *outcome == Rotated::Fresh).count(), 1, "{outcomes:?}");
    for (outcome, digest) in outcomes {
        assert_ne!(outcome, Rotated::Dead);
        assert_eq!(house.grants.refresh(&digest).await.unwrap().is_some(), outcome == Rotated::Fresh);
    }
}

async fn nothing_survives_a_revocation(house: House) {
    let store = &house.grants;
    for round in 0..RACERS {
        let name = format!("round{round}");
        family(&**store, &name).await;
        let (rotator, revoker) = (store.clone(), store.clone());
        let (token, next, victim) = (format!("{name}-0"), refresh(&format!("{name}-1")), name.clone());
        let rotation = tokio::spawn(async move { rotator.rotate(&token, &next, None, at(2)).await.unwrap() });
        let revocation = tokio::spawn(async move { revoker.revoke_family(&victim, "user", at(2)).await.unwrap() });
        let outcome = rotation.await.unwrap();
        revocation.await.unwrap();
        assert_ne!(outcome, Rotated::Already);
        assert_eq!(store.live(&name).await.unwrap(), None);
        let successor = store.refresh(&format!("{name}-1")).await.unwrap();
        assert!(successor.is_none_or(|view| !view.alive), "a successor stored before the revocation is dead with it");
    }
}
