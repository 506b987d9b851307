//! How long a document is believed.

use std::time::Duration;

const LEAST: u64 = 5 * 60;
const MOST: u64 = 24 * 60 * 60;

/// How long a document may be used without being fetched again: its `max-age` less its `Age` (RFC 9111 §4.2), but between
/// five minutes and a day; five minutes when it does not say, or asks not to be kept. `s-maxage` is for shared caches,
/// which hold what they hold for others: it says nothing here.
pub fn lifetime(cache_control: &str, age: u64) -> Duration {
    let directives = || cache_control.split(',').map(|part| part.split_once('=').unwrap_or((part, "")));
    let named = |name: &'static str| {
        directives().filter(move |(other, _)| other.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    let kept = named("no-store").chain(named("no-cache")).next().is_none();
    let max_age = named("max-age").map(|value| seconds(value.trim_matches('"'))).min().filter(|_| kept);
    Duration::from_secs(max_age.unwrap_or(0).saturating_sub(age).clamp(LEAST, MOST))
}

/// Whole seconds; more than fit are as good as for ever, and what is no number is none.
fn seconds(value: &str) -> u64 {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) { 0 } else { value.parse().unwrap_or(MOST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_five_minutes_and_a_day() {
        for (cache_control, age, expected) in [
            ("", 0, LEAST),
            ("public", 0, LEAST),
            ("max-age=3600", 0, 3600),
            ("public, MAX-AGE=3600, immutable", 0, 3600),
            ("max-age=\"3600\"", 0, 3600),
            ("max-age = 3600", 0, 3600),
            ("max-age=3600", 600, 3000),
            ("max-age=3600", 3600, LEAST),
            ("max-age=3600", u64::MAX, LEAST),
            ("max-age=3600, max-age=900", 0, 900),
            ("max-age=1", 0, LEAST),
            ("max-age=86401", 0, MOST),
            ("max-age=99999999999999999999999999", 0, MOST),
            ("max-age=-1", 0, LEAST),
            ("max-age=1e9", 0, LEAST),
            ("max-age", 0, LEAST),
            ("s-maxage=3600", 0, LEAST),
            ("no-store, max-age=3600", 0, LEAST),
            ("max-age=3600, No-Cache", 0, LEAST),
            ("no-cache=\"set-cookie\", max-age=3600", 0, LEAST),
            (",,=,max-age=3600,", 0, 3600),
        ] {
            assert_eq!(lifetime(cache_control, age).as_secs(), expected, "{cache_control:?} {age}");
        }
    }
}
