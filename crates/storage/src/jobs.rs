//! The queue: rows with a lease. A job is claimed by one statement, so nothing is held while it runs.

use std::time::Duration;

use async_trait::async_trait;
use btp_domain::{
    TripId,
    store::{Job, JobId, JobQueue, Lease, LeasedJob, NewJob, StoreError},
};
use btp_kernel::{Timestamp, UserId};
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, ExprTrait, IntoActiveModel, QueryOrder, QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{LockBehavior, LockType, SubQueryStatement},
};

use crate::{
    Error,
    db::Db,
    rows::work::job::{self, Column},
};

const FETCH_ROUTE: &str = "fetch_route";
/// The kinds this version can do; others wait for a process that knows them.
const KINDS: [&str; 1] = [FETCH_ROUTE];

pub(crate) struct Jobs(pub(crate) Db);

/// Commits `tx` with new jobs, and wakes the workers when there are any.
pub(crate) async fn commit_with(db: &Db, tx: DatabaseTransaction, jobs: Vec<NewJob>) -> Result<(), Error> {
    if jobs.is_empty() {
        return Ok(tx.commit().await?);
    }
    let rows = jobs.into_iter().map(|new| to_row(new).into_active_model());
    job::Entity::insert_many(rows).exec_without_returning(&tx).await?;
    db.commit_and_wake(tx).await
}

/// Removes a job that is still held by `lease`. Whether it was.
pub(crate) async fn finish(db: &impl ConnectionTrait, lease: &Lease) -> Result<bool, Error> {
    let done = job::Entity::delete_many().filter(held_by(lease)).exec(db).await?;
    Ok(done.rows_affected == 1)
}

#[async_trait]
impl JobQueue for Jobs {
    async fn claim(&self, token: &str, now: Timestamp, hold: Duration) -> Result<Option<LeasedJob>, StoreError> {
        let now_millis = now.as_millis();
        let free = Condition::any().add(Column::LeaseUntil.is_null()).add(Column::LeaseUntil.lte(now_millis));
        let oldest = job::Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Due.lte(now_millis))
            .filter(free)
            .filter(Column::Kind.is_in(KINDS))
            .order_by_asc(Column::Due)
            .order_by_asc(Column::Id)
            .limit(1)
            .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
            .into_query();
        let taken = job::Entity::update_many()
            .col_expr(Column::LeaseToken, Expr::value(token))
            .col_expr(Column::LeaseUntil, Expr::value(now.plus(hold).as_millis()))
            .col_expr(Column::Attempts, Expr::col(Column::Attempts).add(1))
            .filter(ExprTrait::eq(Expr::col(Column::Id), SubQueryStatement::from(oldest)))
            .exec_with_returning(self.0.writer())
            .await
            .map_err(Error::from)?;
        Ok(taken.into_iter().next().map(|row| from_row(row, token)).transpose()?)
    }

    async fn renew(&self, lease: &Lease, now: Timestamp, hold: Duration) -> Result<bool, StoreError> {
        let renewed = job::Entity::update_many()
            .col_expr(Column::LeaseUntil, Expr::value(now.plus(hold).as_millis()))
            .filter(held_by(lease))
            .exec(self.0.writer())
            .await
            .map_err(Error::from)?;
        Ok(renewed.rows_affected == 1)
    }

    async fn put_back(&self, lease: &Lease, due: Timestamp) -> Result<(), StoreError> {
        let tx = self.0.begin().await?;
        let free = free().col_expr(Column::Due, Expr::value(due.as_millis())).filter(held_by(lease));
        free.exec(&tx).await.map_err(Error::from)?;
        Ok(self.0.commit_and_wake(tx).await?)
    }

    async fn remove(&self, lease: &Lease) -> Result<(), StoreError> {
        finish(self.0.writer(), lease).await?;
        Ok(())
    }

    async fn free_all(&self) -> Result<u64, StoreError> {
        let tx = self.0.begin().await?;
        let freed = free().filter(Column::LeaseToken.is_not_null()).exec(&tx).await.map_err(Error::from)?;
        self.0.commit_and_wake(tx).await?;
        Ok(freed.rows_affected)
    }

    async fn wait(&self, at_most: Duration) {
        self.0.wait(at_most).await;
    }
}

fn held_by(lease: &Lease) -> Condition {
    Condition::all().add(Column::Id.eq(lease.job.as_str())).add(Column::LeaseToken.eq(lease.token.as_str()))
}

fn free() -> sea_orm::UpdateMany<job::Entity> {
    job::Entity::update_many()
        .col_expr(Column::LeaseToken, Expr::value(None::<String>))
        .col_expr(Column::LeaseUntil, Expr::value(None::<i64>))
}

fn to_row(NewJob { id, job, due }: NewJob) -> job::Model {
    let Job::FetchRoute { owner, trip } = job;
    job::Model {
        id: id.0,
        kind: FETCH_ROUTE.to_owned(),
        user_id: owner.0,
        trip_id: Some(trip.0),
        due: due.as_millis(),
        attempts: 0,
        lease_token: None,
        lease_until: None,
    }
}

fn from_row(row: job::Model, token: &str) -> Result<LeasedJob, Error> {
    let job = match (row.kind.as_str(), row.trip_id) {
        (FETCH_ROUTE, Some(trip)) => Job::FetchRoute { owner: UserId(row.user_id), trip: TripId(trip) },
        _ => return Err(Error::Row("kind")),
    };
    let attempt = u32::try_from(row.attempts).map_err(|_| Error::Row("attempts"))?;
    Ok(LeasedJob { lease: Lease { job: JobId(row.id), token: token.to_owned() }, attempt, job })
}
