//! Background jobs and pending confirmations.

use sea_orm_migration::{prelude::*, schema::*};

use super::{goes_with, index, table};

pub(super) fn tables() -> Vec<TableCreateStatement> {
    vec![
        table(
            "jobs",
            1,
            [
                text("id"),
                text("kind"),
                text("user_id"),
                text_null("trip_id"),
                text_null("payload"),
                big_integer("due"),
                integer("attempts"),
                text_null("lease_token"),
                big_integer_null("lease_until"),
            ],
        )
        .foreign_key(&mut goes_with(["user_id"], "users", ["id"]))
        .foreign_key(&mut goes_with(["trip_id"], "trips", ["id"]))
        .take(),
        table("confirmations", 1, [text("token"), text("binding"), big_integer("expires")]),
    ]
}

pub(super) fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        index("jobs", ["due", "id"]),
        index("jobs", ["user_id"]),
        index("jobs", ["trip_id"]),
        index("confirmations", ["expires"]),
    ]
}
