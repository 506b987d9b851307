//! The whole product from outside: the built binary, real sockets, real clients.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]
#![expect(clippy::disallowed_methods, reason = "these are the clients, on the real clock, told by the environment")]

mod api;
mod configuration;
mod crash;
mod database;
mod flow;
mod logs;
mod metrics;
mod nodes;
mod places;
mod races;
mod rmcp_client;
mod sender;
mod sequences;
mod server;
mod source;
mod sources;
mod tls;
mod uploads;
