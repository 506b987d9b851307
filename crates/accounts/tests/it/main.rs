//! Accounts over the memory store, with a manual clock.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod apps;
mod changes;
mod house;
mod letters;
mod people;
mod sessions;
mod signing_in;
