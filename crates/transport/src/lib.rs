#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod api;
mod aside;
mod drawing;
#[cfg(fuzzing)]
pub mod fuzzing;
mod health;
mod layer;
mod mcp;
mod oauth;
mod pages;
mod routes;
mod sentences;
mod serve;
mod services;
mod settings;
mod turns;
mod upload;

pub use routes::{ROUTES, Route, Who, router};
pub use serve::{TlsError, serve, tls};
pub use services::{Authenticate, Check, Parts, Readiness, Resource, Services};
pub use settings::Settings;
