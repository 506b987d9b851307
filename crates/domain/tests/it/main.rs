//! The engine through its public face: pure cutting, and the planner over memory stores.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod background;
mod climbing;
mod creating;
mod cutting;
mod deleting;
mod owning;
mod places;
mod uploading;
mod world;
