//! The database as the stores see it: short transactions, and a signal that a job came.

use std::{sync::Arc, time::Duration};

use sea_orm::{DatabaseConnection, DatabaseTransaction, TransactionTrait};
use tokio::sync::Notify;

use crate::{Error, postgres, sqlite};

/// A database; clones share their connections.
#[derive(Clone)]
pub(crate) struct Db(Arc<Inner>);

pub(crate) struct Inner {
    read: DatabaseConnection,
    write: DatabaseConnection,
    engine: Engine,
}

/// What differs between the databases; each has a file of its own.
pub(crate) enum Engine {
    Sqlite(Notify),
    Postgres(postgres::Listener),
}

impl Db {
    pub(crate) fn new(read: DatabaseConnection, write: DatabaseConnection, engine: Engine) -> Self {
        Self(Arc::new(Inner { read, write, engine }))
    }

    /// For single statements that read.
    pub(crate) fn reader(&self) -> &DatabaseConnection {
        &self.0.read
    }

    /// For single statements that write.
    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.0.write
    }

    /// For several statements that must see one state.
    pub(crate) async fn snapshot(&self) -> Result<DatabaseTransaction, Error> {
        let options = match self.0.engine {
            Engine::Sqlite(_) => sqlite::snapshot(),
            Engine::Postgres(_) => postgres::snapshot(),
        };
        Ok(self.0.read.begin_with_options(options).await?)
    }

    /// For several statements that write together. Dropped without a commit, nothing of it is stored.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, Error> {
        let options = match self.0.engine {
            Engine::Sqlite(_) => sqlite::write(),
            Engine::Postgres(_) => postgres::write(),
        };
        Ok(self.0.write.begin_with_options(options).await?)
    }

    /// Like [`Db::begin`], for one at a time to change the schema.
    pub(crate) async fn begin_schema_change(&self) -> Result<DatabaseTransaction, Error> {
        let tx = self.begin().await?;
        if let Engine::Postgres(_) = self.0.engine {
            postgres::lock_schema(&tx).await?;
        }
        Ok(tx)
    }

    /// The function that says where in its first argument, from 1, the second begins; 0 when it is nowhere in it.
    pub(crate) fn position(&self) -> &'static str {
        match self.0.engine {
            Engine::Sqlite(_) => sqlite::POSITION,
            Engine::Postgres(_) => postgres::POSITION,
        }
    }

    /// Commits a transaction that made jobs claimable, and wakes those who wait for one.
    pub(crate) async fn commit_and_wake(&self, tx: DatabaseTransaction) -> Result<(), Error> {
        match &self.0.engine {
            Engine::Sqlite(arrived) => {
                tx.commit().await?;
                arrived.notify_one();
            }
            Engine::Postgres(_) => {
                postgres::announce(&tx).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }

    /// Returns when a job may have come, at the latest after `at_most`.
    pub(crate) async fn wait(&self, at_most: Duration) {
        let arrival = async {
            match &self.0.engine {
                Engine::Sqlite(arrived) => arrived.notified().await,
                Engine::Postgres(listener) => listener.arrival(&self.0.read).await,
            }
        };
        // Out of time is an answer like any other: a job may have become due.
        let _ = tokio::time::timeout(at_most, arrival).await;
    }
}
