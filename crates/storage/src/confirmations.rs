//! Pending confirmations.

use async_trait::async_trait;
use btp_domain::store::{ConfirmationStore, StoreError};
use btp_kernel::Timestamp;
use sea_orm::{IntoActiveModel, entity::prelude::*};

use crate::{Error, db::Db, rows::work::confirmation};

pub(crate) struct Confirmations(pub(crate) Db);

#[async_trait]
impl ConfirmationStore for Confirmations {
    async fn put(&self, token: &str, binding: &str, expires: Timestamp) -> Result<(), StoreError> {
        let row =
            confirmation::Model { token: token.to_owned(), binding: binding.to_owned(), expires: expires.as_millis() };
        let insert = confirmation::Entity::insert(row.into_active_model());
        insert.exec_without_returning(self.0.writer()).await.map_err(Error::from)?;
        Ok(())
    }

    async fn take(&self, token: &str, now: Timestamp) -> Result<Option<String>, StoreError> {
        let delete = confirmation::Entity::delete_many().filter(confirmation::Column::Token.eq(token));
        let taken = delete.exec_with_returning(self.0.writer()).await.map_err(Error::from)?;
        let in_time = taken.into_iter().find(|row| row.expires > now.as_millis());
        Ok(in_time.map(|row| row.binding))
    }
}
