//! The authorization server over memory stores, with a manual clock.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod authorize;
mod clients;
mod discovery;
mod documents;
mod house;
mod keys;
mod published;
mod redirects;
mod refreshing;
mod seeds;
mod tokens;
