#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod m20261130_000001_initial;
mod m20261130_000002_client_documents;
mod m20261130_000003_grants;
mod m20261130_000004_accounts;
mod m20261130_000005_editing;

use sea_orm_migration::{MigrationTrait, MigratorTrait};

/// Every migration, oldest first.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261130_000001_initial::Migration),
            Box::new(m20261130_000002_client_documents::Migration),
            Box::new(m20261130_000003_grants::Migration),
            Box::new(m20261130_000004_accounts::Migration),
            Box::new(m20261130_000005_editing::Migration),
        ]
    }
}
