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
    let (date, time) = text.split_at_checked(10).ok_or(DateError)?;
    if !time.is_empty() && !is_time(time) {
        return Err(DateError);
    }
    let [year, month, day] = fields(date, b'-', [4, 2, 2]).ok_or(DateError)?;
    let small = |value: u16| i8::try_from(value).map_err(|_| DateError);
    Date::new(i16::try_from(year).map_err(|_| DateError)?, small(month)?, small(day)?).map_err(|_| DateError)
}

/// Whether this is the part of a date-time behind the date (RFC 3339 §5.6).
fn is_time(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['T', 't', ' ']) else { return false };
    let Some((clock, rest)) = rest.split_at_checked(8) else { return false };
    let digits = rest.strip_prefix('.').map(|fraction| fraction.bytes().take_while(u8::is_ascii_digit).count());
    let offset = match digits {
        Some(0) => return false,
        Some(count) => &rest[count + 1..],
        None => rest,
    };
    let legal = |[hour, minute, second]: [u16; 3]| hour < 24 && minute < 60 && second <= 60;
    let is_offset = |text: &str| fields(text, b':', [2, 2]).is_some_and(|[hour, minute]| hour < 24 && minute < 60);
    fields(clock, b':', [2, 2, 2]).is_some_and(legal)
        && (matches!(offset, "Z" | "z") || offset.strip_prefix(['+', '-']).is_some_and(is_offset))
}

/// Numbers of exactly these many digits, with `separator` between them and nothing else.
fn fields<const N: usize>(text: &str, separator: u8, widths: [usize; N]) -> Option<[u16; N]> {
    let mut parts = text.split(char::from(separator));
    let mut values = [0; N];
    for (value, width) in values.iter_mut().zip(widths) {
        let part = parts.next().filter(|part| part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *value = part.parse().ok()?;
    }
    parts.next().is_none().then_some(values)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_civil_date_is_kept_as_written() {
        for (text, expected) in [
            ("2026-07-01", date(2026, 7, 1)),
            ("2026-07-01T00:00:00+00:00", date(2026, 7, 1)),
            ("2027-03-27T00:00:00+01:00", date(2027, 3, 27)),
            ("2026-12-31T23:30:00-10:00", date(2026, 12, 31)),
            ("2026-12-31t23:59:60.123456789z", date(2026, 12, 31)),
            ("2028-02-29 12:00:00Z", date(2028, 2, 29)),
            ("9999-12-31T00:00:00Z", date(9999, 12, 31)),
        ] {
            assert_eq!(parse_date(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "2026",
            "2026-7-1",
            "2026-07-32",
            "2027-02-29",
            "2026-13-01",
            "20260701",
            "2026-07-01T",
            "2026-07-01T00:00",
            "2026-07-01T00:00:00",
            "2026-07-01T24:00:00Z",
            "2026-07-01T00:00:00.Z",
            "2026-07-01T00:00:00+0000",
            "2026-07-01T00:00:00+24:00",
            "2026-07-01T00:00:00Z ",
            " 2026-07-01",
            "2026-07-01T00:00:00[Europe/Paris]",
            "+2026-07-01",
            "2026-07-0é",
            "tomorrow",
            "2026-W27-3",
            "２０２６-07-01",
            "-026-07-01",
            "2026/07/01",
        ] {
            assert_eq!(parse_date(text), Err(DateError), "{text}");
        }
    }
}
