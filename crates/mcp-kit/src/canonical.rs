//! Arguments as one text, equal exactly when they mean the same.

use serde_json::{Map, Number, Value};

/// Numbers up to here are exact as integers and as doubles.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// `arguments` but those named in `without`, as JSON with sorted keys, list order kept, and `80.0` written as `80`.
pub fn canonical(arguments: &Map<String, Value>, without: &[&str]) -> String {
    let kept = arguments.iter().filter(|(name, _)| !without.contains(&name.as_str()));
    sorted(kept).to_string()
}

fn sorted<'a>(members: impl Iterator<Item = (&'a String, &'a Value)>) -> Value {
    let mut members: Vec<_> = members.collect();
    members.sort_by_key(|(name, _)| *name);
    Value::Object(members.into_iter().map(|(name, value)| (name.clone(), normal(value))).collect())
}

fn normal(value: &Value) -> Value {
    match value {
        Value::Object(members) => sorted(members.iter()),
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Number(number) => Value::Number(whole(number).unwrap_or_else(|| number.clone())),
        other => other.clone(),
    }
}

/// A double without fraction as the integer it is.
pub(crate) fn whole(number: &Number) -> Option<Number> {
    let double = number.as_f64().filter(|_| number.is_f64())?;
    #[expect(clippy::cast_possible_truncation, reason = "the value has no fraction and is within ±2^53")]
    (double.fract() == 0.0 && double.abs() <= EXACT).then(|| (double as i64).into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(value: Value) -> String {
        let Value::Object(members) = value else { panic!("an object") };
        canonical(&members, &["key"])
    }

    #[test]
    fn order_and_number_form_do_not_matter() {
        let one = text(json!({"b": 80, "a": {"y": [1, 2], "x": -0.0}, "key": "k"}));
        assert_eq!(one, r#"{"a":{"x":0,"y":[1,2]},"b":80}"#);
        assert_eq!(one, text(json!({"a": {"x": 0, "y": [1.0, 2]}, "b": 80.0})));
        assert_ne!(one, text(json!({"a": {"x": 0, "y": [2, 1]}, "b": 80})));
        assert_ne!(text(json!({"a": 80.5})), text(json!({"a": 80})));
    }
}
