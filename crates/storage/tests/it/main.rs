//! Both databases, the same suites.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod conformance;
mod databases;
mod opening;
mod purge;
mod races;
mod redis;
mod rows;
mod samples;
mod schema;
mod storms;
