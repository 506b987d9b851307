//! Pending confirmations in memory.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use btp_domain::store::{ConfirmationStore, StoreError};
use btp_kernel::Timestamp;

/// Confirmations by token.
#[derive(Default)]
pub struct MemoryConfirmations(Mutex<HashMap<String, (String, Timestamp)>>);

#[async_trait]
impl ConfirmationStore for MemoryConfirmations {
    async fn put(&self, token: &str, binding: &str, expires: Timestamp) -> Result<(), StoreError> {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pending.insert(token.to_owned(), (binding.to_owned(), expires));
        Ok(())
    }

    async fn take(&self, token: &str, now: Timestamp) -> Result<Option<String>, StoreError> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        Ok(taken.filter(|(_, expires)| now < *expires).map(|(binding, _)| binding))
    }
}
