//! Sessions of browsers and apps.

use btp_accounts::{
    User,
    store::{Former, NewSession, StoredSession, Successor},
};
use btp_kernel::{Timestamp, UserId};
use sea_orm::{Condition, ConnectionTrait, IntoActiveModel, entity::prelude::*};

use super::people;
use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        people::{
            session::{self, Column},
            user,
        },
        time,
    },
};

pub(super) async fn put(db: &impl ConnectionTrait, user: &UserId, new: &NewSession) -> Result<(), Error> {
    let row = session::Model {
        key: new.key.clone(),
        user_id: user.0.clone(),
        expires: new.expires.as_millis(),
        current: new.current.clone(),
        since: new.since.as_millis(),
        next: None,
        next_salt: None,
        former: None,
        former_salt: None,
    };
    session::Entity::insert(row.into_active_model()).exec_without_returning(db).await?;
    Ok(())
}

pub(super) async fn find(db: &Db, key: &str, now: Timestamp) -> Result<Option<StoredSession>, Error> {
    let found = session::Entity::find_by_id(key)
        .filter(Column::Expires.gt(now.as_millis()))
        .find_also_related(user::Entity)
        .only(db.reader())
        .await?;
    let Some((row, Some(person))) = found else { return Ok(None) };
    Ok(Some(from_row(row, people::from_row(person)?)))
}

/// Whether this is a session of the person that lives.
pub(super) async fn lives(db: &impl ConnectionTrait, key: &str, user: &UserId, now: Timestamp) -> Result<bool, Error> {
    let theirs = session::Entity::find_by_id(key).filter(Column::UserId.eq(user.as_str()));
    Ok(theirs.filter(Column::Expires.gt(now.as_millis())).only(db).await?.is_some())
}

/// Only one offer can be the first; whoever comes later reads that one.
pub(super) async fn offer(db: &Db, key: &str, current: &str, offer: &Successor) -> Result<Option<Successor>, Error> {
    let turn = || Condition::all().add(Column::Key.eq(key)).add(Column::Current.eq(current));
    let made = session::Entity::update_many()
        .col_expr(Column::Next, Expr::value(offer.turn.as_str()))
        .col_expr(Column::NextSalt, Expr::value(offer.salt.as_str()))
        .filter(turn().add(Column::Next.is_null()))
        .exec(db.writer())
        .await?;
    if made.rows_affected == 1 {
        return Ok(Some(offer.clone()));
    }
    let row = session::Entity::find().filter(turn()).only(db.reader()).await?;
    Ok(row.and_then(|row| successor(row.next, row.next_salt)))
}

pub(super) async fn take_turn(db: &Db, key: &str, next: &str, now: Timestamp, expires: Timestamp) -> Result<(), Error> {
    session::Entity::update_many()
        .col_expr(Column::Former, Expr::col(Column::Current))
        .col_expr(Column::FormerSalt, Expr::col(Column::NextSalt))
        .col_expr(Column::Current, Expr::col(Column::Next))
        .col_expr(Column::Since, Expr::value(now.as_millis()))
        .col_expr(Column::Expires, Expr::value(expires.as_millis()))
        .col_expr(Column::Next, Expr::value(None::<String>))
        .col_expr(Column::NextSalt, Expr::value(None::<String>))
        .filter(Column::Key.eq(key))
        .filter(Column::Next.eq(next))
        .exec(db.writer())
        .await?;
    Ok(())
}

pub(super) async fn end(db: &Db, key: &str) -> Result<(), Error> {
    session::Entity::delete_by_id(key).exec(db.writer()).await?;
    Ok(())
}

/// Ends every session of the person, but this one when there is one to keep.
pub(super) async fn end_all(db: &impl ConnectionTrait, user: &UserId, keep: Option<&str>) -> Result<(), Error> {
    let mut theirs = Condition::all().add(Column::UserId.eq(user.as_str()));
    if let Some(keep) = keep {
        theirs = theirs.add(Column::Key.ne(keep));
    }
    session::Entity::delete_many().filter(theirs).exec(db).await?;
    Ok(())
}

fn from_row(row: session::Model, user: User) -> StoredSession {
    let since = time(row.since);
    let former = successor(row.former, row.former_salt);
    StoredSession {
        key: row.key,
        user,
        current: row.current,
        since,
        next: successor(row.next, row.next_salt),
        former: former.map(|former| Former { turn: former.turn, salt: former.salt, until: since }),
    }
}

fn successor(turn: Option<String>, salt: Option<String>) -> Option<Successor> {
    Some(Successor { turn: turn?, salt: salt? })
}
