//! The router over real planner, accounts and authorization server, with stores in memory and a manual clock.

#![expect(clippy::unwrap_used, reason = "a test fails where it panics")]

mod account;
mod api;
mod apps;
mod authorization;
mod batches;
mod cases;
mod clients;
mod doubles;
mod endpoints;
mod eras;
mod forms;
mod guards;
mod held_bodies;
mod limits;
mod oauth;
mod pages;
mod serving;
mod share;
mod uploads;
mod wire;
mod world;
