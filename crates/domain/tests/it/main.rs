//! The engine through its public face: pure cutting, and the planner over memory stores.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod addresses;
mod aside;
mod background;
mod climbing;
mod creating;
mod cutting;
mod day_lines;
mod deleting;
mod editing;
mod owning;
mod places;
mod replanning;
mod sequences;
mod sharing;
mod uploading;
mod world;
