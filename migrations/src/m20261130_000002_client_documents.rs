//! Clients that name themselves by the address of a document: when it was fetched, and until when it is believed.
//!
//! Both are null for a client that an operator stored.

use sea_orm_migration::{prelude::*, schema::big_integer_null};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "oauth_clients";
const COLUMNS: [&str; 2] = ["document_fetched_at", "document_expires"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            let added = Table::alter().table(TABLE).add_column(big_integer_null(column)).to_owned();
            manager.alter_table(added).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            manager.alter_table(Table::alter().table(TABLE).drop_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
