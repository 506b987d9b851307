//! Authorization codes and their redemption.

use btp_kernel::{ClientId, Scopes, Timestamp, UserId};
use btp_oauth::store::{Code, Redeemed, Refresh, ended};
use sea_orm::{
    DatabaseTransaction, IntoActiveModel, QuerySelect,
    entity::prelude::*,
    sea_query::{LockType, OnConflict},
};

use super::families;
use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        oauth::{
            client,
            code::{self, Column},
            family, grant,
        },
        people::user,
        time,
    },
};

/// Stores a code within a transaction that holds its person.
pub(super) async fn put(tx: &DatabaseTransaction, code: &Code) -> Result<(), Error> {
    let row = code::Model {
        digest: code.digest.clone(),
        user_id: code.user.0.clone(),
        client: code.client.0.clone(),
        resource: code.resource.clone(),
        scopes: code.scopes.to_string(),
        redirect_uri: code.redirect_uri.clone(),
        challenge: code.challenge.clone(),
        expires: code.expires.as_millis(),
        used_at: None,
        family: None,
        details: code.details.clone(),
    };
    code::Entity::insert(row.into_active_model()).exec_without_returning(tx).await?;
    Ok(())
}

pub(super) async fn find(db: &Db, digest: &str) -> Result<Option<Code>, Error> {
    Ok(code::Entity::find_by_id(digest).only(db.reader()).await?.map(from_row))
}

/// All redemptions of one code meet at the lock of its grant; what is read after it is final.
pub(super) async fn redeem(
    db: &Db,
    digest: &str,
    family: &str,
    refresh: &Refresh,
    now: Timestamp,
) -> Result<Redeemed, Error> {
    let tx = db.begin().await?;
    let Some(code) = code::Entity::find_by_id(digest).only(&tx).await? else { return Ok(Redeemed::Dead) };
    if !hold_parties(&tx, &code.user_id, &code.client).await? {
        return Ok(Redeemed::Dead);
    }
    let grant = hold_grant(&tx, &code, family, now).await?;
    let Some(code) = code::Entity::find_by_id(digest).only(&tx).await? else { return Ok(Redeemed::Dead) };
    if let Some(earlier) = &code.family {
        families::end(&tx, earlier, ended::REPLAY, now).await?;
        tx.commit().await?;
        return Ok(Redeemed::Replayed);
    }
    if code.expires <= now.as_millis() {
        return Ok(Redeemed::Dead);
    }
    code::Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(now.as_millis()))
        .col_expr(Column::Family, Expr::value(family))
        .filter(Column::Digest.eq(digest))
        .exec(&tx)
        .await?;
    grant::Entity::update_many()
        .col_expr(grant::Column::Scopes, Expr::value(code.scopes.as_str()))
        .col_expr(grant::Column::Details, Expr::value(code.details))
        .col_expr(grant::Column::AuthorizedAt, Expr::value(now.as_millis()))
        .col_expr(grant::Column::RevokedAt, Expr::value(None::<i64>))
        .filter(grant::Column::Id.eq(grant.as_str()))
        .exec(&tx)
        .await?;
    let row = family::Model {
        id: family.to_owned(),
        grant_id: grant,
        resource: code.resource,
        scopes: code.scopes,
        created_at: now.as_millis(),
        revoked_at: None,
        reason: None,
    };
    family::Entity::insert(row.into_active_model()).exec_without_returning(&tx).await?;
    families::add_token(&tx, family, refresh).await?;
    tx.commit().await?;
    Ok(Redeemed::Fresh)
}

/// Keeps person and client as they are until the end of the transaction. False when one of them is gone or disabled.
pub(super) async fn hold_parties(tx: &DatabaseTransaction, user: &str, client: &str) -> Result<bool, Error> {
    let person = user::Entity::find_by_id(user).lock(LockType::KeyShare).only(tx).await?;
    let client = client::Entity::find_by_id(client).lock_shared().only(tx).await?;
    Ok(person.is_some() && client.is_none_or(|client| !client.disabled))
}

/// Locks the grant the code is for, making it when this is the first code. A new grant is named after its first family.
async fn hold_grant(
    tx: &DatabaseTransaction,
    code: &code::Model,
    family: &str,
    now: Timestamp,
) -> Result<String, Error> {
    let row = grant::Model {
        id: family.to_owned(),
        user_id: code.user_id.clone(),
        client: code.client.clone(),
        resource: code.resource.clone(),
        scopes: code.scopes.clone(),
        authorized_at: now.as_millis(),
        last_used_at: None,
        revoked_at: None,
        details: None,
    };
    let known = OnConflict::columns([grant::Column::UserId, grant::Column::Client, grant::Column::Resource])
        .do_nothing()
        .to_owned();
    grant::Entity::insert(row.into_active_model()).on_conflict(known).exec_without_returning(tx).await?;
    grant::Entity::find()
        .select_only()
        .column(grant::Column::Id)
        .filter(grant::Column::UserId.eq(code.user_id.as_str()))
        .filter(grant::Column::Client.eq(code.client.as_str()))
        .filter(grant::Column::Resource.eq(code.resource.as_str()))
        .lock_exclusive()
        .into_tuple()
        .only(tx)
        .await?
        .ok_or(Error::Race)
}

fn from_row(row: code::Model) -> Code {
    Code {
        digest: row.digest,
        user: UserId(row.user_id),
        client: ClientId(row.client),
        resource: row.resource,
        scopes: Scopes::parse(&row.scopes),
        redirect_uri: row.redirect_uri,
        challenge: row.challenge,
        expires: time(row.expires),
        used: row.used_at.is_some(),
        details: row.details,
    }
}
