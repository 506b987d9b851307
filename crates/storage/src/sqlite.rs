//! What is particular to SQLite: one file, one writer at a time, one serving process.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use btp_kernel::BoxError;
use sea_orm::{
    ConnectOptions, Database, DbErr, SqliteTransactionMode, TransactionOptions,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use tokio::sync::Notify;

use crate::db::{Db, Engine};

pub(crate) const POSITION: &str = "instr";
const READERS: u32 = 4;
/// How long a statement waits for another process, and a caller for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the file, making it when it is not there.
pub(crate) async fn open(url: &str) -> Result<Db, DbErr> {
    let write = Database::connect(options(url, 1, |sqlite| {
        sqlite.create_if_missing(true).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal)
    }))
    .await?;
    let read = Database::connect(options(url, READERS, |sqlite| sqlite.pragma("query_only", "ON"))).await?;
    Ok(Db::new(read, write, Engine::Sqlite(Notify::new())))
}

fn options(
    url: &str,
    connections: u32,
    also: impl Fn(SqliteConnectOptions) -> SqliteConnectOptions + Send + Sync + 'static,
) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(move |sqlite| also(sqlite.foreign_keys(true).busy_timeout(PATIENCE)));
    options
}

/// Takes the write lock at once: a transaction that reads first and then writes would be refused when another wrote between.
pub(crate) fn write() -> TransactionOptions {
    TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate), ..Default::default() }
}

pub(crate) fn snapshot() -> TransactionOptions {
    TransactionOptions { sqlite_transaction_mode: Some(SqliteTransactionMode::Deferred), ..Default::default() }
}

/// SQLITE_BUSY and SQLITE_LOCKED, plain or extended. (PostgreSQL's codes have five characters, these at most four.)
pub(crate) fn is_busy(code: &str) -> bool {
    code.len() < 5 && code.parse().is_ok_and(|code: u32| matches!(code & 0xff, 5 | 6))
}

/// The address of a database file, for [`connect`](crate::connect).
pub fn file_url(file: &Path) -> String {
    let mut url = "sqlite:".to_owned();
    for char in file.to_string_lossy().chars() {
        match char {
            '%' => url.push_str("%25"),
            '?' => url.push_str("%3F"),
            '#' => url.push_str("%23"),
            other => url.push(other),
        }
    }
    url
}

/// Holds a database file for the process that serves from it; dropped, it lets go.
#[derive(Debug)]
pub struct ServingLock(#[expect(dead_code, reason = "the open file is the lock")] File);

/// Why a process may not serve from a database file.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process serves from it.
    #[error("another process serves from {0}: SQLite is for one serving process; use PostgreSQL for several")]
    Held(PathBuf),
    /// The lock file beside it cannot be made.
    #[error("the lock file {0} cannot be opened")]
    File(PathBuf, #[source] BoxError),
}

/// Makes sure that no other process serves from `database`. Short commands need no lock.
///
/// The lock is on a file beside it (`….lock`), which stays: the operating system frees the lock when the process ends, however it ends.
///
/// # Errors
/// [`LockError::Held`] when another process has it.
pub fn lock_for_serving(database: &Path) -> Result<ServingLock, LockError> {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    let path = PathBuf::from(path);
    let failed = |err: io::Error| LockError::File(path.clone(), Box::new(err));
    let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(ServingLock(file)),
        Err(TryLockError::WouldBlock) => Err(LockError::Held(database.to_owned())),
        Err(TryLockError::Error(err)) => Err(failed(err)),
    }
}
