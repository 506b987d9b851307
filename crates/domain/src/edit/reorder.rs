//! Puts a day at another place in the order. No line changes: where days no longer meet, an alert says so.

use super::{Refusal, Stage, invalid, rest_day};

pub(super) fn reorder(stages: &mut Vec<Stage>, index: usize, to: usize) -> Result<String, Refusal> {
    if to >= stages.len() {
        return Err(invalid(format!("\"toIndex\" must be between 0 and {}.", stages.len() - 1)));
    }
    let before = stages.clone();
    let day = stages.remove(index);
    stages.insert(to, day);
    rest_day::check(stages, &before)?;
    Ok(format!("Day {} is day {} now and the days between are renumbered; no line changed.", index + 1, to + 1))
}
