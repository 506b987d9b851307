//! What a person granted: listed for them, and revoked.

use btp_kernel::{ClientId, Scopes, Timestamp, UserId};
use btp_oauth::store::{SignIn, ended};
use sea_orm::{
    Condition, DatabaseTransaction, FromQueryResult, JoinType, QueryOrder, QuerySelect, QueryTrait, RelationTrait,
    entity::prelude::*,
    sea_query::{ExprTrait, Query},
};

use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        from_json, is_foreign,
        oauth::{client, code, family, grant, refresh, request},
        people::user,
        time,
    },
};

#[derive(FromQueryResult)]
struct Listed {
    client: String,
    name: Option<String>,
    redirect_uris: Option<String>,
    scopes: String,
    created_at: i64,
    last_used_at: Option<i64>,
    revoked_at: Option<i64>,
}

pub(super) async fn sign_ins(db: &Db, user: &UserId, now: Timestamp) -> Result<Vec<SignIn>, Error> {
    let token = Query::select()
        .expr(Expr::val(1))
        .from(refresh::Entity)
        .and_where(refresh::Column::Family.into_expr().equals((family::Entity, family::Column::Id)))
        .and_where(refresh::Column::RotatedAt.is_null())
        .and_where(refresh::Column::Expires.gt(now.as_millis()))
        .take();
    let alive = Condition::all()
        .add(family::Column::RevokedAt.is_null())
        .add(grant::Column::RevokedAt.is_null())
        .add(Expr::exists(token));
    let not_disabled = Condition::any().add(client::Column::Disabled.is_null()).add(client::Column::Disabled.eq(false));
    let rows: Vec<Listed> = family::Entity::find()
        .join(JoinType::InnerJoin, family::Relation::Grant.def())
        .join(JoinType::LeftJoin, grant::Relation::Client.def())
        .select_only()
        .columns([family::Column::Scopes, family::Column::CreatedAt, family::Column::RevokedAt])
        .columns([grant::Column::Client, grant::Column::LastUsedAt])
        .columns([client::Column::Name, client::Column::RedirectUris])
        .filter(grant::Column::UserId.eq(user.as_str()))
        .filter(not_disabled)
        .filter(Condition::any().add(alive).add(family::Column::Reason.is_in([ended::REUSE, ended::REPLAY])))
        .order_by_asc(family::Column::CreatedAt)
        .order_by_asc(grant::Column::Client)
        .into_model()
        .all(db.reader())
        .await?;
    rows.into_iter().map(from_row).collect()
}

fn from_row(row: Listed) -> Result<SignIn, Error> {
    let registered = match (row.name, row.redirect_uris) {
        (Some(name), Some(redirects)) => Some((name, from_json("redirect_uris", &redirects)?)),
        _ => None,
    };
    Ok(SignIn {
        client: ClientId(row.client),
        registered,
        scopes: Scopes::parse(&row.scopes),
        since: time(row.created_at),
        last_used: row.last_used_at.map(time),
        reused: row.revoked_at.map(time),
    })
}

pub(super) async fn revoke(
    db: &Db,
    user: &UserId,
    client: Option<&ClientId>,
    reason: &'static str,
    now: Timestamp,
) -> Result<u64, Error> {
    if is_foreign(user.as_str()) || client.is_some_and(|client| is_foreign(client.as_str())) {
        return Ok(0);
    }
    let tx = db.begin().await?;
    let ended = revoke_within(&tx, user, client, reason, now).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Revokes what `user` granted to `client`, or to every client, within a transaction of the caller's.
///
/// Whoever redeems a code holds its person as they are: the lock of the person's row waits for them and keeps others
/// out, so that no grant can be born beside this. Whoever rotates holds the grant.
pub(crate) async fn revoke_within(
    tx: &DatabaseTransaction,
    user: &UserId,
    client: Option<&ClientId>,
    reason: &'static str,
    now: Timestamp,
) -> Result<u64, Error> {
    let (user, client) = (user.as_str(), client.map(ClientId::as_str));
    user::Entity::find_by_id(user).lock_exclusive().only(tx).await?;
    let grants: Vec<String> = grant::Entity::find()
        .select_only()
        .column(grant::Column::Id)
        .filter(grant::Column::UserId.eq(user))
        .apply_if(client, |find, client| find.filter(grant::Column::Client.eq(client)))
        .order_by_asc(grant::Column::Id)
        .lock_exclusive()
        .into_tuple()
        .all(tx)
        .await?;
    code::Entity::delete_many()
        .filter(code::Column::UserId.eq(user))
        .apply_if(client, |delete, client| delete.filter(code::Column::Client.eq(client)))
        .exec(tx)
        .await?;
    request::Entity::delete_many()
        .filter(request::Column::UserId.eq(user))
        .apply_if(client, |delete, client| delete.filter(request::Column::Client.eq(client)))
        .exec(tx)
        .await?;
    grant::Entity::update_many()
        .col_expr(grant::Column::RevokedAt, Expr::value(now.as_millis()))
        .col_expr(grant::Column::LastUsedAt, Expr::value(None::<i64>))
        .filter(grant::Column::Id.is_in(&grants))
        .filter(grant::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    let families = family::Entity::update_many()
        .col_expr(family::Column::RevokedAt, Expr::value(now.as_millis()))
        .col_expr(family::Column::Reason, Expr::value(reason))
        .filter(family::Column::GrantId.is_in(&grants))
        .filter(family::Column::RevokedAt.is_null())
        .exec(tx)
        .await?;
    Ok(families.rows_affected)
}
