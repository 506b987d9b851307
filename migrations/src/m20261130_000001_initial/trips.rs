//! Trips, their lines, days, computations, links, creation records and undo.

use sea_orm_migration::{prelude::*, schema::*};

use super::{goes_with, index, table};

pub(super) fn tables() -> Vec<TableCreateStatement> {
    vec![
        trips(),
        of_a_trip("trip_lines", 1, [text("trip_id"), blob("tracks")]),
        of_a_trip(
            "trip_computations",
            2,
            [text("trip_id"), text("computation"), text("category"), text("status"), big_integer("version")],
        ),
        of_a_trip(
            "trip_splits",
            2,
            [text("trip_id"), big_integer("version"), text("split"), big_integer("created_at")],
        ),
        stages(),
        // Alerts of one group are replaced together; a group without a row was never computed, an empty one is clean.
        // A code with raw parameters each, as JSON: sentences are made at read, in the reader's language.
        table(
            "stage_alert_groups",
            3,
            [text("trip_id"), text("stage_id"), text("alert_group"), text("alerts"), big_integer("version")],
        )
        .foreign_key(&mut goes_with(["trip_id", "stage_id"], "stages", ["trip_id", "id"]))
        .take(),
        of_a_trip(
            "share_links",
            1,
            [text("code"), text("trip_id"), big_integer("created_at"), big_integer_null("revoked_at")],
        ),
        of_a_trip(
            "creations",
            2,
            [text("user_id"), text("creation_key"), text("arguments"), text("trip_id"), big_integer("created_at")],
        )
        .foreign_key(&mut goes_with(["user_id"], "users", ["id"]))
        .take(),
    ]
}

pub(super) fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        index("trips", ["user_id", "created_at", "id"]),
        index("trip_splits", ["created_at"]),
        Index::create()
            .name("share_links_active_by_trip")
            .table("share_links")
            .col("trip_id")
            .unique()
            .and_where(Expr::col("revoked_at").is_null())
            .take(),
        index("share_links", ["trip_id"]),
        index("creations", ["trip_id"]),
        index("creations", ["created_at"]),
    ]
}

fn of_a_trip<const N: usize>(name: &'static str, keys: usize, columns: [ColumnDef; N]) -> TableCreateStatement {
    table(name, keys, columns).foreign_key(&mut goes_with(["trip_id"], "trips", ["id"])).take()
}

fn trips() -> TableCreateStatement {
    table(
        "trips",
        1,
        [
            text("id"),
            text("user_id"),
            text_null("title"),
            text_null("title_folded"), // lower case, for searches
            text("source_kind"),
            text("source_id"),
            text_null("source_token"),
            text_null("start_date"),
            text_null("end_date"),       // as the caller last sent it
            text_null("shown_end_date"), // as it follows from the days
            double("fatigue_factor"),
            double("elevation_penalty"),
            double("max_distance_per_day"),
            double("average_speed"),
            boolean("ebike_mode"),
            integer("departure_hour"),
            text("accommodation_types"),
            text("readiness"),
            big_integer("version"),
            text_null("zone"),
            boolean("out_of_zone"),
            text_null("failure_code"),
            text_null("failure_message"),
            text("warnings"),
            // What a list shows and orders by, kept here so that it reads one table.
            integer("ridden_count"),
            double("ridden_metres"),
            text("list_status"),
            big_integer("created_at"),
            big_integer("updated_at"),
        ],
    )
    .foreign_key(&mut goes_with(["user_id"], "users", ["id"]))
    .take()
}

fn stages() -> TableCreateStatement {
    of_a_trip(
        "stages",
        2,
        [
            text("trip_id"),
            text("id"),
            integer("position"),
            double("distance"),
            double_null("ascent"),
            double_null("descent"),
            double("start_lat"),
            double("start_lon"),
            double_null("start_ele"),
            double("end_lat"),
            double("end_lon"),
            double_null("end_ele"),
            text_null("label"),
            text_null("start_label"),
            text_null("end_label"),
            boolean("is_rest_day"),
            double("from_m"),
            double("to_m"),
            text("quality"),
            text_null("accommodation"), // the chosen one, as JSON
        ],
    )
}
