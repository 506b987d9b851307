#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod accounts;
mod confirmations;
mod db;
mod error;
mod grants;
mod jobs;
mod line_codec;
mod only;
mod postgres;
mod purge;
mod redis_windows;
mod rows;
mod sqlite;
mod stores;
mod trips;

pub use redis_windows::{RedisError, RedisWindows};
pub use sqlite::{LockError, ServingLock, file_url, lock_for_serving};
pub use stores::{ConnectError, Schema, Stores, connect};

pub(crate) use error::Error;
