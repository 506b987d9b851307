#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod answer;
mod args;
mod contexts;
mod error;
mod tools;

pub use contexts::contexts;
pub use tools::catalogue;

/// What an agent reads before its first call.
pub const INSTRUCTIONS: &str = include_str!("instructions.md");
