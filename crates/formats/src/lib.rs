#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod course;
mod fit;
mod gpx;
mod gpx_write;
mod text;

pub use course::{Course, Day, Stop};
pub use fit::{FIT_TYPE, write_fit};
pub use gpx::{Gpx, GpxError, MAX_BYTES, MAX_POINTS, read_gpx};
pub use gpx_write::{GPX_TYPE, write_gpx};
