//! The worker over memory stores; tokio's clock is paused, so that waiting takes no time.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attempts;
mod leases;
mod running;
mod scene;
