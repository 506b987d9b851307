//! Kept answers to refreshes are found by family: they are forgotten one by one as a family goes on, and at most one a
//! family is kept, so the index stays small however many rotated tokens a family has behind it.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const INDEX: &str = "oauth_refresh_tokens_kept_by_family";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let kept = Index::create()
            .name(INDEX)
            .table("oauth_refresh_tokens")
            .col("family")
            .and_where(Expr::col("sealed_answer").is_not_null())
            .take();
        manager.create_index(kept).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(Index::drop().name(INDEX).table("oauth_refresh_tokens").to_owned()).await
    }
}
