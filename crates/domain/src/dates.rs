//! Dates as callers write them.

use jiff::civil::Date;

/// The text is neither RFC 3339 nor YYYY-MM-DD.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a date: write YYYY-MM-DD or RFC 3339, for example 2026-07-01T00:00:00+00:00")]
pub struct DateError;

/// The civil date of an RFC 3339 date-time or a YYYY-MM-DD date, kept as written: the offset does not move it.
///
/// # Errors
/// [`DateError`] for any other text.
pub fn parse_date(text: &str) -> Result<Date, DateError> {
    let _ = text;
    Err(DateError)
}
