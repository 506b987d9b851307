//! What every `ConfirmationStore` must do.

use super::trips::{Stores, sample::at};

/// Proves the store of confirmations; `fresh` gives new, empty stores each time it is called.
///
/// # Panics
/// When the store does not do what the port says.
pub async fn confirmations(fresh: impl AsyncFn() -> Stores) {
    a_confirmation_is_taken_once(&fresh().await).await;
    one_of_twenty_takers_gets_it(&fresh().await).await;
    it_runs_out(&fresh().await).await;
}

async fn a_confirmation_is_taken_once(stores: &Stores) {
    let store = &stores.confirmations;
    store.put("token", "binding", at(300)).await.unwrap();
    store.put("other", "another", at(300)).await.unwrap();
    assert_eq!(store.take("unknown", at(1)).await.unwrap(), None);
    assert_eq!(store.take("TOKEN", at(1)).await.unwrap(), None, "tokens are compared as they are");
    assert_eq!(store.take("token", at(1)).await.unwrap().as_deref(), Some("binding"));
    assert_eq!(store.take("token", at(1)).await.unwrap(), None);
    assert_eq!(store.take("other", at(1)).await.unwrap().as_deref(), Some("another"));
}

async fn one_of_twenty_takers_gets_it(stores: &Stores) {
    stores.confirmations.put("token", "binding", at(300)).await.unwrap();
    let takers = (0..20).map(|_| {
        let store = stores.confirmations.clone();
        tokio::spawn(async move { store.take("token", at(1)).await.unwrap() })
    });
    let mut taken = 0;
    for taker in takers.collect::<Vec<_>>() {
        taken += usize::from(taker.await.unwrap().is_some());
    }
    assert_eq!(taken, 1);
}

async fn it_runs_out(stores: &Stores) {
    let store = &stores.confirmations;
    store.put("late", "binding", at(300)).await.unwrap();
    store.put("in time", "binding", at(300)).await.unwrap();
    assert_eq!(store.take("late", at(300)).await.unwrap(), None, "it lasts until, not through, its end");
    assert_eq!(store.take("late", at(0)).await.unwrap(), None, "a late attempt spends it");
    assert!(store.take("in time", at(299)).await.unwrap().is_some());
}
