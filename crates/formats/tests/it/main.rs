//! Readers of file formats, judged by what they make of real and hostile files.

mod gpx;
