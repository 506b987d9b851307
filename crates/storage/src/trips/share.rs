//! Public links: at most one of a trip is active.

use btp_domain::{ShareLink, SharedTrip, TripId, store::StoreError};
use btp_kernel::{Timestamp, UserId};
use sea_orm::{ConnectionTrait, IntoActiveModel, QuerySelect, QueryTrait, entity::prelude::*, sea_query::OnConflict};

use super::{owned, read};
use crate::{
    Error,
    db::Db,
    line_codec,
    only::Only as _,
    rows::{
        is_foreign, time,
        trips::{line, share_link, trip},
    },
};

pub(super) async fn link(db: &impl ConnectionTrait, owner: &UserId, id: &TripId) -> Result<Option<ShareLink>, Error> {
    let active = share_link::Entity::find()
        .inner_join(trip::Entity)
        .filter(owned(owner, id))
        .filter(share_link::Column::RevokedAt.is_null())
        .only(db)
        .await?;
    Ok(active.map(|row| ShareLink { code: row.code, created_at: time(row.created_at) }))
}

pub(super) async fn share(db: &Db, owner: &UserId, id: &TripId, new: ShareLink) -> Result<ShareLink, StoreError> {
    let tx = db.begin().await?;
    // Whoever shares or unshares holds the trip's row: nobody else does meanwhile.
    let held = trip::Entity::find().select_only().column(trip::Column::Id).filter(owned(owner, id)).lock_exclusive();
    held.into_tuple::<String>().only(&tx).await.map_err(Error::from)?.ok_or(StoreError::Gone)?;
    if let Some(active) = link(&tx, owner, id).await? {
        return Ok(active);
    }
    let row = share_link::Model {
        code: new.code.clone(),
        trip_id: id.0.clone(),
        created_at: new.created_at.as_millis(),
        revoked_at: None,
    };
    let insert = share_link::Entity::insert(row.into_active_model())
        .on_conflict(OnConflict::column(share_link::Column::Code).do_nothing().to_owned());
    if insert.exec_without_returning(&tx).await.map_err(Error::from)? == 0 {
        return Err(Error::Race.into()); // the code is another trip's, once in 2^48
    }
    tx.commit().await.map_err(Error::from)?;
    Ok(new)
}

pub(super) async fn unshare(db: &Db, owner: &UserId, id: &TripId, now: Timestamp) -> Result<bool, Error> {
    let mine = trip::Entity::find().select_only().column(trip::Column::Id).filter(owned(owner, id)).into_query();
    let revoked = share_link::Entity::update_many()
        .col_expr(share_link::Column::RevokedAt, now.as_millis().into())
        .filter(share_link::Column::TripId.in_subquery(mine))
        .filter(share_link::Column::RevokedAt.is_null())
        .exec(db.writer())
        .await?;
    Ok(revoked.rows_affected > 0)
}

pub(super) async fn shared(db: &Db, code: &str) -> Result<Option<SharedTrip>, Error> {
    if is_foreign(code) {
        return Ok(None);
    }
    let tx = db.snapshot().await?;
    let active = share_link::Entity::find_by_id(code).filter(share_link::Column::RevokedAt.is_null()).only(&tx).await?;
    let Some(link) = active else { return Ok(None) };
    let Some(trip) = read(&tx, trip::Column::Id.eq(link.trip_id.as_str()).into()).await? else { return Ok(None) };
    let line = line::Entity::find_by_id(link.trip_id).only(&tx).await?;
    tx.commit().await?;
    let line = match line {
        Some(row) => Some(line_codec::unpack(row.tracks).await?),
        None => None,
    };
    Ok(Some(SharedTrip { trip, line }))
}
