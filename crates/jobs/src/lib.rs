#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod desk;
mod run;
mod worker;

pub use worker::Worker;
