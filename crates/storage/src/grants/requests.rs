//! Authorization requests that wait for an answer.

use btp_kernel::{ClientId, Scopes, Timestamp, UserId};
use btp_oauth::store::{Code, Decision, Parked};
use sea_orm::{Condition, IntoActiveModel, Iterable, entity::prelude::*, sea_query::OnConflict};

use super::codes;
use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        oauth::request::{self, Column},
        time,
    },
};

pub(super) async fn park(db: &Db, parked: &Parked) -> Result<(), Error> {
    let row = request::Model {
        handle: parked.handle.clone(),
        user_id: parked.user.0.clone(),
        client: parked.client.0.clone(),
        resource: parked.resource.clone(),
        scopes: parked.scopes.to_string(),
        redirect_uri: parked.redirect_uri.clone(),
        query: parked.query.clone(),
        decision: parked.decision.map(|decision| name(decision).to_owned()),
        expires: parked.expires.as_millis(),
        details: parked.details.clone(),
    };
    let values = Column::iter().filter(|column| !matches!(column, Column::Handle));
    let replace = OnConflict::column(Column::Handle).update_columns(values).to_owned();
    request::Entity::insert(row.into_active_model()).on_conflict(replace).exec_without_returning(db.writer()).await?;
    Ok(())
}

pub(super) async fn find(db: &Db, handle: &str, now: Timestamp) -> Result<Option<Parked>, Error> {
    let open = request::Entity::find_by_id(handle).filter(Column::Expires.gt(now.as_millis()));
    open.only(db.reader()).await?.map(from_row).transpose()
}

pub(super) async fn decide(
    db: &Db,
    handle: &str,
    user: &UserId,
    decision: Decision,
    now: Timestamp,
) -> Result<bool, Error> {
    let decided = request::Entity::update_many()
        .col_expr(Column::Decision, Expr::value(name(decision)))
        .filter(waits_for(handle, user, now))
        .filter(Column::Decision.is_null())
        .exec(db.writer())
        .await?;
    Ok(decided.rows_affected == 1)
}

/// Whoever revokes waits for the person or client held here, or for the row of the request, and then sees the code.
pub(super) async fn take_decision(
    db: &Db,
    handle: &str,
    user: &UserId,
    code: Option<&Code>,
    now: Timestamp,
) -> Result<Option<Decision>, Error> {
    let tx = db.begin().await?;
    if let Some(code) = code
        && !codes::hold_parties(&tx, code.user.as_str(), code.client.as_str()).await?
    {
        return Ok(None);
    }
    let taken = request::Entity::delete_many()
        .filter(waits_for(handle, user, now))
        .filter(Column::Decision.is_not_null())
        .exec_with_returning(&tx)
        .await?;
    let answer = taken.into_iter().next().and_then(|row| row.decision).map(|name| decision(&name)).transpose()?;
    if answer == Some(Decision::Authorize)
        && let Some(code) = code
    {
        codes::put(&tx, code).await?;
    }
    tx.commit().await?;
    Ok(answer)
}

fn waits_for(handle: &str, user: &UserId, now: Timestamp) -> Condition {
    Condition::all()
        .add(Column::Handle.eq(handle))
        .add(Column::UserId.eq(user.as_str()))
        .add(Column::Expires.gt(now.as_millis()))
}

fn from_row(row: request::Model) -> Result<Parked, Error> {
    Ok(Parked {
        handle: row.handle,
        user: UserId(row.user_id),
        client: ClientId(row.client),
        resource: row.resource,
        scopes: Scopes::parse(&row.scopes),
        redirect_uri: row.redirect_uri,
        query: row.query,
        decision: row.decision.map(|name| decision(&name)).transpose()?,
        expires: time(row.expires),
        details: row.details,
    })
}

const fn name(decision: Decision) -> &'static str {
    match decision {
        Decision::Authorize => "authorize",
        Decision::Refuse => "refuse",
    }
}

fn decision(name: &str) -> Result<Decision, Error> {
    match name {
        "authorize" => Ok(Decision::Authorize),
        "refuse" => Ok(Decision::Refuse),
        _ => Err(Error::Row("decision")),
    }
}
