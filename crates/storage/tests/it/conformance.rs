//! The suites that every store passes.

use std::sync::Mutex;

use btp_testkit::conformance::{self, Stores, ann, bob};

use crate::databases::{Scratch, add_person};

/// The databases of one suite: they go when the suite is over.
struct Databases {
    is_postgres: bool,
    used: Mutex<Vec<Scratch>>,
}

impl Databases {
    fn sqlite() -> Self {
        Self { is_postgres: false, used: Mutex::default() }
    }

    fn postgres() -> Self {
        Self { is_postgres: true, used: Mutex::default() }
    }

    /// Two processes' worth of one new database on PostgreSQL; SQLite is for one process.
    async fn two(&self) -> (btp_storage::Stores, btp_storage::Stores) {
        let scratch = if self.is_postgres { Scratch::postgres().await } else { Scratch::sqlite() };
        let one = scratch.migrated().await;
        let other = if self.is_postgres { scratch.connect().await } else { one.clone() };
        self.used.lock().unwrap().push(scratch);
        (one, other)
    }

    /// Trips are written by one process, jobs done by the other.
    async fn domain(&self) -> Stores {
        let (one, other) = self.two().await;
        add_person(&one, &ann()).await;
        add_person(&other, &bob()).await;
        Stores { trips: one.trips(), jobs: other.jobs(), confirmations: one.confirmations() }
    }
}

macro_rules! suites {
    ($($database:ident),+) => {
        $(mod $database {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn trips() {
                let databases = Databases::$database();
                conformance::trips(async || databases.domain().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn jobs() {
                let databases = Databases::$database();
                conformance::jobs(async || databases.domain().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn confirmations() {
                let databases = Databases::$database();
                conformance::confirmations(async || databases.domain().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn accounts() {
                let databases = Databases::$database();
                conformance::accounts(async || databases.two().await.0.accounts()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn grants() {
                let databases = Databases::$database();
                let fresh = async || {
                    let (one, other) = databases.two().await;
                    (one.accounts(), other.grants())
                };
                conformance::grants(fresh).await;
            }
        })+
    };
}
suites!(sqlite, postgres);
