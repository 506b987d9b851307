#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod store;
mod user;

pub use user::{Email, EmailError, Locale, User};
