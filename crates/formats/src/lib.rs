#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod elevation;
mod gpx;
mod text;

pub use elevation::known_elevation;
pub use gpx::{Gpx, GpxError, MAX_BYTES, MAX_POINTS, read_gpx};
