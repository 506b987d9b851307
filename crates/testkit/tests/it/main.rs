//! The memory stores pass the suites.

mod people;
mod planning;
