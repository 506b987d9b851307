//! The catalogue over a real planner with stores in memory.

mod answers;
mod catalogue;
mod contexts;
mod world;
