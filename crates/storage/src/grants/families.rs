//! Families of refresh tokens: what one sign-in of a client may do, for how long.

use btp_kernel::{ClientId, Scopes, Timestamp, UserId};
use btp_oauth::store::{Live, Refresh, RefreshView, Rotated, Rotation, TOUCH_EVERY};
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, FromQueryResult, IntoActiveModel, JoinType, QuerySelect,
    RelationTrait, entity::prelude::*,
};

use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        oauth::{client, family, grant, refresh},
        time,
    },
};

/// A family with what its life depends on. (A person's families go with the person.)
#[derive(FromQueryResult)]
struct Standing {
    id: String,
    user_id: String,
    client: String,
    resource: String,
    scopes: String,
    revoked_at: Option<i64>,
    grant_revoked_at: Option<i64>,
    /// `None` for a client that is no operator's.
    client_disabled: Option<bool>,
}

impl Standing {
    fn is_alive(&self) -> bool {
        self.revoked_at.is_none() && self.grant_revoked_at.is_none() && self.client_disabled != Some(true)
    }
}

async fn standing(db: &impl ConnectionTrait, id: &str) -> Result<Option<Standing>, Error> {
    let found = family::Entity::find_by_id(id)
        .join(JoinType::InnerJoin, family::Relation::Grant.def())
        .join(JoinType::LeftJoin, grant::Relation::Client.def())
        .select_only()
        .columns([family::Column::Id, family::Column::Resource, family::Column::Scopes, family::Column::RevokedAt])
        .columns([grant::Column::UserId, grant::Column::Client])
        .column_as(grant::Column::RevokedAt, "grant_revoked_at")
        .column_as(client::Column::Disabled, "client_disabled")
        .into_model()
        .only(db)
        .await?;
    Ok(found)
}

/// Asked on every call, so it reads no more than it tells: what makes a family dead is judged by the database.
pub(super) async fn live(db: &Db, id: &str) -> Result<Option<Live>, Error> {
    let is_enabled = Condition::any().add(client::Column::Disabled.is_null()).add(client::Column::Disabled.eq(false));
    let alive = family::Entity::find_by_id(id)
        .join(JoinType::InnerJoin, family::Relation::Grant.def())
        .join(JoinType::LeftJoin, grant::Relation::Client.def())
        .select_only()
        .columns([grant::Column::UserId, grant::Column::Client])
        .columns([family::Column::Resource, family::Column::Scopes])
        .filter(family::Column::RevokedAt.is_null())
        .filter(grant::Column::RevokedAt.is_null())
        .filter(is_enabled)
        .into_tuple::<(String, String, String, String)>()
        .only(db.reader())
        .await?;
    Ok(alive.map(|(user, client, resource, scopes)| Live {
        user: UserId(user),
        client: ClientId(client),
        resource,
        scopes: Scopes::parse(&scopes),
    }))
}

pub(super) async fn token(db: &Db, digest: &str) -> Result<Option<RefreshView>, Error> {
    let Some(token) = refresh::Entity::find_by_id(digest).only(db.reader()).await? else { return Ok(None) };
    let family = standing(db.reader(), &token.family).await?;
    Ok(family.map(|family| RefreshView {
        alive: family.is_alive(),
        family: family.id,
        user: UserId(family.user_id),
        client: ClientId(family.client),
        resource: family.resource,
        scopes: Scopes::parse(&family.scopes),
        expires: time(token.expires),
        rotated: token.rotated_at.map(|at| Rotation { at: time(at), kept: token.sealed_answer }),
    }))
}

