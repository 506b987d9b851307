//! Pages of trips, from the columns that lists need.

use std::collections::HashMap;

use btp_domain::{
    Trip, TripId, TripSummary,
    store::{TripPage, TripQuery},
};
use btp_kernel::UserId;
use sea_orm::{ExprTrait, FromQueryResult, QueryOrder, QuerySelect, QueryTrait, entity::prelude::*, sea_query::Func};

use super::convert;
use crate::{
    Error,
    db::Db,
    rows::{
        is_foreign, time,
        trips::{
            computation, stage,
            trip::{self, Column},
        },
    },
};

#[derive(FromQueryResult)]
struct Row {
    id: String,
    title: Option<String>,
    start_date: Option<String>,
    shown_end_date: Option<String>,
    ridden_metres: f64,
    ridden_count: i32,
    created_at: i64,
    updated_at: i64,
    list_status: String,
}

pub(super) async fn page(db: &Db, owner: &UserId, query: &TripQuery) -> Result<TripPage, Error> {
    if query.title.as_deref().is_some_and(is_foreign) {
        return Ok(TripPage { total: 0, trips: Vec::new() });
    }
    let matching = matching(db, owner, query);
    let skipped = u64::from(query.page.saturating_sub(1)) * u64::from(query.per_page);
    let tx = db.snapshot().await?;
    let total = matching.clone().count(&tx).await?;
    let rows = matching
        .select_only()
        .columns([
            Column::Id,
            Column::Title,
            Column::StartDate,
            Column::ShownEndDate,
            Column::RiddenMetres,
            Column::RiddenCount,
            Column::CreatedAt,
            Column::UpdatedAt,
            Column::ListStatus,
        ])
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .offset(skipped)
        .limit(u64::from(query.per_page))
        .into_model::<Row>()
        .all(&tx)
        .await?;
    tx.commit().await?;
    Ok(TripPage { total, trips: rows.into_iter().map(summary).collect::<Result<_, _>>()? })
}

/// In three statements, however many trips there are.
pub(super) async fn all(db: &Db, owner: &UserId) -> Result<Vec<Trip>, Error> {
    let owned = trip::Entity::find().filter(Column::UserId.eq(owner.as_str()));
    let tx = db.snapshot().await?;
    let trips = owned.clone().order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).all(&tx).await?;
    let ids = owned.select_only().column(Column::Id).into_query();
    let computations =
        computation::Entity::find().filter(computation::Column::TripId.in_subquery(ids.clone())).all(&tx).await?;
    let stages = stage::Entity::find()
        .filter(stage::Column::TripId.in_subquery(ids))
        .order_by_asc(stage::Column::Position)
        .all(&tx)
        .await?;
    tx.commit().await?;
    let mut computations = by_trip(computations, |row| &row.trip_id);
    let mut stages = by_trip(stages, |row| &row.trip_id);
    let whole = trips.into_iter().map(|row| {
        let computations = computations.remove(&row.id).unwrap_or_default();
        let stages = stages.remove(&row.id).unwrap_or_default();
        convert::trip(row, &computations, convert::stages(stages)?)
    });
    whole.collect()
}

fn by_trip<R>(rows: Vec<R>, of: impl Fn(&R) -> &String) -> HashMap<String, Vec<R>> {
    let mut grouped: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows {
        grouped.entry(of(&row).clone()).or_default().push(row);
    }
    grouped
}

fn matching(db: &Db, owner: &UserId, query: &TripQuery) -> Select<trip::Entity> {
    let mut rows = trip::Entity::find().filter(Column::UserId.eq(owner.as_str()));
    if let Some(title) = &query.title {
        let position = Func::cust(db.position()).arg(Expr::col(Column::TitleFolded)).arg(title.to_lowercase());
        rows = rows.filter(Expr::from(position).gt(0));
    }
    if let Some(start) = query.start {
        rows = rows.filter(Column::StartDate.gte(start.to_string()));
    }
    if let Some(end) = query.end {
        rows = rows.filter(Column::ShownEndDate.lte(end.to_string()));
    }
    rows
}

fn summary(row: Row) -> Result<TripSummary, Error> {
    Ok(TripSummary {
        id: TripId(row.id),
        title: row.title,
        start_date: convert::date("start_date", row.start_date)?,
        end_date: convert::date("shown_end_date", row.shown_end_date)?,
        distance: row.ridden_metres,
        stage_count: convert::number("ridden_count", row.ridden_count)?,
        created_at: time(row.created_at),
        updated_at: time(row.updated_at),
        status: convert::list_status(&row.list_status)?,
    })
}
