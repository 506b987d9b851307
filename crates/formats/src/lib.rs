#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod gpx;
mod text;

pub use gpx::{Gpx, GpxError, MAX_BYTES, MAX_POINTS, read_gpx};
