//! Restructures the days.

use std::sync::Arc;

use btp_domain::{EditStages, SCOPE_WRITE, StageEdit, StageId, TripId};
use btp_mcp_kit::{Call, Hints, Spec, Tool, ToolError, quoted};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Toolbox, WRITES};
use crate::{
    answer::{Changed, Linked, trip_path},
    args::Place,
    error::tool_error,
};

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Args {
    /// Trip identifier
    trip_id: String,
    /// add, update, move, delete or rest_day
    #[schemars(required)]
    action: Option<String>,
    /// Trip version from get_trip or the previous edit
    #[schemars(required)]
    version: Option<u64>,
    /// Day to act on; required by every action except add
    stage_id: Option<String>,
    /// add only: where to insert, 0-based, default at the end
    position: Option<usize>,
    /// move only: target position, 0-based
    to_index: Option<usize>,
    /// Where the day starts; required by add, optional for update
    start_point: Option<Place>,
    /// Where the day ends; required by add, optional for update; also moves the start of the next day
    end_point: Option<Place>,
    /// Free-text name for the day (add, update)
    #[schemars(length(max = 255))]
    label: Option<String>,
    /// update only: target distance in km, splitting the day at that point
    distance: Option<f64>,
}

pub(super) fn tool(toolbox: Arc<Toolbox>) -> Tool {
    let spec = Spec {
        name: "edit_stages",
        title: "Change the days",
        description: include_str!("edit_stages.md"),
        scope: SCOPE_WRITE,
        hints: Hints { destructive: true, ..Hints::default() },
        limits: WRITES,
        closed: true,
        budget: None,
    };
    Tool::new(spec, move |call| run(Arc::clone(&toolbox), call))
}

async fn run(toolbox: Arc<Toolbox>, call: Call<Args>) -> Result<Linked<Changed>, ToolError> {
    let (trip, version) = (TripId(call.args.trip_id.clone()), call.args.version);
    let command = EditStages { trip: trip.clone(), version, edit: call.args.edit()? };
    let edited = toolbox.planner.edit_stages(&call.principal, command).await.map_err(tool_error)?;
    Ok(toolbox.linked("StageEdit", &trip_path(&trip), edited.into()))
}

impl Args {
    /// What is to be changed, once the action has what it needs.
    fn edit(self) -> Result<StageEdit, ToolError> {
        let action = self.action.as_deref().unwrap_or_default();
        let stage = || needed(action, "stageId", self.stage_id.clone()).map(StageId);
        Ok(match action {
            "add" => StageEdit::Add {
                start: needed(action, "startPoint", self.start_point)?.into(),
                end: needed(action, "endPoint", self.end_point)?.into(),
                position: self.position,
                label: self.label,
            },
            "update" => StageEdit::Update {
                stage: stage()?,
                start: self.start_point.map(Into::into),
                end: self.end_point.map(Into::into),
                label: self.label,
                distance: self.distance,
            },
            "move" => StageEdit::Move { stage: stage()?, to: needed(action, "toIndex", self.to_index)? },
            "delete" => StageEdit::Delete { stage: stage()? },
            "rest_day" => StageEdit::RestDay { after: stage()? },
            unknown => {
                let sentence = format!(
                    "Unknown \"action\": \"{}\". Send one of add, update, move, delete, rest_day.",
                    quoted(unknown)
                );
                return Err(ToolError::Refused(sentence));
            }
        })
    }
}

fn needed<T>(action: &str, name: &str, argument: Option<T>) -> Result<T, ToolError> {
    let refusal =
        || ToolError::Refused(format!("The \"{action}\" action needs a \"{name}\": send it with the others."));
    argument.ok_or_else(refusal)
}
