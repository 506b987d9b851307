//! What the MCP endpoint bears: reading a trip of ten days beside an empty tool behind the same gate and on the bare
//! library, and fifty writers at once. `soak MINUTES` as argument instead: mixed calls, while memory and descriptors are
//! watched. Needs `wrk`; with `BTP_TEST_POSTGRES` the writers run on PostgreSQL too.
//!
//! Bars: a trip at 0.35 of the empty tool or more, its p99 within five times its p50; 400 edits a second; p99 of fifty
//! writers 250 ms; memory within 10 % and descriptors flat in the soak.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "it measures")]
#![expect(clippy::print_stdout, reason = "it prints figures")]

#[path = "../tests/e2e/database.rs"]
mod database;
#[path = "mcp/empty.rs"]
mod empty;
#[path = "../tests/e2e/server.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod server;
#[path = "mcp/soak.rs"]
mod soak;
#[path = "../tests/e2e/source.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod source;
#[path = "mcp/trips.rs"]
mod trips;
#[path = "mcp/writers.rs"]
mod writers;
#[path = "mcp/wrk.rs"]
mod wrk;

use std::time::Duration;

use serde_json::json;
use trips::{installation, ten_days};

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match &arguments[..] {
        [] => {
            reading().await;
            writing("SQLite", &[]).await;
            if std::env::var("BTP_TEST_POSTGRES").is_ok() {
                let database = database::Database::new("bench");
                writing("PostgreSQL", &[("DATABASE_URL", &database.url)]).await;
            }
        }
        [soak, minutes] if soak == "soak" => soak::run(minutes.parse().unwrap()).await,
        other => panic!("not {other:?}, but nothing or `soak MINUTES`"),
    }
}

async fn reading() {
    let source = source::Source::start().await;
    let installation = installation(&source, &[]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let id = ten_days(&session).await;
    let (bare, gated) = (empty::bare().await, empty::gated(&installation.path("data"), &server.base).await);

    let folder = tempfile::tempdir().unwrap();
    let host = server.base.strip_prefix("http://").unwrap();
    let script = |tool: &str, arguments: &str| wrk::script(folder.path(), tool, arguments, session.token(), host);
    let (trip, nothing) = (script("get_trip", &json!({"id": id}).to_string()), script("empty", "{}"));
    for connections in [16, 64] {
        let load = |script, base: &str| wrk::load(connections, script, &format!("{base}/mcp"));
        let (bare, gated, ours) = (load(&nothing, &bare), load(&nothing, &gated), load(&trip, &server.base));
        println!("{connections} connections: get_trip {ours}");
        println!("    empty tool behind the gate {gated}; on the bare library {bare}");
        println!("    {:.2} of the gate, {:.2} of the bare library", ours.rate / gated.rate, ours.rate / bare.rate);
    }
}

async fn writing(database: &str, more: &[(&str, &str)]) {
    let source = source::Source::start().await;
    let installation = installation(&source, more);
    installation.ok(&["migrate"]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    for (count, seconds) in [(16, 10), (50, 60)] {
        let done = writers::run(&session, count, Duration::from_secs(seconds)).await;
        println!("{database}, {count} writers on {count} trips for {seconds} s: {done}");
    }
}
