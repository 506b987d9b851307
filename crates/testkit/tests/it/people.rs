//! The memory stores of people and grants.

use std::sync::Arc;

use btp_testkit::{
    conformance,
    memory::{MemoryAccounts, MemoryGrants},
};

#[tokio::test(flavor = "multi_thread")]
async fn accounts_conform() {
    conformance::accounts(async || Arc::new(MemoryAccounts::default()) as _).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_conform() {
    conformance::grants(async || {
        let people = Arc::<MemoryAccounts>::default();
        let grants = Arc::new(MemoryGrants::new(people.clone()));
        (people as _, grants as _)
    })
    .await;
}
