//! The rows of the tables, as far as this version reads or writes them. Private: nothing outside this crate sees them.

pub(crate) mod exact;
pub(crate) mod oauth;
pub(crate) mod people;
pub(crate) mod trips;
pub(crate) mod work;

use btp_kernel::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use crate::Error;

/// Text that PostgreSQL can hold: it has no U+0000.
pub(crate) fn storable(text: &str) -> String {
    text.replace('\0', "")
}

/// Whether no row can have this key: PostgreSQL refuses to compare with U+0000 where SQLite just finds nothing.
pub(crate) fn is_foreign(key: &str) -> bool {
    key.contains('\0')
}

pub(crate) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}

pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|_| Error::Row("JSON"))
}

pub(crate) fn from_json<T: DeserializeOwned>(column: &'static str, text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|_| Error::Row(column))
}
