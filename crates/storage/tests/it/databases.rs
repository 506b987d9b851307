//! Databases that exist for one test.

use std::sync::atomic::{AtomicU32, Ordering};

use btp_accounts::{Locale, User};
use btp_kernel::{Timestamp, UserId};
use btp_storage::Stores;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use tempfile::TempDir;

/// An empty database; gone when dropped.
pub(crate) enum Scratch {
    Sqlite(TempDir),
    Postgres { server: String, name: String },
}

impl Scratch {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub(crate) async fn postgres() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("btp_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let server = server();
        let admin = Database::connect(&server).await.unwrap();
        admin.execute_unprepared(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await.unwrap();
        admin.execute_unprepared(&format!("CREATE DATABASE {name} TEMPLATE template0")).await.unwrap();
        admin.close().await.unwrap();
        Self::Postgres { server, name }
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(dir) => btp_storage::file_url(&dir.path().join("of 100 % trips?.db")),
            Self::Postgres { server, name } => {
                let (host, _) = server.rsplit_once('/').unwrap();
                format!("{host}/{name}")
            }
        }
    }

    /// A connection of one more process.
    pub(crate) async fn connect(&self) -> Stores {
        btp_storage::connect(&self.url()).await.unwrap()
    }

    /// With the schema, and nothing in it.
    pub(crate) async fn migrated(&self) -> Stores {
        let stores = self.connect().await;
        stores.migrate().await.unwrap();
        stores
    }

    /// A connection to look behind the stores.
    pub(crate) async fn raw(&self) -> DatabaseConnection {
        Database::connect(self.url()).await.unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let Self::Postgres { server, name } = self else { return };
        let (server, name) = (server.clone(), name.clone());
        // A thread of its own, for a runtime cannot be entered from within another.
        let dropped = std::thread::spawn(move || {
            tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
                let admin = Database::connect(server).await.unwrap();
                admin.execute_unprepared(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
            });
        });
        if dropped.join().is_err() && !std::thread::panicking() {
            panic!("the database of the test could not be dropped");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the address of the test server can only come from outside")]
fn server() -> String {
    std::env::var("BTP_TEST_POSTGRES").expect(
        "these tests need PostgreSQL: run `cargo xtask test`, which starts one, or set BTP_TEST_POSTGRES to the address \
         of a server that lets you create databases, for example postgres://postgres@127.0.0.1:5432/postgres",
    )
}

/// Adds a person with this id.
pub(crate) async fn add_person(stores: &Stores, id: &UserId) {
    let user = User {
        id: id.clone(),
        email: format!("{id}@example.org").parse().unwrap(),
        locale: Locale::En,
        created_at: Timestamp::from_seconds(0),
    };
    stores.accounts().add_user(&user).await.unwrap();
}
