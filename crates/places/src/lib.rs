#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod fold;
mod gazetteer;
mod index;

pub use gazetteer::{ATTRIBUTION, Gazetteer};
