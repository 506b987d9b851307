//! PostgreSQL databases that exist for one test.

use std::process::Command;

/// A database of its own on the PostgreSQL server of the tests.
pub(crate) struct Database {
    server: String,
    name: String,
    /// Its address.
    pub(crate) url: String,
}

impl Database {
    pub(crate) fn new(name: &str) -> Self {
        let server = std::env::var("BTP_TEST_POSTGRES")
            .expect("run `cargo xtask test`: it starts PostgreSQL and sets BTP_TEST_POSTGRES");
        let name = format!("{name}_{}", std::process::id());
        let (host, _) = server.rsplit_once('/').unwrap();
        let url = format!("{host}/{name}");
        let database = Self { server, name, url };
        database.sql(&format!("create database {}", database.name));
        database
    }

    fn sql(&self, statement: &str) {
        let output =
            Command::new("psql").args([&self.server, "-qc", statement]).output().expect("psql should be installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.sql(&format!("drop database {} with (force)", self.name));
    }
}
