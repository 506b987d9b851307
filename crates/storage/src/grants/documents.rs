//! Clients as their documents describe them.

use btp_kernel::{ClientId, Timestamp};
use btp_oauth::store::{Client, Documented};
use sea_orm::{DatabaseTransaction, IntoActiveModel, QuerySelect, entity::prelude::*};

use super::clients;
use crate::{
    Error,
    db::Db,
    only::Only as _,
    rows::{
        is_foreign,
        oauth::{
            client::{self, Column},
            code, request,
        },
    },
};

/// The row of the client is the lock: whoever redeems a code of it waits for what is decided here, or is waited for.
pub(super) async fn put(db: &Db, client: &Client) -> Result<Documented, Error> {
    let tx = db.begin().await?;
    let Some(stored) = held(&tx, client.id.as_str()).await? else {
        // Another process may have stored it just now: then its row stands, and the next request sees it.
        let insert = client::Entity::insert(clients::row(client)?.into_active_model());
        insert.on_conflict_do_nothing_on([Column::Id]).exec_without_returning(&tx).await?;
        tx.commit().await?;
        return Ok(Documented { client: client.clone(), changed: false });
    };
    if stored.disabled || stored.document.is_none() {
        return Ok(Documented { client: stored, changed: false });
    }
    let changed = (&stored.name, &stored.redirect_uris) != (&client.name, &client.redirect_uris);
    let client = Client { created_at: stored.created_at, ..client.clone() };
    let mut row = clients::row(&client)?.into_active_model();
    for column in [Column::Name, Column::RedirectUris, Column::DocumentFetchedAt, Column::DocumentExpires] {
        row.reset(column);
    }
    client::Entity::update(row).exec_without_returning(&tx).await?;
    if changed {
        forget_unsettled(&tx, client.id.as_str()).await?;
    }
    tx.commit().await?;
    Ok(Documented { client, changed })
}

pub(super) async fn withdraw(db: &Db, id: &ClientId, now: Timestamp) -> Result<(), Error> {
    if is_foreign(id.as_str()) {
        return Ok(());
    }
    let tx = db.begin().await?;
    let stale = client::Entity::update_many()
        .col_expr(Column::DocumentExpires, Expr::value(now.as_millis()))
        .filter(Column::Id.eq(id.as_str()))
        .filter(Column::DocumentExpires.is_not_null());
    if stale.exec(&tx).await?.rows_affected > 0 {
        forget_unsettled(&tx, id.as_str()).await?;
    }
    Ok(tx.commit().await?)
}

async fn held(tx: &DatabaseTransaction, id: &str) -> Result<Option<Client>, Error> {
    client::Entity::find_by_id(id).lock_exclusive().only(tx).await?.map(clients::from_row).transpose()
}

/// What the person would decide, or has decided, about a document that is no more. A used code stays: it gives a replay
/// away.
async fn forget_unsettled(tx: &DatabaseTransaction, id: &str) -> Result<(), Error> {
    let open = code::Entity::delete_many().filter(code::Column::Client.eq(id)).filter(code::Column::UsedAt.is_null());
    open.exec(tx).await?;
    request::Entity::delete_many().filter(request::Column::Client.eq(id)).exec(tx).await?;
    Ok(())
}
