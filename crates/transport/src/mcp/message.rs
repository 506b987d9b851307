//! The outside of a JSON-RPC message, read without its parameters.

use bytes::Bytes;
use rmcp::model::ProtocolVersion;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, value::RawValue};

use super::error::{INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR};

/// Where a message of 2026-07-28 names its revision.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// Why a body is no message, as code and sentence.
pub(super) type Flaw = (i32, &'static str);

/// A request or notification.
pub(super) struct Message {
    /// Its id; `None` for a notification.
    pub(super) id: Option<Value>,
    /// Its method.
    pub(super) method: String,
    /// The revision it names itself, from 2026-07-28 on.
    pub(super) version: Option<String>,
    /// Whether it asks for another page of a list than the first: there are no others.
    pub(super) names_page: bool,
}

#[derive(Deserialize)]
struct Outside<'a> {
    #[serde(borrow)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    cursor: Option<&'a RawValue>,
}

impl Message {
    /// Reads one message (JSON-RPC 2.0 §4; MCP forbids `id: null`).
    ///
    /// # Errors
    /// The id to answer to, and what is wrong.
    pub(super) fn read(body: &[u8]) -> Result<Self, (Value, Flaw)> {
        let outside: Outside<'_> = serde_json::from_slice(body).map_err(|err| (Value::Null, flaw(&err)))?;
        // The members of an array would be taken in their order.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err((Value::Null, (INVALID_REQUEST, "The body is no JSON-RPC message.")));
        }
        let id = match outside.id {
            None => None,
            Some(raw) => {
                Some(id(raw).ok_or((Value::Null, (INVALID_REQUEST, "The id must be a text or a whole number.")))?)
            }
        };
        let invalid = |sentence| (id.clone().unwrap_or_default(), (INVALID_REQUEST, sentence));
        if outside.jsonrpc.is_none_or(|raw| raw.get() != "\"2.0\"") {
            return Err(invalid("The member jsonrpc must be \"2.0\"."));
        }
        let method = outside.method.and_then(|raw| serde_json::from_str(raw.get()).ok());
        let Some(method) = method else { return Err(invalid("The method is missing.")) };
        if outside.params.is_some_and(|params| !params.get().starts_with('{')) {
            return Err((id.unwrap_or_default(), (INVALID_PARAMS, "The params must be an object.")));
        }
        let version = outside.params.and_then(version);
        let names_page = id.is_some() && method == "tools/list" && outside.params.is_some_and(names_page);
        Ok(Self { id, method, version, names_page })
    }
}

/// The members of a batch, each as a slice of `body`.
///
/// # Errors
/// What is wrong.
pub(super) fn members(body: &Bytes) -> Result<Vec<Bytes>, Flaw> {
    let members: Vec<&RawValue> = serde_json::from_slice(body).map_err(|err| flaw(&err))?;
    Ok(members.into_iter().map(|raw| body.slice_ref(raw.get().as_bytes())).collect())
}

/// Whether a revision speaks the stateless era that began with 2026-07-28; revisions compare as text.
pub(super) fn is_modern(version: &str) -> bool {
    version >= ProtocolVersion::V_2026_07_28.as_str()
}

/// Whether a revision is one we know.
pub(super) fn is_known(version: &str) -> bool {
    ProtocolVersion::KNOWN_VERSIONS.iter().any(|known| known.as_str() == version)
}

/// A member that is there, even when it is `null`.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn id(raw: &RawValue) -> Option<Value> {
    let id: Value = serde_json::from_str(raw.get()).ok()?;
    (id.is_string() || id.is_i64()).then_some(id)
}

fn version(params: &RawValue) -> Option<String> {
    if !params.get().contains(VERSION_KEY) {
        return None;
    }
    let meta = serde_json::from_str::<Params<'_>>(params.get()).ok()?.meta?;
    let meta: Value = serde_json::from_str(meta.get()).ok()?;
    Some(meta.get(VERSION_KEY)?.as_str()?.to_owned())
}

fn names_page(params: &RawValue) -> bool {
    let page = serde_json::from_str::<Page<'_>>(params.get()).ok();
    page.and_then(|page| page.cursor).is_some_and(|cursor| cursor.get() != "\"\"")
}

fn flaw(err: &serde_json::Error) -> Flaw {
    if err.is_data() {
        (INVALID_REQUEST, "The body is no JSON-RPC message.")
    } else {
        (PARSE_ERROR, "The body is no JSON.")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(body: &str) -> Option<(Value, i32)> {
        Message::read(body.as_bytes()).err().map(|(id, (code, _))| (id, code))
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), None);
        for (body, id, code) in [
            ("{nope", json!(null), PARSE_ERROR),
            ("", json!(null), PARSE_ERROR),
            ("3", json!(null), INVALID_REQUEST),
            (r#"["2.0",1,"ping",{}]"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(null), INVALID_REQUEST),
            (r#"{"id":7,"method":"ping"}"#, json!(7), INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, json!("a"), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, json!(1), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, json!(1), INVALID_PARAMS),
            (r#"{"jsonrpc":"2.0","id":1,"method":3}"#, json!(1), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, json!(null), INVALID_REQUEST),
        ] {
            assert_eq!(refused(body), Some((id, code)), "{body}");
        }
    }

    #[test]
    fn the_first_page_is_the_only_one() {
        for (method, params, names) in [
            ("tools/list", json!({}), false),
            ("tools/list", json!({"cursor": null}), false),
            ("tools/list", json!({"cursor": ""}), false),
            ("tools/list", json!({"cursor": "2"}), true),
            ("tools/list", json!({"cursor": 2}), true),
            ("tools/list", json!({"cursor": {}}), true),
            ("tools/call", json!({"cursor": "2"}), false),
        ] {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
            assert_eq!(Message::read(body.as_bytes()).ok().map(|message| message.names_page), Some(names), "{body}");
        }
    }

    #[test]
    fn the_revision_is_read_where_it_belongs() {
        let read = |params: Value| {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "x", "params": params}).to_string();
            Message::read(body.as_bytes()).unwrap_or_else(|_| panic!("{body}")).version
        };
        assert_eq!(read(json!({"_meta": {VERSION_KEY: "2026-07-28"}})).as_deref(), Some("2026-07-28"));
        assert_eq!(read(json!({"arguments": {VERSION_KEY: "2026-07-28"}})), None);
        assert_eq!(read(json!({"text": VERSION_KEY})), None);
    }
}
