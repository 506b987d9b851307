//! Trips, jobs and confirmations.

use btp_testkit::conformance::{self, Stores};

#[tokio::test]
async fn trips() {
    conformance::trips(async || Stores::memory()).await;
}

#[tokio::test]
async fn jobs() {
    conformance::jobs(async || Stores::memory()).await;
}

#[tokio::test]
async fn confirmations() {
    conformance::confirmations(async || Stores::memory()).await;
}
