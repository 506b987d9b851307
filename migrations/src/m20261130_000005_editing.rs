//! What a day's line is made of, once edits may join days by straight lines.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Null in rows of before: one stretch of the source line, from `from_m` to `to_m`.
        manager.alter_table(Table::alter().table("stages").add_column(text_null("legs")).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("stages").drop_column("legs").take()).await
    }
}
