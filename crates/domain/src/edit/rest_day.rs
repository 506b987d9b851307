//! Days off the bike. They are where the day before ends, never first, and never two in a row.

use super::{Refusal, Stage, StageId, invalid};

/// Inserts a rest day after a ridden one.
pub(super) fn insert(stages: &mut Vec<Stage>, after: usize, fresh: StageId) -> Result<String, Refusal> {
    for index in [after, after + 1] {
        if stages.get(index).is_some_and(|day| day.is_rest_day) {
            return Err(invalid(format!("Day {} is a rest day already: two in a row are not possible.", index + 1)));
        }
    }
    let place = stages[after].end;
    let rest = Stage { ascent: Some(0.0), descent: Some(0.0), ..Stage::unmeasured(fresh, place, place, Vec::new()) };
    stages.insert(after + 1, rest);
    Ok(format!("Day {} is a rest day now; the days after it are one later.", after + 2))
}

/// Puts every rest day where the day before it ends.
pub(super) fn anchor(stages: &mut [Stage]) {
    for index in 1..stages.len() {
        if stages[index].is_rest_day {
            let (end, label) = (stages[index - 1].end, stages[index - 1].end_label.clone());
            let rest = &mut stages[index];
            (rest.start, rest.end) = (end, end);
            (rest.start_label, rest.end_label) = (label.clone(), label);
        }
    }
}

/// Refuses an order of days in which a rest day is first or follows another; `before` is the order it is known by.
pub(super) fn check(stages: &[Stage], before: &[Stage]) -> Result<(), Refusal> {
    let name = |day: &Stage| {
        let number = before.iter().position(|it| it.id == day.id).map_or(0, |index| index + 1);
        format!("the rest day that is day {number} now ({})", day.id)
    };
    if let Some(first) = stages.first().filter(|day| day.is_rest_day) {
        return Err(invalid(format!("That would make {} the first day. Delete that rest day first.", name(first))));
    }
    match stages.windows(2).find(|pair| pair[0].is_rest_day && pair[1].is_rest_day) {
        Some(pair) => Err(invalid(format!(
            "That would put {} right after another rest day. Delete one of them first.",
            name(&pair[1])
        ))),
        None => Ok(()),
    }
}
