//! Clients: found, listed, stored by an operator, disabled, enabled.

use btp_kernel::{ClientId, Timestamp};
use btp_oauth::store::{Client, Document, ended};
use sea_orm::{
    IntoActiveModel, Iterable, QueryOrder, QuerySelect, QueryTrait, entity::prelude::*, sea_query::OnConflict,
};

use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        from_json, is_foreign,
        oauth::{
            client::{self, Column},
            code, family, grant, request,
        },
        time, to_json,
    },
};

pub(super) async fn find(db: &Db, id: &ClientId) -> Result<Option<Client>, Error> {
    if is_foreign(id.as_str()) {
        return Ok(None);
    }
    client::Entity::find_by_id(id.as_str()).only(db.reader()).await?.map(from_row).transpose()
}

pub(super) async fn all(db: &Db) -> Result<Vec<Client>, Error> {
    let rows = client::Entity::find().order_by_asc(Column::Id).all(db.reader()).await?;
    rows.into_iter().map(from_row).collect()
}

pub(super) async fn put(db: &Db, client: &Client) -> Result<(), Error> {
    let values = Column::iter().filter(|column| !matches!(column, Column::Id | Column::Disabled));
    let replace = OnConflict::column(Column::Id).update_columns(values).to_owned();
    client::Entity::insert(row(client)?.into_active_model())
        .on_conflict(replace)
        .exec_without_returning(db.writer())
        .await?;
    Ok(())
}

pub(super) async fn disable(db: &Db, id: &ClientId, now: Timestamp) -> Result<bool, Error> {
    if is_foreign(id.as_str()) {
        return Ok(false);
    }
    let (id, now) = (id.as_str(), now.as_millis());
    let tx = db.begin().await?;
    let client = client::Entity::update_many().col_expr(Column::Disabled, Expr::value(true)).filter(Column::Id.eq(id));
    if client.exec(&tx).await?.rows_affected == 0 {
        return Ok(false);
    }
    // Grants, codes, requests: in the order in which a person who revokes takes them, so that neither waits for the other.
    grant::Entity::update_many()
        .col_expr(grant::Column::RevokedAt, Expr::value(now))
        .col_expr(grant::Column::LastUsedAt, Expr::value(None::<i64>))
        .filter(grant::Column::Client.eq(id))
        .filter(grant::Column::RevokedAt.is_null())
        .exec(&tx)
        .await?;
    code::Entity::delete_many().filter(code::Column::Client.eq(id)).exec(&tx).await?;
    request::Entity::delete_many().filter(request::Column::Client.eq(id)).exec(&tx).await?;
    let grants =
        grant::Entity::find().select_only().column(grant::Column::Id).filter(grant::Column::Client.eq(id)).into_query();
    family::Entity::update_many()
        .col_expr(family::Column::RevokedAt, Expr::value(now))
        .col_expr(family::Column::Reason, Expr::value(ended::CLIENT))
        .filter(family::Column::GrantId.in_subquery(grants))
        .filter(family::Column::RevokedAt.is_null())
        .exec(&tx)
        .await?;
    tx.commit().await?;
    Ok(true)
}

pub(super) async fn enable(db: &Db, id: &ClientId) -> Result<bool, Error> {
    if is_foreign(id.as_str()) {
        return Ok(false);
    }
    let client = client::Entity::update_many().col_expr(Column::Disabled, Expr::value(false));
    Ok(client.filter(Column::Id.eq(id.as_str())).exec(db.writer()).await?.rows_affected > 0)
}

pub(super) fn row(client: &Client) -> Result<client::Model, Error> {
    Ok(client::Model {
        id: client.id.0.clone(),
        name: client.name.clone(),
        redirect_uris: to_json(&client.redirect_uris)?,
        disabled: client.disabled,
        created_at: client.created_at.as_millis(),
        document_fetched_at: client.document.map(|document| document.fetched_at.as_millis()),
        document_expires: client.document.map(|document| document.expires.as_millis()),
    })
}

pub(super) fn from_row(row: client::Model) -> Result<Client, Error> {
    Ok(Client {
        id: ClientId(row.id),
        name: row.name,
        redirect_uris: from_json("redirect_uris", &row.redirect_uris)?,
        disabled: row.disabled,
        created_at: time(row.created_at),
        document: row
            .document_fetched_at
            .zip(row.document_expires)
            .map(|(fetched_at, expires)| Document { fetched_at: time(fetched_at), expires: time(expires) }),
    })
}
