//! People, their sign-in links and their sessions.

use async_trait::async_trait;
use btp_accounts::{
    Email, Locale, User,
    store::{AccountStore, AccountStoreError},
};
use btp_kernel::{Timestamp, UserId};
use sea_orm::{IntoActiveModel, QueryOrder, entity::prelude::*, sea_query::OnConflict};

use crate::{
    Error,
    db::Db,
    error::is_taken,
    rows::{
        is_foreign,
        people::{link, session, user},
        time,
    },
};

pub(crate) struct Accounts(pub(crate) Db);

#[async_trait]
impl AccountStore for Accounts {
    async fn add_user(&self, user: &User) -> Result<(), AccountStoreError> {
        let row = user::Model {
            id: user.id.0.clone(),
            email: user.email.as_str().to_owned(),
            locale: user.locale.as_str().to_owned(),
            created_at: user.created_at.as_millis(),
        };
        match user::Entity::insert(row.into_active_model()).exec_without_returning(self.0.writer()).await {
            Ok(_) => Ok(()),
            Err(err) if is_taken(&err) => Err(AccountStoreError::EmailTaken),
            Err(err) => Err(Error::from(err).into()),
        }
    }

    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, AccountStoreError> {
        let find = user::Entity::find().filter(user::Column::Email.eq(email.as_str()));
        let row = find.one(self.0.reader()).await.map_err(Error::from)?;
        Ok(row.map(person).transpose()?)
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, AccountStoreError> {
        if is_foreign(id.as_str()) {
            return Ok(None);
        }
        let row = user::Entity::find_by_id(id.as_str()).one(self.0.reader()).await.map_err(Error::from)?;
        Ok(row.map(person).transpose()?)
    }

    async fn users(&self) -> Result<Vec<User>, AccountStoreError> {
        let find = user::Entity::find().order_by_asc(user::Column::Email);
        let rows = find.all(self.0.reader()).await.map_err(Error::from)?;
        Ok(rows.into_iter().map(person).collect::<Result<_, _>>()?)
    }

    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError> {
        if is_foreign(id.as_str()) {
            return Ok(false);
        }
        let deleted = user::Entity::delete_by_id(id.as_str()).exec(self.0.writer()).await.map_err(Error::from)?;
        Ok(deleted.rows_affected == 1)
    }

    async fn put_link(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError> {
        let row = link::Model { user_id: user.0.clone(), digest: digest.to_owned(), expires: expires.as_millis() };
        link::Entity::insert(row.into_active_model())
            .on_conflict(
                OnConflict::column(link::Column::UserId)
                    .update_columns([link::Column::Digest, link::Column::Expires])
                    .to_owned(),
            )
            .exec_without_returning(self.0.writer())
            .await
            .map_err(Error::from)?;
        Ok(())
    }

    async fn take_link(&self, digest: &str, now: Timestamp) -> Result<Option<UserId>, AccountStoreError> {
        let delete = link::Entity::delete_many().filter(link::Column::Digest.eq(digest));
        let taken = delete.exec_with_returning(self.0.writer()).await.map_err(Error::from)?;
        let in_time = taken.into_iter().find(|row| row.expires > now.as_millis());
        Ok(in_time.map(|row| UserId(row.user_id)))
    }

    async fn put_session(&self, digest: &str, user: &UserId, expires: Timestamp) -> Result<(), AccountStoreError> {
        let row = session::Model { digest: digest.to_owned(), user_id: user.0.clone(), expires: expires.as_millis() };
        let insert = session::Entity::insert(row.into_active_model());
        insert.exec_without_returning(self.0.writer()).await.map_err(Error::from)?;
        Ok(())
    }

    async fn session(&self, digest: &str, now: Timestamp) -> Result<Option<User>, AccountStoreError> {
        let found = session::Entity::find_by_id(digest)
            .filter(session::Column::Expires.gt(now.as_millis()))
            .find_also_related(user::Entity)
            .one(self.0.reader())
            .await
            .map_err(Error::from)?;
        Ok(found.and_then(|(_, user)| user).map(person).transpose()?)
    }

    async fn end_sessions(&self, user: &UserId) -> Result<(), AccountStoreError> {
        let delete = session::Entity::delete_many().filter(session::Column::UserId.eq(user.as_str()));
        delete.exec(self.0.writer()).await.map_err(Error::from)?;
        Ok(())
    }
}

fn person(row: user::Model) -> Result<User, Error> {
    Ok(User {
        id: UserId(row.id),
        email: row.email.parse().map_err(|_| Error::Row("email"))?,
        locale: Locale::from_tag(&row.locale).ok_or(Error::Row("locale"))?,
        created_at: time(row.created_at),
    })
}
