//! Links that were mailed.

use btp_accounts::store::Purpose;
use btp_kernel::{Timestamp, UserId};
use sea_orm::{ConnectionTrait, IntoActiveModel, entity::prelude::*};

use super::people::locale;
use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::people::link::{self, Column},
};

const SIGN_IN: &str = "sign_in";
const SIGN_UP: &str = "sign_up";
const CHANGE_EMAIL: &str = "change_email";

pub(super) async fn put(db: &Db, digest: &str, purpose: &Purpose, expires: Timestamp) -> Result<(), Error> {
    let (name, user, email, locale) = match purpose {
        Purpose::SignIn(user, email) => (SIGN_IN, Some(user), email, None),
        Purpose::SignUp(email, locale) => (SIGN_UP, None, email, Some(locale)),
        Purpose::ChangeEmail(user, email) => (CHANGE_EMAIL, Some(user), email, None),
    };
    let row = link::Model {
        digest: digest.to_owned(),
        purpose: name.to_owned(),
        user_id: user.map(|user| user.0.clone()),
        email: Some(email.as_str().to_owned()),
        locale: locale.map(|locale| locale.as_str().to_owned()),
        expires: expires.as_millis(),
    };
    link::Entity::insert(row.into_active_model()).exec_without_returning(db.writer()).await?;
    Ok(())
}

/// A link that lives; one that does not say where it was mailed, as those of earlier versions, does not.
pub(super) async fn find(db: &impl ConnectionTrait, digest: &str, now: Timestamp) -> Result<Option<Purpose>, Error> {
    let alive = link::Entity::find_by_id(digest).filter(Column::Expires.gt(now.as_millis()));
    alive.filter(Column::Email.is_not_null()).only(db).await?.map(from_row).transpose()
}

/// Whether the link was still there.
pub(super) async fn spend(db: &impl ConnectionTrait, digest: &str) -> Result<bool, Error> {
    Ok(link::Entity::delete_by_id(digest).exec(db).await?.rows_affected == 1)
}

pub(super) async fn end_all(db: &impl ConnectionTrait, user: &UserId) -> Result<(), Error> {
    link::Entity::delete_many().filter(Column::UserId.eq(user.as_str())).exec(db).await?;
    Ok(())
}

fn from_row(row: link::Model) -> Result<Purpose, Error> {
    let link::Model { purpose, user_id, email, locale: tag, .. } = row;
    let user = user_id.map(UserId).ok_or(Error::Row("user_id"));
    let email = email.unwrap_or_default().parse().map_err(|_| Error::Row("email"));
    match purpose.as_str() {
        SIGN_IN => Ok(Purpose::SignIn(user?, email?)),
        SIGN_UP => Ok(Purpose::SignUp(email?, locale(tag.as_deref().unwrap_or_default())?)),
        CHANGE_EMAIL => Ok(Purpose::ChangeEmail(user?, email?)),
        _ => Err(Error::Row("purpose")),
    }
}
