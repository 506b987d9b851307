#![doc = include_str!("../README.md")]

pub mod addresses;
mod clock;
pub mod conformance;
mod entropy;
pub mod memory;
pub mod upstream;

pub use clock::ManualClock;
pub use entropy::SeededEntropy;

/// The program of `docs/embedding.md`, compiled and run with the examples.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;
