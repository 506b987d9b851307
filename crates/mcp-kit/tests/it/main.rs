//! A catalogue called from outside.

use std::{collections::BTreeMap, sync::Arc};

use btp_kernel::{Limit, Principal, Scopes, Windows, limit};
use btp_mcp_kit::{Call, Catalogue, Hints, Spec, Tool, ToolError};
use btp_testkit::ManualClock;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
struct Args {
    /// What to say
    say: Option<String>,
    /// Where
    place: Option<Place>,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    /// Degrees
    lat: f64,
    /// Metres
    ele: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Answer {
    said: Option<String>,
    height: Option<f64>,
    arguments: usize,
}

async fn run(call: Call<Args>) -> Result<Answer, ToolError> {
    let Args { say, place } = call.args;
    match say.as_deref() {
        Some("panic") => panic!("as asked"),
        Some("refuse") => Err(ToolError::Refused("No\u{202e} way.\n".to_owned())),
        _ => Ok(Answer {
            said: say,
            height: place.and_then(|at| at.ele.map(|ele| ele + at.lat)),
            arguments: call.sent.len(),
        }),
    }
}

const LIMITS: &[&Limit] = &[&limit::MCP_TOOL_CALL, &limit::MCP_MUTATION];

async fn call(arguments: Value) -> Result<Value, ToolError> {
    let spec = Spec {
        name: "say",
        title: "Say",
        description: "Says.",
        scope: "say:all",
        hints: Hints::default(),
        limits: LIMITS,
        closed: true,
        budget: None,
    };
    let limits = Windows::new(BTreeMap::from([("mcp_tool_call", (2, 60)), ("mcp_mutation", (1, 60))]));
    let catalogue = Catalogue::new(vec![Tool::new(spec, run)], Arc::new(limits), Arc::new(ManualClock::default()));
    let ann = Principal { user: "ann".into(), client: "agent".into(), scopes: Scopes::parse("say:all") };
    catalogue.call(&Arc::new(ann), "say", arguments).await
}

#[tokio::test]
async fn null_is_absent_at_any_depth() {
    let answer = call(json!({"say": null, "place": {"lat": 1, "ele": null}, "other": null})).await.unwrap();
    assert_eq!(answer, json!({"said": null, "height": null, "arguments": 1}));
    assert_eq!(call(Value::Null).await.unwrap()["arguments"], 0);
}

#[tokio::test]
async fn a_panic_is_an_internal_error() {
    let err = call(json!({"say": "panic"})).await.unwrap_err();
    assert_eq!((err.code(), err.message().as_str(), err.data()), (-32603, "Internal error.", None));
}

#[tokio::test]
async fn messages_and_answers_are_clean() {
    assert_eq!(call(json!({"say": "refuse"})).await.unwrap_err().message(), "No way. ");
    assert_eq!(call(json!({"say": "a\u{7}b"})).await.unwrap()["said"], "ab");
}

#[tokio::test]
async fn misfits_are_found_inside_objects() {
    let message = call(json!({"place": {"lat": "north"}})).await.unwrap_err().message();
    assert_eq!(message, "Invalid parameters for tool 'say': \"place.lat\" must be a number.");
    let message = call(json!({"place": {}})).await.unwrap_err().message();
    assert_eq!(message, "Invalid parameters for tool 'say': missing field `lat`.");
    let message = call(json!({"sey": 1})).await.unwrap_err().message();
    assert_eq!(message, "Unknown argument(s): \"sey\". This tool accepts: say, place.");
}
