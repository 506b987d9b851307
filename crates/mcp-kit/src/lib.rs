#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod budget;
mod canonical;
mod catalogue;
mod error;
mod schema;
mod shape;
mod text;
mod tool;

pub use budget::Budget;
pub use canonical::canonical;
pub use catalogue::Catalogue;
pub use error::ToolError;
pub use text::quoted;
pub use tool::{Call, Hints, Spec, Tool};
