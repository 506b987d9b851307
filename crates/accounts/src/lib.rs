#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod accounts;
mod apps;
mod change;
mod mail;
mod session;
mod sign_in;
pub mod store;
mod token;
mod user;

pub use accounts::{AccountError, Accounts, Parts, SignUp};
pub use apps::{AppSession, Apps, Signer};
pub use change::EmailChange;
pub use mail::{Letter, Mail, Mailer};
pub use session::{SESSION_LIFE, Session};
pub use sign_in::Invitation;
pub use user::{Email, EmailError, Locale, User};
