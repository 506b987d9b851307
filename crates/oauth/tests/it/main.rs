//! The authorization server over memory stores, with a manual clock.

mod access;
mod authorize;
mod clients;
mod discovery;
mod house;
mod keys;
mod redirects;
mod tokens;
