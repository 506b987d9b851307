//! The whole product from outside: the built binary, real sockets, real clients.

mod api;
mod configuration;
mod crash;
mod rmcp_client;
mod server;
mod source;
mod sources;
mod tls;
