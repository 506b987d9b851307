//! The published schema, enforced: what it says about an argument is checked before the typed parse.
//!
//! `required` is not checked here: the type knows what it cannot do without, and a tool may publish an argument as
//! required and answer its absence with a sentence of its own.

use regex_lite::Regex;
use serde_json::{Map, Number, Value};

use crate::{canonical::whole, quoted};

/// What one schema demands.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    kind: Option<Kind>,
    one_of: Vec<String>,
    minimum: Option<f64>,
    maximum: Option<f64>,
    shortest: Option<usize>,
    longest: Option<usize>,
    pattern: Option<Regex>,
    items: Option<Box<Shape>>,
    members: Vec<(String, Shape)>,
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Shape {
    /// The shape a schema publishes.
    ///
    /// # Errors
    /// The keyword that is not understood: what is published must be enforced.
    pub(crate) fn of(schema: &Map<String, Value>) -> Result<Self, String> {
        let mut shape = Self::default();
        for (keyword, value) in schema {
            let unknown = || format!("{keyword}: {value}");
            match keyword.as_str() {
                "type" => shape.kind = Some(value.as_str().and_then(Kind::of).ok_or_else(unknown)?),
                "enum" => {
                    let names = value.as_array().ok_or_else(unknown)?;
                    shape.one_of = names
                        .iter()
                        .map(|n| n.as_str().map(str::to_owned))
                        .collect::<Option<_>>()
                        .ok_or_else(unknown)?;
                }
                "minimum" => shape.minimum = Some(value.as_f64().ok_or_else(unknown)?),
                "maximum" => shape.maximum = Some(value.as_f64().ok_or_else(unknown)?),
                "minLength" | "minItems" => shape.shortest = Some(length(value).ok_or_else(unknown)?),
                "maxLength" | "maxItems" => shape.longest = Some(length(value).ok_or_else(unknown)?),
                "pattern" => shape.pattern = Some(value.as_str().and_then(|p| Regex::new(p).ok()).ok_or_else(unknown)?),
                "items" => shape.items = Some(Box::new(Self::of(value.as_object().ok_or_else(unknown)?)?)),
                "properties" => {
                    for (name, member) in value.as_object().ok_or_else(unknown)? {
                        shape.members.push((name.clone(), Self::of(member.as_object().ok_or_else(unknown)?)?));
                    }
                }
                "additionalProperties" => shape.closed = *value == false,
                "description" | "title" | "default" | "required" | "examples" => {}
                _ => return Err(unknown()),
            }
        }
        Ok(shape)
    }

    /// Names of the arguments that are accepted, in published order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|(name, _)| name.as_str())
    }

    /// Names in `arguments` that a closed shape does not publish.
    pub(crate) fn unknown<'a>(&self, arguments: &'a Map<String, Value>) -> Vec<&'a str> {
        let known = |name: &str| self.names().any(|published| published == name);
        if self.closed {
            arguments.keys().map(String::as_str).filter(|name| !known(name)).collect()
        } else {
            Vec::new()
        }
    }

    /// Checks the members of `arguments`; a whole number written as `80.0` becomes `80` where an integer is published,
    /// and one that 64 bits do not hold the farthest they do, unless bounds are published.
    ///
    /// # Errors
    /// What does not fit, with the name of the argument.
    pub(crate) fn check(&self, arguments: &mut Map<String, Value>, path: &str) -> Result<(), String> {
        for (name, shape) in &self.members {
            if let Some(value) = arguments.get_mut(name) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                shape.check_value(value, &path)?;
            }
        }
        Ok(())
    }

    fn check_value(&self, value: &mut Value, path: &str) -> Result<(), String> {
        if let Some(kind) = self.kind {
            if kind == Kind::Integer
                && let Value::Number(number) = value
                && let Some(integer) = whole(number).or_else(|| self.farthest(number))
            {
                *number = integer;
            }
            if !kind.fits(value) {
                return Err(format!("\"{path}\" must be {}.", kind.words()));
            }
        }
        match value {
            Value::String(text) => self.check_text(text, path),
            Value::Number(number) => self.check_number(number.as_f64().unwrap_or(f64::NAN), path),
            Value::Array(items) => {
                self.check_length(items.len(), "values", path)?;
                let Some(shape) = &self.items else { return Ok(()) };
                items
                    .iter_mut()
                    .enumerate()
                    .try_for_each(|(at, item)| shape.check_value(item, &format!("{path}[{at}]")))
            }
            Value::Object(members) => self.check(members, path),
            Value::Null | Value::Bool(_) => Ok(()),
        }
    }

    /// The integer of 64 bits nearest to a whole number beyond them; none where bounds refuse it anyway.
    fn farthest(&self, number: &Number) -> Option<Number> {
        let is_bound = self.minimum.is_some() || self.maximum.is_some();
        let double = number.as_f64().filter(|double| !is_bound && !number.is_i64() && double.fract() == 0.0)?;
        #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
        Some((double as i64).into())
    }

    fn check_text(&self, text: &str, path: &str) -> Result<(), String> {
        if !self.one_of.is_empty() && !self.one_of.iter().any(|name| name == text) {
            return Err(format!("\"{path}\" must be one of {}; it is \"{}\".", self.one_of.join(", "), quoted(text)));
        }
        if self.shortest.is_some() || self.longest.is_some() {
            self.check_length(text.chars().count(), "characters", path)?;
        }
        match &self.pattern {
            Some(pattern) if !pattern.is_match(text) => {
                Err(format!("\"{path}\" must match {}; it is \"{}\".", pattern.as_str(), quoted(text)))
            }
            _ => Ok(()),
        }
    }

    fn check_number(&self, number: f64, path: &str) -> Result<(), String> {
        match (self.minimum, self.maximum) {
            (Some(minimum), Some(maximum)) if !(minimum..=maximum).contains(&number) => {
                Err(format!("\"{path}\" must be between {minimum} and {maximum}."))
            }
            (Some(minimum), _) if number < minimum => Err(format!("\"{path}\" must be at least {minimum}.")),
            (_, Some(maximum)) if number > maximum => Err(format!("\"{path}\" must be at most {maximum}.")),
            _ => Ok(()),
        }
    }

    fn check_length(&self, length: usize, of: &str, path: &str) -> Result<(), String> {
        if let Some(shortest) = self.shortest.filter(|shortest| length < *shortest) {
            return Err(format!("\"{path}\" must have at least {shortest} {of}."));
        }
        if let Some(longest) = self.longest.filter(|longest| length > *longest) {
            return Err(format!("\"{path}\" must have at most {longest} {of}."));
        }
        Ok(())
    }
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Boolean => value.is_boolean(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::String => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Boolean => "true or false",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::String => "a text",
            Self::Array => "a list",
            Self::Object => "an object",
        }
    }
}

