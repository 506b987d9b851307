//! Mailed links for more than signing in, several a person; sessions whose tokens are renewed.
//!
//! Links live half an hour, and tokens of the former sessions have no half that stays: both tables begin anew, and people
//! sign in again.

use sea_orm_migration::{prelude::*, schema::*};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop(manager, ["sessions", "sign_in_links"]).await?;
        let mut links = of_a_user("mailed_links", text_null("user_id"), text("digest"));
        for column in [text("purpose"), text_null("email"), text_null("locale")] {
            links.col(column);
        }
        manager.create_table(links).await?;
        let mut sessions = of_a_user("sessions", text("user_id"), text("key"));
        for column in [text("current"), big_integer("since")] {
            sessions.col(column);
        }
        for name in ["next", "next_salt", "former", "former_salt"] {
            sessions.col(text_null(name));
        }
        manager.create_table(sessions).await?;
        indexes(manager, "mailed_links").await?;
        indexes(manager, "sessions").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop(manager, ["sessions", "mailed_links"]).await?;
        manager.create_table(of_a_user("sessions", text("user_id"), text("digest"))).await?;
        indexes(manager, "sessions").await?;
        let mut links = Table::create().table("sign_in_links").take();
        links.col(text("user_id").primary_key()).col(text("digest").unique_key()).col(big_integer("expires"));
        manager.create_table(links.foreign_key(&mut goes_with_its_user()).take()).await
    }
}

async fn drop(manager: &SchemaManager<'_>, tables: [&'static str; 2]) -> Result<(), DbErr> {
    for table in tables {
        manager.drop_table(Table::drop().table(table).take()).await?;
    }
    Ok(())
}

fn of_a_user(name: &'static str, user: ColumnDef, mut key: ColumnDef) -> TableCreateStatement {
    let mut table = Table::create().table(name).take();
    table.col(key.primary_key()).col(user).col(big_integer("expires"));
    table.foreign_key(&mut goes_with_its_user()).take()
}

fn goes_with_its_user() -> ForeignKeyCreateStatement {
    let action = ForeignKeyAction::Cascade;
    ForeignKey::create().from_col("user_id").to("users", "id").on_delete(action).take()
}

async fn indexes(manager: &SchemaManager<'_>, table: &'static str) -> Result<(), DbErr> {
    for column in ["user_id", "expires"] {
        let index = Index::create().name(format!("{table}_by_{column}")).table(table).col(column).take();
        manager.create_index(index).await?;
    }
    Ok(())
}
