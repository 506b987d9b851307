//! Clients, parked requests, codes, grants, families of refresh tokens.
//!
//! A client may be an address without a row here, so nothing refers to `oauth_clients`.

use sea_orm_migration::{prelude::*, schema::*};

use super::{goes_with, index, table};

pub(super) fn tables() -> Vec<TableCreateStatement> {
    vec![
        table(
            "oauth_clients",
            1,
            [text("id"), text("name"), text("redirect_uris"), boolean("disabled"), big_integer("created_at")],
        ),
        of_a_user(
            "oauth_requests",
            [
                text("handle"),
                text("user_id"),
                text("client"),
                text("resource"),
                text("scopes"),
                text("redirect_uri"),
                text("query"),
                text_null("decision"),
                big_integer("expires"),
                text_null("details"),
            ],
        ),
        of_a_user(
            "oauth_codes",
            [
                text("digest"),
                text("user_id"),
                text("client"),
                text("resource"),
                text("scopes"),
                text("redirect_uri"),
                text("challenge"),
                big_integer("expires"),
                big_integer_null("used_at"),
                text_null("family"), // which it began
                text_null("details"),
            ],
        ),
        of_a_user(
            "oauth_grants",
            [
                text("id"),
                text("user_id"),
                text("client"),
                text("resource"),
                text("scopes"),
                big_integer("authorized_at"),
                big_integer_null("last_used_at"),
                big_integer_null("revoked_at"),
                text_null("details"),
            ],
        ),
        table(
            "oauth_families",
            1,
            [
                text("id"),
                text("grant_id"),
                text("resource"),
                text("scopes"),
                big_integer("created_at"),
                big_integer_null("revoked_at"),
                text_null("reason"),
            ],
        )
        .foreign_key(&mut goes_with(["grant_id"], "oauth_grants", ["id"]))
        .take(),
        table(
            "oauth_refresh_tokens",
            1,
            [
                text("digest"),
                text("family"),
                big_integer("expires"),
                big_integer_null("rotated_at"),
                text_null("successor"),
                blob_null("sealed_answer"),
            ],
        )
        .foreign_key(&mut goes_with(["family"], "oauth_families", ["id"]))
        .take(),
    ]
}

pub(super) fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        index("oauth_requests", ["user_id"]),
        index("oauth_requests", ["client"]),
        index("oauth_requests", ["expires"]),
        index("oauth_codes", ["user_id"]),
        index("oauth_codes", ["client"]),
        index("oauth_codes", ["expires"]),
        index("oauth_grants", ["user_id", "client", "resource"]).unique().take(),
        index("oauth_grants", ["client"]),
        index("oauth_families", ["grant_id"]),
        index("oauth_refresh_tokens", ["family"]),
        Index::create()
            .name("oauth_refresh_tokens_last_by_expires")
            .table("oauth_refresh_tokens")
            .col("expires")
            .and_where(Expr::col("rotated_at").is_null())
            .take(),
    ]
}

fn of_a_user<const N: usize>(name: &'static str, columns: [ColumnDef; N]) -> TableCreateStatement {
    table(name, 1, columns).foreign_key(&mut goes_with(["user_id"], "users", ["id"])).take()
}
