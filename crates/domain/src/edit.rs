//! Changing the days and settings of a trip: pure functions from a trip to the changed trip, or to a refusal.
//!
//! A day's line is a list of legs; all that is shown of a day follows from them. So the distances of the days are the
//! lengths of their lines after any sequence of edits.

mod add;
mod command;
mod delete;
mod distance;
mod ground;
mod legs;
mod points;
mod reorder;
mod rest_day;
mod settings;
mod update;

use crate::{Refusal, Stage, StageId, pacing::MOST_DAYS};

pub use command::{AddWaypoint, ChooseAccommodation, EditStages, Edited, SettingsChanges, StageEdit, UpdateSettings};
pub(crate) use ground::Ground;
pub(crate) use settings::{Effect, Replanned, replan};

/// Changes the days, and says in a sentence what was done. `ground` is needed by edits of lines; `fresh` is the id of the
/// day that comes in, if one does.
///
/// # Errors
/// An unknown day; what the edit's rule refuses. The days are of no use then.
pub(crate) fn apply(
    stages: &mut Vec<Stage>,
    edit: &StageEdit,
    ground: Option<&Ground<'_>>,
    fresh: StageId,
) -> Result<String, Refusal> {
    let ground = || ground.ok_or(Refusal::Computing);
    let done = match edit {
        StageEdit::Add { start, end, position, label } => {
            add::add(stages, ground()?, fresh, (*start, *end), *position, label.as_deref())
        }
        StageEdit::Update { stage, start, end, label, distance } => {
            let index = index_of(stages, stage)?;
            if !edit.is_of_lines() {
                return update::label(&mut stages[index], label.as_deref(), index);
            }
            let wish = update::Wish { start: *start, end: *end, distance: *distance, label: label.as_deref() };
            update::label_and_line(stages, index, ground()?, fresh, &wish)
        }
        StageEdit::Move { stage, to } => reorder::reorder(stages, index_of(stages, stage)?, *to),
        StageEdit::Delete { stage } => delete::delete(stages, index_of(stages, stage)?, ground()?),
        StageEdit::RestDay { after } => rest_day::insert(stages, index_of(stages, after)?, fresh),
    }?;
    if stages.len() > MOST_DAYS {
        return Err(invalid(format!("A trip has at most {MOST_DAYS} days.")));
    }
    rest_day::anchor(stages);
    Ok(done)
}

fn index_of(stages: &[Stage], id: &StageId) -> Result<usize, Refusal> {
    stages.iter().position(|day| day.id == *id).ok_or(Refusal::NoStage)
}

fn invalid(sentence: impl Into<String>) -> Refusal {
    Refusal::Invalid(sentence.into())
}

/// Index of the next ridden day.
fn next_ridden(stages: &[Stage], index: usize) -> Option<usize> {
    (index + 1..stages.len()).find(|&next| !stages[next].is_rest_day)
}

/// Index of the ridden day before.
fn ridden_before(stages: &[Stage], index: usize) -> Option<usize> {
    (0..index).rev().find(|&before| !stages[before].is_rest_day)
}

/// Metres as a person reads them.
fn km(metres: f64) -> String {
    format!("{:.2} km", metres / 1000.0)
}
