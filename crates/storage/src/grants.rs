//! Clients, parked requests, codes, grants and the families of refresh tokens.
//!
//! Locks are taken in one order (person, client, codes or grant, the rest), so that no two writers wait for each other. What
//! follows from a grant is changed under the lock of its row.

mod clients;
mod codes;
mod documents;
mod families;
pub(crate) mod people;
mod requests;

use async_trait::async_trait;
use btp_kernel::{ClientId, Timestamp, UserId};
use btp_oauth::store::{
    Client, Code, Decision, Documented, GrantStore, GrantStoreError, Live, Parked, Redeemed, Refresh, RefreshView,
    Rotated, SignIn,
};

use crate::db::Db;

pub(crate) struct Grants(pub(crate) Db);

#[async_trait]
impl GrantStore for Grants {
    async fn client(&self, id: &ClientId) -> Result<Option<Client>, GrantStoreError> {
        Ok(clients::find(&self.0, id).await?)
    }

    async fn clients(&self) -> Result<Vec<Client>, GrantStoreError> {
        Ok(clients::all(&self.0).await?)
    }

    async fn put_client(&self, client: &Client) -> Result<(), GrantStoreError> {
        Ok(clients::put(&self.0, client).await?)
    }

    async fn disable_client(&self, id: &ClientId, now: Timestamp) -> Result<bool, GrantStoreError> {
        Ok(clients::disable(&self.0, id, now).await?)
    }

    async fn enable_client(&self, id: &ClientId) -> Result<bool, GrantStoreError> {
        Ok(clients::enable(&self.0, id).await?)
    }

    async fn put_document(&self, client: &Client) -> Result<Documented, GrantStoreError> {
        Ok(documents::put(&self.0, client).await?)
    }

    async fn withdraw_document(&self, id: &ClientId, now: Timestamp) -> Result<(), GrantStoreError> {
        Ok(documents::withdraw(&self.0, id, now).await?)
    }

    async fn park(&self, parked: &Parked) -> Result<(), GrantStoreError> {
        Ok(requests::park(&self.0, parked).await?)
    }

    async fn parked(&self, handle: &str, now: Timestamp) -> Result<Option<Parked>, GrantStoreError> {
        Ok(requests::find(&self.0, handle, now).await?)
    }

    async fn decide(
        &self,
        handle: &str,
        user: &UserId,
        decision: Decision,
        now: Timestamp,
    ) -> Result<bool, GrantStoreError> {
        Ok(requests::decide(&self.0, handle, user, decision, now).await?)
    }

    async fn take_decision(
        &self,
        handle: &str,
        user: &UserId,
        code: Option<&Code>,
        now: Timestamp,
    ) -> Result<Option<Decision>, GrantStoreError> {
        Ok(requests::take_decision(&self.0, handle, user, code, now).await?)
    }

    async fn code(&self, digest: &str) -> Result<Option<Code>, GrantStoreError> {
        Ok(codes::find(&self.0, digest).await?)
    }

    async fn redeem(
        &self,
        digest: &str,
        family: &str,
        refresh: &Refresh,
        now: Timestamp,
    ) -> Result<Redeemed, GrantStoreError> {
        Ok(codes::redeem(&self.0, digest, family, refresh, now).await?)
    }

    async fn refresh(&self, digest: &str) -> Result<Option<RefreshView>, GrantStoreError> {
        Ok(families::token(&self.0, digest).await?)
    }

    async fn rotate(
        &self,
        digest: &str,
        successor: &Refresh,
        keep: Option<&[u8]>,
        now: Timestamp,
    ) -> Result<Rotated, GrantStoreError> {
        Ok(families::rotate(&self.0, digest, successor, keep, now).await?)
    }

    async fn revoke_family(&self, family: &str, reason: &'static str, now: Timestamp) -> Result<(), GrantStoreError> {
        Ok(families::revoke(&self.0, family, reason, now).await?)
    }

    async fn revoke_grants(
        &self,
        user: &UserId,
        client: Option<&ClientId>,
        reason: &'static str,
        now: Timestamp,
    ) -> Result<u64, GrantStoreError> {
        Ok(people::revoke(&self.0, user, client, reason, now).await?)
    }

    async fn sign_ins(&self, user: &UserId, now: Timestamp) -> Result<Vec<SignIn>, GrantStoreError> {
        Ok(people::sign_ins(&self.0, user, now).await?)
    }

    async fn live(&self, family: &str) -> Result<Option<Live>, GrantStoreError> {
        Ok(families::live(&self.0, family).await?)
    }

    async fn touch(&self, family: &str, now: Timestamp) -> Result<(), GrantStoreError> {
        Ok(families::touch(&self.0, family, now).await?)
    }
}
