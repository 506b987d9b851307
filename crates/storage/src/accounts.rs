//! People, the links mailed to them and their sessions.

mod links;
mod people;
mod sessions;
mod sign_in;

use async_trait::async_trait;
use btp_accounts::{
    Email, Locale, User,
    store::{AccountStore, AccountStoreError, NewSession, Purpose, SignedIn, StoredSession, Successor},
};
use btp_kernel::{Timestamp, UserId};

use crate::db::Db;

pub(crate) struct Accounts(pub(crate) Db);

#[async_trait]
impl AccountStore for Accounts {
    async fn add_user(&self, user: &User) -> Result<(), AccountStoreError> {
        people::add(&self.0, user).await
    }

    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, AccountStoreError> {
        Ok(people::by_email(&self.0, email).await?)
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, AccountStoreError> {
        Ok(people::find(&self.0, id).await?)
    }

    async fn users(&self) -> Result<Vec<User>, AccountStoreError> {
        Ok(people::all(&self.0).await?)
    }

    async fn set_locale(&self, id: &UserId, locale: Locale) -> Result<(), AccountStoreError> {
        Ok(people::set_locale(&self.0, id, locale).await?)
    }

    async fn change_email(
        &self,
        link: &str,
        user: &UserId,
        keep: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<User>, AccountStoreError> {
        people::change_email(&self.0, link, user, keep, now).await
    }

    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError> {
        Ok(people::delete(&self.0, id).await?)
    }

    async fn put_link(&self, digest: &str, purpose: &Purpose, expires: Timestamp) -> Result<(), AccountStoreError> {
        Ok(links::put(&self.0, digest, purpose, expires).await?)
    }

    async fn link(&self, digest: &str, now: Timestamp) -> Result<Option<Purpose>, AccountStoreError> {
        Ok(links::find(self.0.reader(), digest, now).await?)
    }

    async fn sign_in(
        &self,
        link: &str,
        session: &NewSession,
        newcomer: &UserId,
    ) -> Result<Option<SignedIn>, AccountStoreError> {
        Ok(sign_in::sign_in(&self.0, link, session, newcomer).await?)
    }

    async fn session(&self, key: &str, now: Timestamp) -> Result<Option<StoredSession>, AccountStoreError> {
        Ok(sessions::find(&self.0, key, now).await?)
    }

    async fn offer(&self, key: &str, current: &str, offer: &Successor) -> Result<Option<Successor>, AccountStoreError> {
        Ok(sessions::offer(&self.0, key, current, offer).await?)
    }

    async fn take_turn(
        &self,
        key: &str,
        next: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<(), AccountStoreError> {
        Ok(sessions::take_turn(&self.0, key, next, now, expires).await?)
    }

    async fn end_session(&self, key: &str) -> Result<(), AccountStoreError> {
        Ok(sessions::end(&self.0, key).await?)
    }

    async fn end_sessions(&self, user: &UserId) -> Result<(), AccountStoreError> {
        Ok(people::end_sessions(&self.0, user).await?)
    }
}
