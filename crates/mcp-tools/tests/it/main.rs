//! The catalogue over a real planner with stores in memory.

#![expect(clippy::unwrap_used, reason = "a test fails where it panics")]

mod answers;
mod catalogue;
mod contexts;
mod table;
mod world;
