//! Every text that leaves is clean, and what is quoted of a caller's is short.

use std::borrow::Cow;

use btp_kernel::text::clean;
use serde_json::Value;

/// How much of a caller's value a message quotes, in characters.
const QUOTED: usize = 40;

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

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
