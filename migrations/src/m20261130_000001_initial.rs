//! The first schema: people, trips and what is computed of them, jobs, OAuth.
//!
//! Conventions: times are milliseconds since the Unix epoch, dates are `YYYY-MM-DD`, lengths are metres, secrets are
//! digests. What the database never looks into is text (JSON) or a blob, so that both databases keep it byte for byte.
//! Tables that the product does not write yet are here because they belong to the same picture.

mod jobs;
mod oauth;
mod people;
mod trips;

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in all_tables() {
            manager.create_table(table).await?;
        }
        for index in all_indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in all_tables().into_iter().rev() {
            let name =
                table.get_table_name().cloned().ok_or_else(|| DbErr::Migration("a table has no name".to_owned()))?;
            manager.drop_table(Table::drop().table(name).take()).await?;
        }
        Ok(())
    }
}

/// Referenced tables come before those that refer to them.
fn all_tables() -> Vec<TableCreateStatement> {
    [people::tables(), trips::tables(), jobs::tables(), oauth::tables()].concat()
}

fn all_indexes() -> Vec<IndexCreateStatement> {
    [people::indexes(), trips::indexes(), jobs::indexes(), oauth::indexes()].concat()
}

/// A table of these columns, the first `keys` of which are its primary key.
fn table<const N: usize>(name: &'static str, keys: usize, columns: [ColumnDef; N]) -> TableCreateStatement {
    let mut key = Index::create().take();
    for column in &columns[..keys] {
        key.col(column.get_column_name());
    }
    let mut table = Table::create().table(name).primary_key(&mut key).take();
    for column in columns {
        table.col(column);
    }
    table
}

/// Rows go with the row of `parent` they refer to.
fn goes_with<const N: usize>(
    columns: [&'static str; N],
    parent: &'static str,
    keys: [&'static str; N],
) -> ForeignKeyCreateStatement {
    let mut key = ForeignKey::create().to_tbl(parent).on_delete(ForeignKeyAction::Cascade).take();
    for (column, parent_column) in columns.into_iter().zip(keys) {
        key.from_col(column).to_col(parent_column);
    }
    key
}

fn index<const N: usize>(table: &'static str, columns: [&'static str; N]) -> IndexCreateStatement {
    let mut index = Index::create().name(format!("{table}_by_{}", columns.join("_"))).table(table).take();
    for column in columns {
        index.col(column);
    }
    index
}
