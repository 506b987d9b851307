//! Trips and what is written with them.

mod convert;
mod days;
mod kept;
mod legs;
mod list;
mod share;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use btp_domain::{
    Line, ShareLink, SharedTrip, Stage, Trip, TripId,
    store::{Change, Creation, CreationKey, NewTrip, StoreError, Stored, TripPage, TripQuery, TripStore},
};
use btp_kernel::{Timestamp, UserId};
use sea_orm::{Condition, ConnectionTrait, QueryOrder, entity::prelude::*};

pub(crate) use self::kept::KeptDays;

use crate::{
    Error,
    db::Db,
    line_codec,
    only::Only as _,
    rows::{
        from_json, is_foreign,
        trips::{computation, creation, line, split, stage, trip},
    },
};

/// The trips of a database, and the days that were read of it.
pub(crate) struct Trips(pub(crate) Db, pub(crate) Arc<KeptDays>);

#[async_trait]
impl TripStore for Trips {
    async fn list(&self, owner: &UserId, query: &TripQuery) -> Result<TripPage, StoreError> {
        Ok(list::page(&self.0, owner, query).await?)
    }

    async fn find(&self, owner: &UserId, id: &TripId) -> Result<Option<Trip>, StoreError> {
        Ok(self.read(owner, id).await?)
    }

    async fn all(&self, owner: &UserId) -> Result<Vec<Trip>, StoreError> {
        Ok(list::all(&self.0, owner).await?)
    }

    async fn line(&self, owner: &UserId, id: &TripId) -> Result<Option<Line>, StoreError> {
        if is_foreign(id.as_str()) {
            return Ok(None);
        }
        let row = line::Entity::find_by_id(id.as_str())
            .inner_join(trip::Entity)
            .filter(trip::Column::UserId.eq(owner.as_str()))
            .only(self.0.reader())
            .await
            .map_err(Error::from)?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(line_codec::unpack(row.tracks).await?))
    }

    async fn replay(
        &self,
        owner: &UserId,
        keys: &[CreationKey],
        not_before: Timestamp,
    ) -> Result<Option<Creation>, StoreError> {
        let rows = creation::Entity::find()
            .filter(creation::Column::UserId.eq(owner.as_str()))
            .filter(creation::Column::CreationKey.is_in(keys.iter().map(|key| key.0.as_str())))
            .filter(creation::Column::CreatedAt.gte(not_before.as_millis()))
            .all(self.0.reader())
            .await
            .map_err(Error::from)?;
        let first = rows.into_iter().min_by_key(|row| keys.iter().position(|key| key.0 == row.creation_key));
        Ok(first.map(convert::creation))
    }

    async fn create(&self, new: NewTrip) -> Result<Stored, StoreError> {
        let stored = write::create(&self.0, new).await;
        // All rows but the trip's own belong to it: an account may be deleted while its last file is read.
        stored.map_err(|err| if err.is_orphan() { StoreError::Gone } else { err.into() })
    }

    async fn commit(&self, change: Change) -> Result<(), StoreError> {
        write::commit(&self.0, change).await
    }

    async fn delete(&self, owner: &UserId, id: &TripId) -> Result<bool, StoreError> {
        if is_foreign(id.as_str()) {
            return Ok(false);
        }
        let deleted = trip::Entity::delete_many().filter(owned(owner, id)).exec(self.0.writer()).await;
        Ok(deleted.map_err(Error::from)?.rows_affected == 1)
    }

    async fn former_days(&self, owner: &UserId, id: &TripId, version: u64) -> Result<Option<Vec<Stage>>, StoreError> {
        let Ok(version) = i64::try_from(version) else { return Ok(None) };
        if is_foreign(id.as_str()) {
            return Ok(None);
        }
        let row = split::Entity::find_by_id((id.0.clone(), version))
            .inner_join(trip::Entity)
            .filter(trip::Column::UserId.eq(owner.as_str()))
            .only(self.0.reader())
            .await
            .map_err(Error::from)?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(convert::stages(from_json("split", &row.split)?)?))
    }

    async fn link(&self, owner: &UserId, id: &TripId) -> Result<Option<ShareLink>, StoreError> {
        if is_foreign(id.as_str()) {
            return Ok(None);
        }
        Ok(share::link(self.0.reader(), owner, id).await?)
    }

    async fn share(&self, owner: &UserId, id: &TripId, link: ShareLink) -> Result<ShareLink, StoreError> {
        if is_foreign(id.as_str()) {
            return Err(StoreError::Gone);
        }
        share::share(&self.0, owner, id, link).await
    }

    async fn unshare(&self, owner: &UserId, id: &TripId, now: Timestamp) -> Result<bool, StoreError> {
        if is_foreign(id.as_str()) {
            return Ok(false);
        }
        Ok(share::unshare(&self.0, owner, id, now).await?)
    }

    async fn shared(&self, code: &str) -> Result<Option<SharedTrip>, StoreError> {
        Ok(share::shared(&self.0, code).await?)
    }
}

impl Trips {
    async fn read(&self, owner: &UserId, id: &TripId) -> Result<Option<Trip>, Error> {
        if is_foreign(id.as_str()) {
            return Ok(None);
        }
        let Some((row, computations)) = read_row(self.0.reader(), owned(owner, id)).await? else { return Ok(None) };
        if let Some(days) = self.1.get(&row.id, row.revision) {
            return convert::trip(row, &computations, days).map(Some);
        }
        let tx = self.0.snapshot().await?;
        let found = read_whole(&tx, owned(owner, id)).await?;
        tx.commit().await?;
        let Some((revision, trip)) = found else { return Ok(None) };
        self.1.keep(&trip, revision);
        Ok(Some(trip))
    }
}

/// The trip that is `chosen`, with its days.
async fn read(tx: &impl ConnectionTrait, chosen: Condition) -> Result<Option<Trip>, Error> {
    Ok(read_whole(tx, chosen).await?.map(|(_, trip)| trip))
}

/// The same with its revision. In a snapshot, for these are two statements.
async fn read_whole(tx: &impl ConnectionTrait, chosen: Condition) -> Result<Option<(i64, Trip)>, Error> {
    let Some((row, computations)) = read_row(tx, chosen).await? else { return Ok(None) };
    let days = stage::Entity::find()
        .filter(stage::Column::TripId.eq(row.id.as_str()))
        .order_by_asc(stage::Column::Position)
        .all(tx)
        .await?;
    let revision = row.revision;
    Ok(Some((revision, convert::trip(row, &computations, convert::stages(days)?)?)))
}

async fn read_row(
    db: &impl ConnectionTrait,
    chosen: Condition,
) -> Result<Option<(trip::Model, Vec<computation::Model>)>, Error> {
    let found = trip::Entity::find().filter(chosen).find_with_related(computation::Entity).all(db).await?;
    Ok(found.into_iter().next())
}

/// Ownership is part of every query.
fn owned(owner: &UserId, id: &TripId) -> Condition {
    Condition::all().add(trip::Column::Id.eq(id.as_str())).add(trip::Column::UserId.eq(owner.as_str()))
}
