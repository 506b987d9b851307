//! The tools, in the order of the reference. Each has a file with its types and its function, and a text beside it.

mod create_trip;
mod delete_trip;
mod get_stage;
mod get_trip;
mod list_trips;
mod search_places;

use std::sync::Arc;

use btp_domain::Planner;
use btp_kernel::{Clock, Limit, Limiter, limit};
use btp_mcp_kit::{Catalogue, ToolError};
use jiff::civil::Date;

use crate::answer::Linked;

/// Limits of a tool that reads.
const READS: &[&Limit] = &[&limit::MCP_TOOL_CALL];
/// Limits of a tool that writes.
const WRITES: &[&Limit] = &[&limit::MCP_TOOL_CALL, &limit::MCP_MUTATION];

/// The catalogue of `planner`'s tools on the server whose address is `base` (no trailing slash).
pub fn catalogue(planner: Planner, base: &str, limiter: Arc<dyn Limiter>, clock: Arc<dyn Clock>) -> Catalogue {
    let toolbox = Arc::new(Toolbox { planner, base: base.to_owned() });
    let tools = vec![
        list_trips::tool(Arc::clone(&toolbox)),
        get_trip::tool(Arc::clone(&toolbox)),
        get_stage::tool(Arc::clone(&toolbox)),
        search_places::tool(Arc::clone(&toolbox)),
        create_trip::tool(Arc::clone(&toolbox)),
        delete_trip::tool(toolbox),
    ];
    Catalogue::new(tools, limiter, clock)
}

/// What every tool works with.
struct Toolbox {
    planner: Planner,
    base: String,
}

impl Toolbox {
    fn linked<T>(&self, kind: &'static str, path: &str, body: T) -> Linked<T> {
        Linked::new(&self.base, kind, path, body)
    }
}

/// The date in an argument.
fn date_in(tool: &'static str, name: &str, text: Option<&str>) -> Result<Option<Date>, ToolError> {
    let parse = |text| btp_domain::parse_date(text);
    text.map(parse).transpose().map_err(|err| ToolError::Invalid { tool, misfit: format!("\"{name}\" {err}.") })
}
