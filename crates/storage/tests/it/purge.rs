//! What has run out goes, what has not stays.

use std::time::Duration;

use btp_accounts::{Locale, store::Purpose};
use btp_domain::{
    Trip,
    store::{Change, TripQuery},
};
use btp_kernel::Timestamp;
use btp_oauth::store::{Client, Code, Document, Parked, Redeemed, Refresh, Rotated};
use btp_storage::Stores;
use btp_testkit::conformance::{ann, authorized, signed_in};

use crate::{
    databases::{Scratch, add_person},
    samples::{self, NOW, session},
};

const HOUR: u64 = 3600;

fn at(hours: u64) -> Timestamp {
    NOW.plus(Duration::from_secs(hours * HOUR))
}

fn code(digest: &str) -> Code {
    Code { expires: at(1), ..samples::code(digest) }
}

fn refresh(digest: &str, hours: u64) -> Refresh {
    Refresh { expires: at(hours), ..samples::refresh(digest) }
}

async fn what_ran_out_goes(stores: &Stores) {
    let (accounts, grants, confirmations) = (stores.accounts(), stores.grants(), stores.confirmations());
    add_person(stores, &ann()).await;
    let sign_up = Purpose::SignUp("eve@example.org".parse().unwrap(), Locale::En);
    accounts.put_link("link", &sign_up, at(1)).await.unwrap();
    for hours in [1, 3] {
        confirmations.put(&format!("confirmation{hours}"), "binding", at(hours)).await.unwrap();
        signed_in(&*accounts, &ann(), &session(&format!("session{hours}"), at(hours))).await;
        let Code { user, client, resource, scopes, redirect_uri, .. } = code("");
        let parked = Parked {
            handle: format!("request{hours}"),
            user,
            client,
            resource,
            scopes,
            redirect_uri,
            query: String::new(),
            decision: None,
            expires: at(hours),
            details: None,
        };
        grants.park(&parked).await.unwrap();
    }
    let clients =
        ["https://unused.example/c", "https://disabled.example/c", code("").client.as_str()].map(|id| Client {
            id: id.into(),
            name: "A client".to_owned(),
            redirect_uris: Vec::new(),
            disabled: false,
            created_at: NOW,
            document: Some(Document { fetched_at: NOW, expires: at(1) }),
        });
    for client in &clients {
        assert!(!grants.put_document(client).await.unwrap().changed);
    }
    assert!(grants.disable_client(&clients[1].id, at(0)).await.unwrap());
    authorized(&*grants, &code("code")).await;
    authorized(&*grants, &code("other")).await;
    assert_eq!(grants.redeem("code", "family", &refresh("first", 1), at(0)).await.unwrap(), Redeemed::Fresh);
    assert_eq!(grants.redeem("other", "ended", &refresh("only", 1), at(0)).await.unwrap(), Redeemed::Fresh);
    assert_eq!(grants.rotate("first", &refresh("second", 30), None, at(0)).await.unwrap(), Rotated::Fresh);

    assert_eq!(stores.purge(at(0)).await.unwrap(), 0);
    // Link, confirmation, session, request and the ended family.
    assert_eq!(stores.purge(at(2)).await.unwrap(), 5);
    assert_eq!(stores.purge(at(2)).await.unwrap(), 0);
    assert!(accounts.session("session3", at(2)).await.unwrap().is_some());
    assert!(grants.parked("request3", at(2)).await.unwrap().is_some());
    assert!(grants.code("code").await.unwrap().is_some(), "spent codes are recognised for a day");
    assert!(
        grants.refresh("first").await.unwrap().unwrap().rotated.is_some(),
        "so are rotated tokens, while their family lasts"
    );
    assert_eq!(grants.refresh("only").await.unwrap(), None);
    assert!(grants.live("family").await.unwrap().is_some());
    assert_eq!(confirmations.take("confirmation3", at(2)).await.unwrap().as_deref(), Some("binding"));

    assert_eq!(stores.purge(at(25)).await.unwrap(), 5, "session, request, both codes, a document nobody used");
    assert_eq!(stores.purge(at(30)).await.unwrap(), 2, "the family with its last token, and then its client");
    let left: Vec<_> = grants.clients().await.unwrap().into_iter().map(|client| client.id).collect();
    assert_eq!(left, [clients[1].id.clone()], "the operator's word is kept");
    assert_eq!(grants.refresh("first").await.unwrap(), None);
    let all = TripQuery { page: 1, per_page: 30, title: None, start: None, end: None };
    assert_eq!(stores.trips().list(&ann(), &all).await.unwrap().total, 0);
    assert_eq!(accounts.users().await.unwrap().len(), 1);
}

/// Former days can be taken back for 30 days.
async fn former_days_are_kept_for_thirty_days(stores: &Stores) {
    add_person(stores, &ann()).await;
    let trips = stores.trips();
    trips.create(samples::new("t1", "key", 0)).await.unwrap();
    let former = vec![samples::stage("d1")];
    let change = |read: u64, hours| Change {
        trip: Trip { version: read + 1, updated_at: at(hours), ..samples::trip("t1") },
        read,
        line: None,
        former: Some(former.clone()),
        jobs: Vec::new(),
        finishes: None,
    };
    trips.commit(change(1, 0)).await.unwrap();
    trips.commit(change(2, 1)).await.unwrap();
    let kept = async |version| trips.former_days(&ann(), &"t1".into(), version).await.unwrap();
    stores.purge(at(30 * 24)).await.unwrap();
    assert_eq!(kept(1).await.as_ref(), Some(&former));
    assert_eq!(stores.purge(at(30 * 24 + 1)).await.unwrap(), 1);
    assert_eq!((kept(1).await, kept(2).await), (None, Some(former.clone())));
}

#[tokio::test]
async fn former_days_on_both() {
    former_days_are_kept_for_thirty_days(&Scratch::sqlite().migrated().await).await;
    let scratch = Scratch::postgres().await;
    former_days_are_kept_for_thirty_days(&scratch.migrated().await).await;
}

#[tokio::test]
async fn on_sqlite() {
    what_ran_out_goes(&Scratch::sqlite().migrated().await).await;
}

#[tokio::test]
async fn on_postgres() {
    let scratch = Scratch::postgres().await;
    what_ran_out_goes(&scratch.migrated().await).await;
}
