//! `docs/reference.md`: the tools, for whoever writes an agent.

use std::fmt::Write;

use btp_mcp_kit::{Catalogue, Tool};
use serde_json::{Map, Value};

use super::cell;

pub(crate) fn page(tools: &Catalogue) -> String {
    let mut page = String::from(
        "# Tools\n\n\
         The MCP endpoint is `<DEFAULT_URI>/mcp` (Streamable HTTP). A tool answers with structured content and the same JSON\n\
         as text; answers are JSON-LD. The limits are explained in `docs/limits.md`, refusals in `docs/errors.md`, and\n\
         `docs/schema` has each tool as `tools/list` shows it.\n",
    );
    for tool in tools.tools() {
        section(&mut page, tool);
    }
    page
}

fn section(page: &mut String, tool: &Tool) {
    let spec = tool.spec();
    let hints = [
        (spec.hints.read_only, "readOnlyHint"),
        (spec.hints.destructive, "destructiveHint"),
        (spec.hints.open_world, "openWorldHint"),
    ];
    let hints: Vec<_> = hints.iter().filter(|(holds, _)| *holds).map(|(_, name)| format!("`{name}`")).collect();
    let limits: Vec<_> = spec.limits.iter().map(|limit| format!("`{}`", limit.name)).collect();
    let unknown = if spec.closed { "refused by name" } else { "ignored" };
    let _ = write!(
        page,
        "\n## {}\n\n{}\n\n| | |\n|---|---|\n| Scope | `{}` |\n| Annotations | {} |\n| Limits | {} |\n| Unknown arguments | {unknown} |\n",
        spec.name,
        spec.description.trim(),
        spec.scope,
        if hints.is_empty() { "none".to_owned() } else { hints.join(", ") },
        limits.join(", "),
    );
    let _ = write!(
        page,
        "\n### Arguments of {}\n\n| argument | type | required | description |\n|---|---|---|---|\n",
        spec.name
    );
    let required = names(tool.input().get("required"));
    for (name, schema) in properties(tool.input()) {
        let needed = if required.contains(&name.as_str()) { "yes" } else { "no" };
        let _ = writeln!(page, "| `{name}` | {} | {needed} | {} |", kind(schema), description(schema));
    }
    let _ = write!(page, "\n### Answer of {}\n\n| field | type | description |\n|---|---|---|\n", spec.name);
    fields(page, "", tool.output());
}

/// Rows of an object's fields, those of objects and lists in it below their own.
fn fields(page: &mut String, above: &str, object: &Map<String, Value>) {
    for (name, schema) in properties(object) {
        let _ = writeln!(page, "| `{above}{name}` | {} | {} |", kind(schema), description(schema));
        for (path, inner) in [("", Some(schema)), ("[]", schema.get("items"))] {
            if let Some(Value::Object(inner)) = inner {
                fields(page, &format!("{above}{name}{path}."), inner);
            }
        }
    }
}

fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

fn names(list: Option<&Value>) -> Vec<&str> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The type in words: `string or null`, `array of object`, `integer, 1 to 30`.
fn kind(schema: &Value) -> String {
    let alternatives: Vec<String> = match &schema["type"] {
        Value::String(one) if one == "array" && schema["items"].is_object() => {
            vec![format!("array of {}", kind(&schema["items"]))]
        }
        Value::String(one) => vec![one.clone()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => schema["anyOf"].as_array().into_iter().flatten().map(kind).collect(),
    };
    let mut kind = if alternatives.is_empty() { "any".to_owned() } else { alternatives.join(" or ") };
    let one_of = names(schema.get("enum"));
    if !one_of.is_empty() {
        let _ = write!(kind, ": `{}`", one_of.join("`, `"));
    }
    match (schema["minimum"].as_number(), schema["maximum"].as_number()) {
        (Some(min), Some(max)) => drop(write!(kind, ", {min} to {max}")),
        (Some(min), None) => drop(write!(kind, ", from {min}")),
        (None, Some(max)) => drop(write!(kind, ", up to {max}")),
        (None, None) => {}
    }
    kind
}

fn description(schema: &Value) -> String {
    cell(schema["description"].as_str().unwrap_or_default())
}
