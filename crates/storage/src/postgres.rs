//! What is particular to PostgreSQL: many processes, row locks, and a channel that tells all of them of a job.

use std::time::Duration;

use sea_orm::{
    AccessMode, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    IsolationLevel, RuntimeErr, Statement, TransactionOptions,
    sqlx::{Connection, PgConnection, postgres::PgListener},
};
use tokio::{
    sync::{Mutex, Notify},
    time::timeout,
};

use crate::{
    Error,
    db::{Db, Engine},
};

pub(crate) const POSITION: &str = "strpos";
const CONNECTIONS: u32 = 20;
/// How long a caller waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a statement may run.
const STATEMENT: Duration = Duration::from_secs(30);
const CHANNEL: &str = "btp_jobs";
/// Any number that nothing else in the database locks.
const SCHEMA_LOCK: i64 = 0x0062_7470_0073_6368;

pub(crate) async fn open(url: &str) -> Result<Db, DbErr> {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(CONNECTIONS)
        .connect_timeout(PATIENCE)
        .acquire_timeout(PATIENCE)
        .statement_timeout(STATEMENT)
        .set_application_name("bike-trip-planner")
        .sqlx_logging(false);
    let pool = match Database::connect(options).await {
        Ok(pool) => pool,
        Err(err) => return Err(refusal(url).await.unwrap_or(err)),
    };
    Ok(Db::new(pool.clone(), pool, Engine::Postgres(Listener::default())))
}

/// Why the database cannot be reached: a pool merely says that it waited in vain, a single connection says for what.
async fn refusal(url: &str) -> Option<DbErr> {
    let refused = timeout(PATIENCE, PgConnection::connect(url)).await.ok()?.err()?;
    Some(DbErr::Conn(RuntimeErr::SqlxError(refused.into())))
}

/// Writers look at rows they have locked, and so at what was committed last.
pub(crate) fn write() -> TransactionOptions {
    TransactionOptions { isolation_level: Some(IsolationLevel::ReadCommitted), ..Default::default() }
}

pub(crate) fn snapshot() -> TransactionOptions {
    TransactionOptions {
        isolation_level: Some(IsolationLevel::RepeatableRead),
        access_mode: Some(AccessMode::ReadOnly),
        ..Default::default()
    }
}

/// Waits until no other process changes the schema; let go with the transaction.
pub(crate) async fn lock_schema(tx: &DatabaseTransaction) -> Result<(), Error> {
    let lock =
        Statement::from_sql_and_values(DbBackend::Postgres, "SELECT pg_advisory_xact_lock($1)", [SCHEMA_LOCK.into()]);
    tx.query_one_raw(lock).await?;
    Ok(())
}

/// Tells every process of a job, when and if `tx` commits.
pub(crate) async fn announce(tx: &DatabaseTransaction) -> Result<(), Error> {
    tx.execute_unprepared(&format!("NOTIFY {CHANNEL}")).await?;
    Ok(())
}

/// Lock and serialization failures, lack of connections or memory, cancelled for time, starting up or shutting down.
pub(crate) fn is_busy(code: &str) -> bool {
    code.len() == 5
        && (code.starts_with("53") || matches!(code, "40001" | "40P01" | "55P03" | "57014" | "57P01" | "57P03"))
}

/// Hears of jobs. Listening begins with the first wait: a process without a worker has no connection for it.
#[derive(Default)]
pub(crate) struct Listener {
    channel: Mutex<Option<PgListener>>,
    heard: Notify,
}

impl Listener {
    /// Returns when a job may have come. When the channel is lost it never does, and the caller's own patience ends the wait.
    pub(crate) async fn arrival(&self, pool: &DatabaseConnection) {
        tokio::select! {
            () = self.heard.notified() => {}
            () = self.listen(pool) => self.heard.notify_waiters(),
        }
    }

    /// One of several who wait in this process listens for all of them: the lock is the turn to do so.
    async fn listen(&self, pool: &DatabaseConnection) {
        let mut channel = self.channel.lock().await;
        let heard = match &mut *channel {
            Some(listening) => listening.try_recv().await.map(drop),
            // What came before the channel was open is not heard of, so opening it counts as news.
            none => begin(pool).await.map(|listening| *none = Some(listening)),
        };
        if let Err(err) = heard {
            tracing::warn!(
                error = &err as &dyn std::error::Error,
                "jobs of other processes are found by polling for now"
            );
            *channel = None;
            drop(channel);
            std::future::pending().await
        }
    }
}

async fn begin(pool: &DatabaseConnection) -> Result<PgListener, sea_orm::SqlxError> {
    let mut listener = PgListener::connect_with(pool.get_postgres_connection_pool()).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}
