#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod oauth;
mod pages;
mod services;
mod settings;

pub use services::{Authenticate, Check, Parts, Readiness, Resource, Services, TokenError};
pub use settings::Settings;
