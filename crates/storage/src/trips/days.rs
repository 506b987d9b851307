//! The days of a trip as a change writes them: only those that differ from the former ones. Rows are made before the
//! transaction begins, since others wait for its end.

use btp_domain::{Stage, Trip};
use sea_orm::{ConnectionTrait, IntoActiveModel, Iterable, entity::prelude::*, sea_query::OnConflict};

use super::convert;
use crate::{
    Error,
    rows::{
        to_json,
        trips::{split, stage},
    },
};

/// Days to write.
pub(super) struct Days {
    /// Those that are new or differ.
    rows: Vec<stage::Model>,
    /// Which of those that are stored are no more.
    gone: Option<Expr>,
    /// The former ones, to be kept for undo.
    kept: Option<split::Model>,
}

impl Days {
    /// The days of a new trip.
    pub(super) fn first(trip: &Trip) -> Result<Self, Error> {
        Ok(Self { rows: convert::stage_rows(&trip.id, &trip.stages)?, gone: None, kept: None })
    }

    /// The days of a trip that changes; `former` are those stored at the version `read`, when they are known.
    pub(super) fn changed(trip: &Trip, former: Option<&[Stage]>, read: u64) -> Result<Self, Error> {
        let Self { mut rows, .. } = Self::first(trip)?;
        let Some(former) = former else {
            let gone = stage::Column::Id.is_not_in(rows.iter().map(|row| row.id.as_str()));
            return Ok(Self { rows, gone: Some(gone), kept: None });
        };
        let former = convert::stage_rows(&trip.id, former)?;
        let is_gone = |day: &&stage::Model| !trip.stages.iter().any(|stage| stage.id.0 == day.id);
        let gone: Vec<_> = former.iter().filter(is_gone).map(|day| day.id.as_str()).collect();
        let gone = (!gone.is_empty()).then(|| stage::Column::Id.is_in(gone));
        let kept = split::Model {
            trip_id: trip.id.0.clone(),
            version: convert::number("version", read)?,
            split: to_json(&former)?,
            created_at: trip.updated_at.as_millis(),
        };
        rows.retain(|row| !former.contains(row));
        Ok(Self { rows, gone, kept: Some(kept) })
    }

    pub(super) async fn write(self, tx: &impl ConnectionTrait, trip: &Trip) -> Result<(), Error> {
        if let Some(kept) = self.kept {
            split::Entity::insert(kept.into_active_model()).exec_without_returning(tx).await?;
        }
        if let Some(gone) = self.gone {
            let theirs = stage::Column::TripId.eq(trip.id.as_str());
            stage::Entity::delete_many().filter(theirs).filter(gone).exec(tx).await?;
        }
        put(tx, self.rows).await
    }
}

/// Days that exist keep what enrichment stored beside these columns.
async fn put(tx: &impl ConnectionTrait, rows: Vec<stage::Model>) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let is_key = |column: &stage::Column| matches!(column, stage::Column::TripId | stage::Column::Id);
    let values = stage::Column::iter().filter(|column| !is_key(column));
    let replace = OnConflict::columns([stage::Column::TripId, stage::Column::Id]).update_columns(values).to_owned();
    let rows = rows.into_iter().map(IntoActiveModel::into_active_model);
    stage::Entity::insert_many(rows).on_conflict(replace).exec_without_returning(tx).await?;
    Ok(())
}
