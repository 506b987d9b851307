//! File formats: readers judged by what they make of real and hostile files, writers by what others read.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod exports;
mod gpx;
mod real;
