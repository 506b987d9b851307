//! `docs/schema/<tool>.json`: a tool as `tools/list` shows it.

use std::path::PathBuf;

use btp_mcp_kit::{Catalogue, Tool};
use serde_json::{Value, json};

use super::Documents;

pub(crate) fn documents(tools: &Catalogue) -> Documents {
    let file = |tool: &Tool| PathBuf::from(format!("schema/{}.json", tool.spec().name));
    tools.tools().iter().map(|tool| (file(tool), format!("{:#}\n", published(tool)))).collect()
}

fn published(tool: &Tool) -> Value {
    let spec = tool.spec();
    json!({
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "scope": spec.scope,
        "inputSchema": &**tool.input(),
        "outputSchema": &**tool.output(),
    })
}