fn length(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|length| usize::try_from(length).ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(members) = value else { panic!("an object") };
        members
    }

    fn shape() -> Shape {
        Shape::of(&object(json!({"type": "object", "additionalProperties": false, "properties": {
            "page": {"type": "integer", "minimum": 1, "maximum": 30},
            "speed": {"type": "number", "minimum": 5},
            "kinds": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": ["hotel", "hut"]}},
            "key": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
            "point": {"type": "object", "properties": {"lat": {"type": "number", "maximum": 90}}},
            "flag": {"type": "boolean"},
        }})))
        .unwrap()
    }

    fn misfit(arguments: Value) -> Option<String> {
        shape().check(&mut object(arguments), "").err()
    }

    #[test]
    fn each_keyword_is_enforced() {
        for (arguments, expected) in [
            (json!({"page": 1, "speed": 5.5, "kinds": ["hut"], "key": "ab", "flag": true, "other": null}), None),
            (json!({"page": "1"}), Some(r#""page" must be a whole number."#)),
            (json!({"page": 1.5}), Some(r#""page" must be a whole number."#)),
            (json!({"page": 0}), Some(r#""page" must be between 1 and 30."#)),
            (json!({"page": 1e300}), Some(r#""page" must be a whole number."#)),
            (json!({"speed": 4.9}), Some(r#""speed" must be at least 5."#)),
            (json!({"kinds": []}), Some(r#""kinds" must have at least 1 values."#)),
            (json!({"kinds": ["hut", "tent"]}), Some(r#""kinds[1]" must be one of hotel, hut; it is "tent"."#)),
            (json!({"kinds": "hut"}), Some(r#""kinds" must be a list."#)),
            (json!({"key": "a"}), Some(r#""key" must have at least 2 characters."#)),
            (json!({"key": "ÀÀÀÀÀ"}), Some(r#""key" must have at most 4 characters."#)),
            (json!({"key": "ab\n"}), Some(r#""key" must match ^[a-z]+$; it is "ab "."#)),
            (json!({"point": {"lat": 90.1}}), Some(r#""point.lat" must be at most 90."#)),
            (json!({"point": []}), Some(r#""point" must be an object."#)),
            (json!({"flag": 1}), Some(r#""flag" must be true or false."#)),
        ] {
            assert_eq!(misfit(arguments.clone()).as_deref(), expected, "{arguments}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_fraction() {
        let mut arguments = object(json!({"page": 3.0}));
        shape().check(&mut arguments, "").unwrap();
        assert_eq!(arguments["page"].as_u64(), Some(3));
    }

    #[test]
    fn no_whole_number_is_too_large_where_no_bounds_are_published() {
        let shape = Shape::of(&object(json!({"properties": {"limit": {"type": "integer"}}}))).unwrap();
        for (sent, read) in [
            (json!(1e300), Some(i64::MAX)),
            (json!(-1e300), Some(i64::MIN)),
            (json!(u64::MAX), Some(i64::MAX)),
            (json!(i64::MIN), Some(i64::MIN)),
            (json!(7.0), Some(7)),
            (json!(-7), Some(-7)),
            (json!(7.5), None),
            (json!("7"), None),
        ] {
            let mut arguments = object(json!({"limit": sent}));
            let fits = shape.check(&mut arguments, "").is_ok();
            assert_eq!(arguments["limit"].as_i64().filter(|_| fits), read, "{sent}");
        }
    }

    #[test]
    fn what_is_not_understood_is_not_published() {
        for schema in
            [json!({"not": {}}), json!({"properties": {"a": {"anyOf": []}}}), json!({"type": ["string", "null"]})]
        {
            assert!(Shape::of(&object(schema)).is_err());
        }
    }

    #[test]
    fn unknown_names_are_found_in_closed_shapes_only() {
        let arguments = object(json!({"pages": 1, "page": 1}));
        assert_eq!(shape().unknown(&arguments), ["pages"]);
        assert_eq!(Shape { closed: false, ..shape() }.unknown(&arguments), Vec::<&str>::new());
    }
}
