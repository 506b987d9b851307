//! Schemas as narrow readers want them: JSON Schema 2020-12, no `$schema`, no references, no integer formats,
//! no `null` for arguments that may simply be left out, and no more than one `type` at a time.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Schema of arguments, from the type that parses them.
pub(crate) fn input<T: JsonSchema>(closed: bool) -> Map<String, Value> {
    let mut schema = tidy(SchemaSettings::draft2020_12().for_deserialize(), T::json_schema, true);
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if closed {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    schema
}

/// Schema of answers, from the type that is serialised.
pub(crate) fn output<T: JsonSchema>() -> Map<String, Value> {
    tidy(SchemaSettings::draft2020_12().for_serialize(), T::json_schema, false)
}

fn tidy(
    mut settings: SchemaSettings,
    of: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
    input: bool,
) -> Map<String, Value> {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = of(&mut settings.into_generator()).to_value();
    walk(&mut schema, input);
    let Value::Object(mut schema) = schema else { panic!("arguments and answers are objects") };
    schema.remove("title");
    schema.remove("description");
    schema
}

fn walk(schema: &mut Value, input: bool) {
    match schema {
        Value::Object(members) => {
            if members.get("type").is_some_and(|kind| matches!(kind, Value::String(_) | Value::Array(_))) {
                members.remove("format");
            }
            if input {
                without_null(members);
            } else {
                null_apart(members);
            }
            members.values_mut().for_each(|member| walk(member, input));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, input)),
        _ => {}
    }
}

/// Takes `null` out of `type`, `enum` and `anyOf`, and a `null` default out of the schema.
fn without_null(schema: &mut Map<String, Value>) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let is_null = |alternative: &Value| alternative.get("type").is_some_and(|kind| kind == "null");
    if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.retain(|alternative| !is_null(alternative));
        if let [Value::Object(only)] = alternatives.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (name, value) in only {
                schema.entry(name).or_insert(value);
            }
        }
    }
}

/// Makes `null` an alternative of its own: readers that know a single `type` at a time refuse a list of them.
fn null_apart(schema: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = schema.get("type") else { return };
    let [only, Value::String(null)] = kinds.as_slice() else { return };
    if null != "null" {
        return;
    }
    let only = only.clone();
    let notes = ["description", "default"].map(|name| schema.remove_entry(name));
    let mut present = std::mem::take(schema);
    present.insert("type".to_owned(), only);
    if let Some(Value::Array(values)) = present.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    schema.extend(notes.into_iter().flatten());
    schema.insert("anyOf".to_owned(), json!([present, {"type": "null"}]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "read by its schema only")]
    struct Sample {
        /// How many
        #[serde(default)]
        count: Option<u32>,
        /// Where
        end_point: Option<Inner>,
        /// Name
        name: String,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "read by its schema only")]
    struct Inner {
        /// Degrees
        lat: f64,
    }

    #[test]
    fn inputs_know_no_null_and_outputs_do() {
        let published = Value::Object(input::<Sample>(true));
        assert_eq!(
            published,
            json!({
                "type": "object",
                "properties": {
                    "count": {"description": "How many", "type": "integer", "minimum": 0},
                    "endPoint": {
                        "description": "Where",
                        "type": "object",
                        "properties": {"lat": {"description": "Degrees", "type": "number"}},
                        "required": ["lat"],
                    },
                    "name": {"description": "Name", "type": "string"},
                },
                "required": ["name"],
                "additionalProperties": false,
            })
        );
        assert_eq!(
            output::<Sample>()["properties"]["count"],
            json!({
                "description": "How many",
                "default": null,
                "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}],
            })
        );
    }
}
