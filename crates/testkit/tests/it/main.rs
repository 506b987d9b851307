//! The memory stores pass the suites.

mod limits;
mod people;
mod planning;