pub(super) async fn rotate(
    db: &Db,
    digest: &str,
    successor: &Refresh,
    keep: Option<&[u8]>,
    now: Timestamp,
) -> Result<Rotated, Error> {
    let tx = db.begin().await?;
    let find = || refresh::Entity::find_by_id(digest);
    let Some(token) = find().only(&tx).await? else { return Ok(Rotated::Dead) };
    hold_grant(&tx, &token.family).await?;
    let Some(token) = find().only(&tx).await? else { return Ok(Rotated::Dead) };
    let is_alive = standing(&tx, &token.family).await?.is_some_and(|family| family.is_alive());
    if !is_alive || token.expires <= now.as_millis() {
        return Ok(Rotated::Dead);
    }
    if token.rotated_at.is_some() {
        return Ok(Rotated::Already);
    }
    refresh::Entity::update_many()
        .col_expr(refresh::Column::SealedAnswer, Expr::value(None::<Vec<u8>>))
        .filter(refresh::Column::Family.eq(token.family.as_str()))
        .filter(refresh::Column::SealedAnswer.is_not_null())
        .exec(&tx)
        .await?;
    refresh::Entity::update_many()
        .col_expr(refresh::Column::SealedAnswer, Expr::value(keep.map(<[u8]>::to_vec)))
        .col_expr(refresh::Column::RotatedAt, Expr::value(now.as_millis()))
        .col_expr(refresh::Column::Successor, Expr::value(successor.digest.as_str()))
        .filter(refresh::Column::Digest.eq(digest))
        .exec(&tx)
        .await?;
    add_token(&tx, &token.family, successor).await?;
    tx.commit().await?;
    Ok(Rotated::Fresh)
}

pub(super) async fn revoke(db: &Db, family: &str, reason: &str, now: Timestamp) -> Result<(), Error> {
    let tx = db.begin().await?;
    hold_grant(&tx, family).await?;
    end(&tx, family, reason, now).await?;
    Ok(tx.commit().await?)
}

/// Revokes the family, whose grant is locked; the first reason stays.
pub(super) async fn end(tx: &DatabaseTransaction, id: &str, reason: &str, now: Timestamp) -> Result<(), Error> {
    family::Entity::update_many()
        .col_expr(family::Column::RevokedAt, Expr::value(now.as_millis()))
        .col_expr(family::Column::Reason, Expr::value(reason))
        .filter(family::Column::Id.eq(id))
        .filter(family::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

pub(super) async fn add_token(tx: &DatabaseTransaction, family: &str, token: &Refresh) -> Result<(), Error> {
    let row = refresh::Model {
        digest: token.digest.clone(),
        family: family.to_owned(),
        expires: token.expires.as_millis(),
        rotated_at: None,
        successor: None,
        sealed_answer: None,
    };
    refresh::Entity::insert(row.into_active_model()).exec_without_returning(tx).await?;
    Ok(())
}

/// Looks before it writes: most calls come within the span and must not queue for the writer.
pub(super) async fn touch(db: &Db, family: &str, now: Timestamp) -> Result<(), Error> {
    let stale = now.minus(TOUCH_EVERY).as_millis();
    let is_stale =
        || Condition::any().add(grant::Column::LastUsedAt.is_null()).add(grant::Column::LastUsedAt.lte(stale));
    let grant: Option<String> = family::Entity::find_by_id(family)
        .join(JoinType::InnerJoin, family::Relation::Grant.def())
        .select_only()
        .column(grant::Column::Id)
        .filter(is_stale())
        .into_tuple()
        .only(db.reader())
        .await?;
    if let Some(grant) = grant {
        grant::Entity::update_many()
            .col_expr(grant::Column::LastUsedAt, Expr::value(now.as_millis()))
            .filter(grant::Column::Id.eq(grant))
            .filter(is_stale())
            .exec(db.writer())
            .await?;
    }
    Ok(())
}

async fn hold_grant(tx: &DatabaseTransaction, family: &str) -> Result<(), Error> {
    let Some(family) = family::Entity::find_by_id(family).only(tx).await? else { return Ok(()) };
    grant::Entity::find_by_id(family.grant_id).lock_exclusive().only(tx).await?;
    Ok(())
}
