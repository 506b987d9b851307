#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod fold;
mod gazetteer;
mod index;
mod order;

pub use gazetteer::{ATTRIBUTION, Gazetteer};
