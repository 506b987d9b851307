#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod entropy;
mod error;
mod figures;
mod id;
pub mod limit;
mod principal;
mod scope;
pub mod secret;
pub mod text;
mod time;
mod windows;

pub use entropy::Entropy;
pub use error::{BoxError, chain};
pub use figures::Figures;
pub use id::{ClientId, UserId, new_id};
pub use limit::{Exceeded, Limit, LimitError, Limiter};
pub use principal::Principal;
pub use scope::{Scope, ScopeError, Scopes};
pub use time::{Clock, Timestamp, today};
pub use windows::Windows;
