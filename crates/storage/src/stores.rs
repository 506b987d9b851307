//! The door: connects to a database and hands out its stores.

use std::sync::Arc;

use btp_accounts::store::AccountStore;
use btp_domain::store::{ConfirmationStore, JobQueue, StoreError, TripStore};
use btp_kernel::BoxError;
use btp_migrations::Migrator;
use btp_oauth::store::GrantStore;
use sea_orm::EntityTrait;
use sea_orm_migration::{MigratorTrait, SchemaManager, seaql_migrations};

use crate::{
    Error,
    accounts::Accounts,
    confirmations::Confirmations,
    db::Db,
    grants::Grants,
    jobs::Jobs,
    postgres, sqlite,
    trips::{KeptDays, Trips},
};

/// Every store of one database. Cheap to clone.
#[derive(Clone)]
pub struct Stores {
    pub(crate) db: Db,
    days: Arc<KeptDays>,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address is for neither database.
    #[error("a database address begins with postgres://, postgresql:// or sqlite:")]
    Address,
    /// The database does not answer, or the file cannot be opened.
    #[error("the database cannot be reached")]
    Unreachable(#[source] BoxError),
}

/// How the schema of a database differs from the one this version is made for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// Migrations that were not applied yet.
    pub pending: Vec<String>,
    /// Applied migrations that this version does not know.
    pub unknown: Vec<String>,
}

/// Connects to the database at `url`: `postgres://…`, or `sqlite:` and a file ([`file_url`](crate::file_url)).
///
/// # Errors
/// [`ConnectError`].
pub async fn connect(url: &str) -> Result<Stores, ConnectError> {
    let db = match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("postgres" | "postgresql") => postgres::open(url).await,
        Some("sqlite") => sqlite::open(url).await,
        _ => return Err(ConnectError::Address),
    };
    Ok(Stores { db: db.map_err(|err| ConnectError::Unreachable(Box::new(err)))?, days: Arc::default() })
}

impl Stores {
    /// Trips.
    pub fn trips(&self) -> Arc<dyn TripStore> {
        Arc::new(Trips(self.db.clone(), Arc::clone(&self.days)))
    }

    /// The job queue.
    pub fn jobs(&self) -> Arc<dyn JobQueue> {
        Arc::new(Jobs(self.db.clone()))
    }

    /// Pending confirmations.
    pub fn confirmations(&self) -> Arc<dyn ConfirmationStore> {
        Arc::new(Confirmations(self.db.clone()))
    }

    /// People.
    pub fn accounts(&self) -> Arc<dyn AccountStore> {
        Arc::new(Accounts(self.db.clone()))
    }

    /// Clients, grants and tokens.
    pub fn grants(&self) -> Arc<dyn GrantStore> {
        Arc::new(Grants(self.db.clone()))
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.db.reader().ping().await.map_err(Error::from)?)
    }

    /// How the schema differs from the one this version is made for; changes nothing.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn schema(&self) -> Result<Schema, StoreError> {
        Ok(self.compare().await?)
    }

    /// Applies the pending migrations, all or none; of several processes one does it and the others wait.
    ///
    /// # Errors
    /// When the database does not answer, or holds a migration that this version does not know.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        Ok(self.apply().await?)
    }

    async fn compare(&self) -> Result<Schema, Error> {
        let db = self.db.reader();
        let known: Vec<_> = Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
        if !SchemaManager::new(db).has_table("seaql_migrations").await? {
            return Ok(Schema { pending: known, unknown: Vec::new() });
        }
        let applied: Vec<_> =
            seaql_migrations::Entity::find().all(db).await?.into_iter().map(|applied| applied.version).collect();
        Ok(Schema {
            pending: known.iter().filter(|name| !applied.contains(name)).cloned().collect(),
            unknown: applied.into_iter().filter(|name| !known.contains(name)).collect(),
        })
    }

    async fn apply(&self) -> Result<(), Error> {
        let tx = self.db.begin_schema_change().await?;
        Migrator::up(&tx, None).await?;
        Ok(tx.commit().await?)
    }
}
