//! What the ports do not show: that everything goes with its owner, and that a change of the days spares what was added to them.

use btp_accounts::store::Purpose;
use btp_domain::{
    Line, Point, Trip,
    store::{Change, StoreError},
};
use btp_kernel::UserId;
use btp_oauth::store::{Parked, Redeemed};
use btp_storage::Stores;
use btp_testkit::conformance::{ann, authorized, bob, signed_in};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

use crate::{
    databases::{Scratch, add_person},
    samples::{HOLD, NOW, code, new, refresh, session, stage, trip},
};

async fn both() -> [Scratch; 2] {
    [Scratch::sqlite(), Scratch::postgres().await]
}

async fn count(db: &DatabaseConnection, from: &str) -> i64 {
    let query = Statement::from_string(db.get_database_backend(), format!("SELECT count(*) AS n FROM {from}"));
    db.query_one_raw(query).await.unwrap().unwrap().try_get("", "n").unwrap()
}

async fn tables(db: &DatabaseConnection) -> Vec<String> {
    let query = match db.get_database_backend() {
        DbBackend::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        _ => "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), query)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "name").unwrap()).filter(|name| name != "seaql_migrations").collect()
}

/// Ann's trip `t1` of two days with a row in every table below it.
async fn a_full_trip(stores: &Stores, db: &DatabaseConnection) -> Trip {
    stores.trips().create(new("t1", "key", 1)).await.unwrap();
    let planned = Trip { version: 2, stages: vec![stage("d1"), stage("d2")], ..trip("t1") };
    let line = Line { tracks: vec![vec![Point { lat: 47.1, lon: 9.5, ele: None }]] };
    let change =
        Change { trip: planned.clone(), read: 1, line: Some(line), former: None, jobs: Vec::new(), finishes: None };
    stores.trips().commit(change).await.unwrap();
    for insert in [
        "INSERT INTO share_links (code, trip_id, created_at) VALUES ('code', 't1', 0)",
        "INSERT INTO trip_splits (trip_id, version, split, created_at) VALUES ('t1', 1, '[]', 0)",
        "INSERT INTO stage_alert_groups (trip_id, stage_id, alert_group, alerts, version) VALUES ('t1', 'd1', 'ferry', '[]', 2)",
        "INSERT INTO stage_alert_groups (trip_id, stage_id, alert_group, alerts, version) VALUES ('t1', 'd2', 'ferry', '[]', 2)",
        "UPDATE stages SET accommodation = '{}' WHERE id = 'd1'",
    ] {
        db.execute_unprepared(insert).await.unwrap();
    }
    planned
}

#[tokio::test]
async fn nobody_is_given_a_trip_once_they_are_gone() {
    for scratch in both().await {
        let stores = scratch.migrated().await;
        let made = stores.trips().create(new("t1", "key", 1)).await;
        assert!(matches!(made, Err(StoreError::Gone)), "{made:?}");
        let db = scratch.raw().await;
        for table in tables(&db).await {
            assert_eq!(count(&db, &table).await, 0, "{table}");
        }
    }
}

#[tokio::test]
async fn everything_of_a_person_goes_with_them() {
    for scratch in both().await {
        let stores = scratch.migrated().await;
        let db = scratch.raw().await;
        let (accounts, grants) = (stores.accounts(), stores.grants());
        add_person(&stores, &ann()).await;
        a_full_trip(&stores, &db).await;
        signed_in(&*accounts, &ann(), &session("session", NOW.plus(HOLD))).await;
        let change = Purpose::ChangeEmail(ann(), "anna@example.org".parse().unwrap());
        accounts.put_link("link", &change, NOW).await.unwrap();
        let code = code("code");
        let parked = Parked {
            handle: "handle".to_owned(),
            user: ann(),
            client: code.client.clone(),
            resource: code.resource.clone(),
            scopes: code.scopes.clone(),
            redirect_uri: code.redirect_uri.clone(),
            query: String::new(),
            decision: None,
            expires: NOW.plus(HOLD),
            details: None,
        };
        grants.park(&parked).await.unwrap();
        authorized(&*grants, &code).await;
        assert_eq!(grants.redeem("code", "family", &refresh("token"), NOW).await.unwrap(), Redeemed::Fresh);

        let of_nobody = ["confirmations", "oauth_clients"];
        let owned: Vec<_> =
            tables(&db).await.into_iter().filter(|table| !of_nobody.contains(&table.as_str())).collect();
        for table in &owned {
            assert!(count(&db, table).await > 0, "the test has no row in {table}");
        }
        assert!(accounts.delete_user(&ann()).await.unwrap());
        for table in &owned {
            assert_eq!(count(&db, table).await, 0, "rows are left in {table}");
        }
    }
}

#[tokio::test]
async fn a_day_that_stays_keeps_what_was_added_to_it() {
    for scratch in both().await {
        let stores = scratch.migrated().await;
        let db = scratch.raw().await;
        add_person(&stores, &ann()).await;
        let planned = a_full_trip(&stores, &db).await;
        let shorter = Trip { version: 3, stages: planned.stages[..1].to_vec(), ..planned };
        let change = Change { trip: shorter, read: 2, line: None, former: None, jobs: Vec::new(), finishes: None };
        stores.trips().commit(change).await.unwrap();
        assert_eq!(count(&db, "stages WHERE id = 'd1' AND accommodation = '{}'").await, 1);
        assert_eq!(count(&db, "stage_alert_groups WHERE stage_id = 'd1'").await, 1);
        assert_eq!(count(&db, "stage_alert_groups").await, 1, "those of the day that went are gone");
    }
}

#[tokio::test]
async fn days_of_before_there_were_legs_are_one_stretch_of_the_line() {
    for scratch in both().await {
        let stores = scratch.migrated().await;
        let db = scratch.raw().await;
        add_person(&stores, &ann()).await;
        let planned = a_full_trip(&stores, &db).await;
        let write = async |columns: &str| {
            let written = format!("UPDATE stages SET {columns}; UPDATE trips SET revision = revision + 1");
            db.execute_unprepared(&written).await.unwrap();
        };
        write("legs = NULL").await;
        assert_eq!(stores.trips().find(&ann(), &planned.id).await.unwrap().unwrap().stages, planned.stages);
        write("is_rest_day = true WHERE id = 'd2'").await;
        let found = stores.trips().find(&ann(), &planned.id).await.unwrap().unwrap();
        assert_eq!(found.stages[1].legs, []);
        write("legs = '1'").await;
        assert!(stores.trips().find(&ann(), &planned.id).await.is_err(), "what cannot be read is no line");
    }
}

#[tokio::test]
async fn a_link_is_active_until_revoked() {
    for scratch in both().await {
        let stores = scratch.migrated().await;
        let db = scratch.raw().await;
        add_person(&stores, &ann()).await;
        let id = a_full_trip(&stores, &db).await.id;
        let active = async |owner: UserId| stores.trips().link(&owner, &id).await.unwrap().is_some();
        assert!(active(ann()).await);
        assert!(!active(bob()).await, "not the owner's");
        let second = "INSERT INTO share_links (code, trip_id, created_at) VALUES ('second', 't1', 0)";
        assert!(db.execute_unprepared(second).await.is_err(), "one at a time");
        db.execute_unprepared("UPDATE share_links SET revoked_at = 1").await.unwrap();
        assert!(!active(ann()).await);
        db.execute_unprepared(second).await.unwrap();
        assert!(active(ann()).await);
    }
}

#[tokio::test]
async fn kept_days_are_those_that_another_process_wrote() {
    for scratch in both().await {
        let (here, there) = (scratch.migrated().await, scratch.connect().await);
        let db = scratch.raw().await;
        add_person(&here, &ann()).await;
        let planned = a_full_trip(&here, &db).await;
        for _ in 0..2 {
            assert_eq!(here.trips().find(&ann(), &planned.id).await.unwrap().unwrap().stages, planned.stages);
        }
        // The version stays, as it does when a computation ends.
        let shorter = Trip { stages: planned.stages[..1].to_vec(), ..planned };
        let (id, read) = (shorter.id.clone(), shorter.version);
        let change = Change { trip: shorter.clone(), read, line: None, former: None, jobs: Vec::new(), finishes: None };
        there.trips().commit(change).await.unwrap();
        for stores in [&here, &there] {
            assert_eq!(stores.trips().find(&ann(), &id).await.unwrap().unwrap().stages, shorter.stages);
        }
    }
}
