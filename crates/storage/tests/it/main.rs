//! Both databases, the same suites.

mod conformance;
mod databases;
mod opening;
mod purge;
mod races;
mod schema;
