//! Readers of file formats, judged by what they make of real and hostile files.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod gpx;
mod real;
