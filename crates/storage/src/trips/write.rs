//! Writes: each is one transaction. Whoever changes a trip locks its row first and its jobs after, so that no two wait for
//! each other.

use btp_domain::{
    Line, Trip,
    store::{Change, NewTrip, StoreError, Stored},
};
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, IntoActiveModel, QuerySelect, entity::prelude::*, sea_query::OnConflict,
};

use super::{convert, days::Days, owned};
use crate::{
    Error,
    db::Db,
    jobs, line_codec,
    only::Only as _,
    rows::trips::{computation, creation, line, trip},
};

pub(super) async fn create(db: &Db, new: NewTrip) -> Result<Stored, Error> {
    let not_before = new.not_before.as_millis();
    let line = packed(new.line).await?;
    let days = Days::first(&new.trip)?;
    let tx = db.begin().await?;
    let key = (new.trip.owner.0.clone(), new.key.0);
    let recorded = || creation::Entity::find_by_id(key.clone()).filter(creation::Column::CreatedAt.gte(not_before));
    if let Some(first) = recorded().only(&tx).await? {
        return Ok(Stored::Existing(convert::creation(first)));
    }
    trip::Entity::insert(convert::trip_row(&new.trip, 0)?.into_active_model()).exec_without_returning(&tx).await?;
    let record = creation::Model {
        user_id: key.0.clone(),
        creation_key: key.1.clone(),
        arguments: new.arguments,
        trip_id: new.trip.id.0.clone(),
        created_at: new.trip.created_at.as_millis(),
    };
    // The unique index decides a race; only a record that is too old gives way.
    let won = creation::Entity::insert(record.into_active_model())
        .on_conflict(
            OnConflict::columns([creation::Column::UserId, creation::Column::CreationKey])
                .update_columns([creation::Column::Arguments, creation::Column::TripId, creation::Column::CreatedAt])
                .action_and_where(creation::Column::CreatedAt.lt(not_before))
                .to_owned(),
        )
        .exec_without_returning(&tx)
        .await?;
    if won == 0 {
        let first = recorded().only(&tx).await?;
        return first.map(|row| Stored::Existing(convert::creation(row))).ok_or(Error::Race);
    }
    write_computations(&tx, &new.trip).await?;
    days.write(&tx, &new.trip).await?;
    if let Some(line) = line {
        write_line(&tx, &new.trip, line).await?;
    }
    jobs::commit_with(db, tx, new.jobs).await?;
    Ok(Stored::New)
}

pub(super) async fn commit(db: &Db, change: Change) -> Result<(), StoreError> {
    let Change { trip, read, line, former, jobs, finishes } = change;
    let line = packed(line).await?;
    let days = Days::changed(&trip, former.as_deref(), read)?;
    let tx = db.begin().await?;
    let (current, revision) = trip::Entity::find()
        .select_only()
        .columns([trip::Column::Version, trip::Column::Revision])
        .filter(owned(&trip.owner, &trip.id))
        .lock_exclusive()
        .into_tuple::<(i64, i64)>()
        .only(&tx)
        .await
        .map_err(Error::from)?
        .ok_or(StoreError::Gone)?;
    if let Some(lease) = &finishes
        && !jobs::finish(&tx, lease).await?
    {
        return Err(StoreError::LeaseLost);
    }
    let current = convert::number("version", current)?;
    if current != read {
        return Err(StoreError::Moved(current));
    }
    let row = convert::trip_row(&trip, revision + 1)?.into_active_model().reset_all();
    trip::Entity::update_many().set(row).filter(owned(&trip.owner, &trip.id)).exec(&tx).await.map_err(Error::from)?;
    days.write(&tx, &trip).await?;
    write_computations(&tx, &trip).await?;
    if let Some(line) = line {
        write_line(&tx, &trip, line).await?;
    }
    Ok(jobs::commit_with(db, tx, jobs).await?)
}

/// The line as it is stored: made before a transaction begins, since others wait for that one's end.
async fn packed(line: Option<Line>) -> Result<Option<Vec<u8>>, Error> {
    match line {
        Some(line) => line_codec::pack(line).await.map(Some),
        None => Ok(None),
    }
}

async fn write_line(tx: &impl ConnectionTrait, trip: &Trip, tracks: Vec<u8>) -> Result<(), Error> {
    let row = line::Model { trip_id: trip.id.0.clone(), tracks };
    let replace = OnConflict::column(line::Column::TripId).update_column(line::Column::Tracks).to_owned();
    line::Entity::insert(row.into_active_model()).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}

async fn write_computations(tx: &impl ConnectionTrait, trip: &Trip) -> Result<(), Error> {
    let replace = OnConflict::columns([computation::Column::TripId, computation::Column::Computation])
        .update_columns([computation::Column::Category, computation::Column::Status, computation::Column::Version])
        .to_owned();
    let rows = convert::computation_rows(trip)?.into_iter().map(IntoActiveModel::into_active_model);
    computation::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}
