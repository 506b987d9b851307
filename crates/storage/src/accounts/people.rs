//! Who has an account.

use btp_accounts::{
    Email, Locale, User,
    store::{AccountStoreError, Purpose},
};
use btp_kernel::{Timestamp, UserId};
use btp_oauth::store::ended;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, IntoActiveModel, QueryOrder, QuerySelect,
    entity::prelude::*,
    sea_query::{LockType, OnConflict},
};

use super::{links, sessions};
use crate::{
    Error,
    db::Db,
    error::is_taken,
    grants::people::revoke_within,
    only::Only as _,
    rows::{
        is_foreign,
        people::user::{self, Column},
        time,
    },
};

pub(super) async fn add(db: &Db, user: &User) -> Result<(), AccountStoreError> {
    let insert = user::Entity::insert(row(user).into_active_model());
    insert.exec_without_returning(db.writer()).await.map_err(refused)?;
    Ok(())
}

/// Adds a person unless someone has the address. Whether they were added.
pub(super) async fn welcome(tx: &DatabaseTransaction, user: &User) -> Result<bool, Error> {
    let taken = OnConflict::column(Column::Email).do_nothing().to_owned();
    let insert = user::Entity::insert(row(user).into_active_model()).on_conflict(taken);
    Ok(insert.exec_without_returning(tx).await? == 1)
}

/// The person with this address, who keeps it and stays until the end of the transaction.
pub(super) async fn hold(tx: &DatabaseTransaction, email: &Email) -> Result<Option<User>, Error> {
    let find = user::Entity::find().filter(Column::Email.eq(email.as_str()));
    find.lock(LockType::KeyShare).only(tx).await?.map(from_row).transpose()
}

pub(super) async fn by_email(db: &Db, email: &Email) -> Result<Option<User>, Error> {
    let row = user::Entity::find().filter(Column::Email.eq(email.as_str())).only(db.reader()).await?;
    row.map(from_row).transpose()
}

pub(super) async fn find(db: &Db, id: &UserId) -> Result<Option<User>, Error> {
    if is_foreign(id.as_str()) {
        return Ok(None);
    }
    user::Entity::find_by_id(id.as_str()).only(db.reader()).await?.map(from_row).transpose()
}

pub(super) async fn all(db: &Db) -> Result<Vec<User>, Error> {
    let rows = user::Entity::find().order_by_asc(Column::Email).all(db.reader()).await?;
    rows.into_iter().map(from_row).collect()
}

pub(super) async fn set_locale(db: &Db, id: &UserId, locale: Locale) -> Result<(), Error> {
    let update = user::Entity::update_many().col_expr(Column::Locale, Expr::value(locale.as_str()));
    update.filter(Column::Id.eq(id.as_str())).exec(db.writer()).await?;
    Ok(())
}

/// The person's row is locked first, as everyone who grants access in their name locks it too: what is granted before is
/// ended here, and what comes after comes from who confirmed the new address.
pub(super) async fn change_email(
    db: &Db,
    link: &str,
    user: &UserId,
    keep: Option<&str>,
    now: Timestamp,
) -> Result<Option<User>, AccountStoreError> {
    let tx = db.begin().await?;
    let find = user::Entity::find_by_id(user.as_str()).lock_exclusive();
    let Some(former) = find.only(&tx).await.map_err(Error::from)? else { return Ok(None) };
    let email = match links::find(&tx, link, now).await? {
        Some(Purpose::ChangeEmail(whose, email)) if whose == *user => email,
        _ => return Ok(None),
    };
    if let Some(keep) = keep
        && !sessions::lives(&tx, keep, user, now).await?
    {
        return Ok(None);
    }
    revoke_within(&tx, user, None, ended::EMAIL, now).await?;
    links::end_all(&tx, user).await?;
    sessions::end_all(&tx, user, keep).await?;
    write_email(&tx, user, &email).await?;
    tx.commit().await.map_err(Error::from)?;
    Ok(Some(from_row(former)?))
}

/// Who signs in at the same time holds the person: their session is there by now, or begins after this.
pub(super) async fn end_sessions(db: &Db, user: &UserId) -> Result<(), Error> {
    let tx = db.begin().await?;
    user::Entity::find_by_id(user.as_str()).lock_exclusive().only(&tx).await?;
    sessions::end_all(&tx, user, None).await?;
    Ok(tx.commit().await?)
}

pub(super) async fn delete(db: &Db, id: &UserId) -> Result<bool, Error> {
    if is_foreign(id.as_str()) {
        return Ok(false);
    }
    Ok(user::Entity::delete_by_id(id.as_str()).exec(db.writer()).await?.rows_affected == 1)
}

async fn write_email(tx: &impl ConnectionTrait, user: &UserId, email: &Email) -> Result<(), AccountStoreError> {
    let update = user::Entity::update_many().col_expr(Column::Email, Expr::value(email.as_str()));
    update.filter(Column::Id.eq(user.as_str())).exec(tx).await.map_err(refused)?;
    Ok(())
}

fn refused(err: DbErr) -> AccountStoreError {
    if is_taken(&err) { AccountStoreError::EmailTaken } else { Error::from(err).into() }
}

fn row(user: &User) -> user::Model {
    user::Model {
        id: user.id.0.clone(),
        email: user.email.as_str().to_owned(),
        locale: user.locale.as_str().to_owned(),
        created_at: user.created_at.as_millis(),
    }
}

pub(super) fn from_row(row: user::Model) -> Result<User, Error> {
    Ok(User {
        id: UserId(row.id),
        email: row.email.parse().map_err(|_| Error::Row("email"))?,
        locale: locale(&row.locale)?,
        created_at: time(row.created_at),
    })
}

pub(super) fn locale(tag: &str) -> Result<Locale, Error> {
    Locale::from_tag(tag).ok_or(Error::Row("locale"))
}
