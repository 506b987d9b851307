//! An installation with a route source, and trips in it.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use btp_server::agent::Session;
use serde_json::json;

use crate::{server, source};

/// An installation without limits that fetches from `source`.
pub(crate) fn installation(source: &source::Source, more: &[(&str, &str)]) -> server::Installation {
    let env = [&[("KOMOOT_URL", source.base.as_str()), ("LOG", "warn")], more].concat();
    let mut installation = server::Installation::new(&env);
    installation.raise_limits();
    installation
}

/// A new trip of ten days.
pub(crate) async fn ten_days(session: &Session) -> String {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let key = format!("trip-of-ten-days-{}", MADE.fetch_add(1, Ordering::Relaxed));
    let dates = json!({"sourceUrl": "https://www.komoot.com/tour/2020000", "startDate": "2099-05-01",
        "endDate": "2099-05-10", "idempotencyKey": key});
    let created = session.call("create_trip", dates).await.unwrap();
    let id = created["id"].as_str().unwrap();
    let trip = server::settled(session, id, Duration::from_secs(20)).await;
    assert_eq!(trip["stageCount"], 10);
    id.to_owned()
}
