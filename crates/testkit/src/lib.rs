#![doc = include_str!("../README.md")]

pub mod addresses;
mod clock;
pub mod conformance;
mod entropy;
pub mod memory;
pub mod upstream;

pub use clock::ManualClock;
pub use entropy::SeededEntropy;
