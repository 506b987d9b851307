//! The floor under every text that leaves: third-party text is data, so nothing in it may move a cursor or turn a line.

use std::borrow::Cow;

use serde_json::Value;

/// How much of a caller's value a message quotes, in characters.
const QUOTED: usize = 40;

/// `text` with newline, tab, U+2028 and U+2029 as a space each, and without any other control character (Unicode Cc)
/// or bidirectional control. Nothing else changes.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| replacement(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(replacement).collect())
}

/// [`clean`] for every string inside `value`, keys excepted: those are ours.
pub(crate) fn clean_all(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(cleaned) = clean(text) {
                *text = cleaned;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean_all),
        Value::Object(members) => members.values_mut().for_each(clean_all),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The beginning of a caller's value, as messages quote it.
pub fn quoted(text: &str) -> String {
    clean(text).chars().take(QUOTED).collect()
}

fn replacement(c: char) -> Option<char> {
    match c {
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        c if c.is_control() => None,
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_goes_and_what_stays() {
        assert_eq!(clean("Col de l'Éclair 🚲 <b>"), "Col de l'Éclair 🚲 <b>");
        assert_eq!(clean("a\r\nb\tc\u{2028}d"), "a b c d");
        assert_eq!(clean("\u{1b}[2Jx\u{202e}y\u{2066}z\u{200f}\u{7f}\u{9b}"), "[2Jxyz");
        assert_eq!(clean("zero\u{200d}width"), "zero\u{200d}width", "joiners are part of words and emoji");
    }

    #[test]
    fn every_string_is_reached() {
        let mut value = json!({"a": ["x\u{0}", {"b": "\u{202e}y"}], "n": 1});
        clean_all(&mut value);
        assert_eq!(value, json!({"a": ["x", {"b": "y"}], "n": 1}));
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing(text in any::<String>()) {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once).into_owned(), once.clone());
            prop_assert!(!once.chars().any(char::is_control));
            prop_assert!(quoted(&text).chars().count() <= QUOTED);
        }
    }
}
