//! The tools, in the order of the reference. Each has a file with its types and its function, and a text beside it.

mod add_waypoint;
mod analyze_trip;
mod choose_accommodation;
mod create_trip;
mod delete_trip;
mod edit_stages;
mod get_stage;
mod get_trip;
mod list_trips;
mod search_places;
mod share_trip;
mod unshare_trip;
mod update_trip_settings;

use std::sync::Arc;

use btp_domain::Planner;
use btp_kernel::{Clock, Limit, Limiter, limit};
use btp_mcp_kit::Catalogue;

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
        update_trip_settings::tool(Arc::clone(&toolbox)),
        edit_stages::tool(Arc::clone(&toolbox)),
        add_waypoint::tool(Arc::clone(&toolbox)),
        choose_accommodation::tool(Arc::clone(&toolbox)),
        analyze_trip::tool(Arc::clone(&toolbox)),
        share_trip::tool(Arc::clone(&toolbox)),
        unshare_trip::tool(Arc::clone(&toolbox)),
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
