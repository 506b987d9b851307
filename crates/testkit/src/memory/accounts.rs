//! People in memory.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use btp_accounts::{
    Email, User,
    store::{AccountStore, AccountStoreError},
};
use btp_kernel::{Timestamp, UserId};

/// An [`AccountStore`] in memory.
#[derive(Default)]
pub struct MemoryAccounts(Mutex<State>);

#[derive(Default)]
struct State {
    users: Vec<User>,
    links: HashMap<String, (UserId, Timestamp)>,
    sessions: HashMap<String, (UserId, Timestamp)>,
}

impl MemoryAccounts {
    pub(crate) fn has_user(&self, id: &UserId) -> bool {
        self.state().find(id).is_some()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn find(&self, id: &UserId) -> Option<&User> {
        self.users.iter().find(|user| user.id == *id)
    }
}

#[async_trait]
impl AccountStore for MemoryAccounts {
    async fn add_user(&self, user: &User) -> Result<(), AccountStoreError> {
        let mut state = self.state();
        if state.users.iter().any(|other| other.email == user.email) {
            return Err(AccountStoreError::EmailTaken);
        }
        state.users.push(user.clone());
        state.users.sort_by(|a, b| a.email.as_str().cmp(b.email.as_str()));
        Ok(())
    }

    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, AccountStoreError> {
        Ok(self.state().users.iter().find(|user| user.email == *email).cloned())
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, AccountStoreError> {
        Ok(self.state().find(id).cloned())
    }

    async fn users(&self) -> Result<Vec<User>, AccountStoreError> {
        Ok(self.state().users.clone())
    }

    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError> {
        let mut state = self.state();
        let before = state.users.len();
        state.users.retain(|user| user.id != *id);
        state.links.retain(|_, (user, _)| user != id);
        state.sessions.retain(|_, (user, _)| user != id);
        Ok(state.users.len() < before)
    }

    async fn put_link(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError> {
        let mut state = self.state();
        state.links.retain(|_, (owner, _)| owner != user);
        state.links.insert(digest.to_owned(), (user.clone(), expires));
        Ok(())
    }

    async fn take_link(&self, digest: &str, now: Timestamp) -> Result<Option<UserId>, AccountStoreError> {
        let taken = self.state().links.remove(digest);
        Ok(taken.filter(|(_, expires)| now < *expires).map(|(user, _)| user))
    }

    async fn put_session(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError> {
        self.state().sessions.insert(digest.to_owned(), (user.clone(), expires));
        Ok(())
    }

    async fn session(&self, digest: &str, now: Timestamp) -> Result<Option<User>, AccountStoreError> {
        let state = self.state();
        let live = state.sessions.get(digest).filter(|(_, expires)| now < *expires);
        Ok(live.and_then(|(user, _)| state.find(user)).cloned())
    }

    async fn end_sessions(&self, user: &UserId) -> Result<(), AccountStoreError> {
        self.state().sessions.retain(|_, (owner, _)| owner != user);
        Ok(())
    }
}
