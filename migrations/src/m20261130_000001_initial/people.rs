//! Accounts, sign-in links, browser sessions.

use sea_orm_migration::{prelude::*, schema::*};

use super::{goes_with, index, table};

pub(super) fn tables() -> Vec<TableCreateStatement> {
    vec![
        table("users", 1, [text("id"), text("email"), text("locale"), big_integer("created_at")]),
        table("sign_in_links", 1, [text("user_id"), text("digest"), big_integer("expires")])
            .foreign_key(&mut goes_with(["user_id"], "users", ["id"]))
            .take(),
        table("sessions", 1, [text("digest"), text("user_id"), big_integer("expires")])
            .foreign_key(&mut goes_with(["user_id"], "users", ["id"]))
            .take(),
    ]
}

pub(super) fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        index("users", ["email"]).unique().take(),
        index("sign_in_links", ["digest"]).unique().take(),
        index("sign_in_links", ["expires"]),
        index("sessions", ["user_id"]),
        index("sessions", ["expires"]),
    ]
}
