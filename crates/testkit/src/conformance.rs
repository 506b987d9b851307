//! What every store must do, as suites that take a fresh store.
#![expect(clippy::unwrap_used, reason = "a suite fails by panicking")]

mod accounts;
mod confirmations;
mod grants;
mod jobs;
mod limiter;
mod trips;

pub use accounts::{accounts, signed_in};
pub use confirmations::confirmations;
pub use grants::{authorized, grants};
pub use jobs::jobs;
pub use limiter::limiter;
pub use trips::{Stores, ann, bob, trips};
