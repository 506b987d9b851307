#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod accounts;
mod session;
pub mod store;
mod user;

pub use accounts::{AccountError, Accounts, Mailer, SESSION_LIFE};
pub use session::Session;
pub use user::{Email, EmailError, Locale, User};
