//! What a day's line is made of, once edits may join days by straight lines; how often a trip was written.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // Null in rows of before: one stretch of the source line, from `from_m` to `to_m`.
        manager.alter_table(Table::alter().table("stages").add_column(text_null("legs")).take()).await?;
        let revision = big_integer("revision").default(0).take();
        manager.alter_table(Table::alter().table("trips").add_column(revision).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("trips").drop_column("revision").take()).await?;
        manager.alter_table(Table::alter().table("stages").drop_column("legs").take()).await
    }
}
