#![doc = include_str!("../README.md")]

pub mod agent;
pub mod app;
pub mod cli;
pub mod commands;
pub mod config;
mod database;
mod demo;
mod keys;
mod limits;
mod mailer;
pub mod metrics;
mod out;
mod private;
mod stop;
pub mod system;
mod telemetry;
