//! Changes one day.

use super::{Ground, Refusal, Stage, StageId, distance, invalid, km, legs, points};
use crate::{GeometryQuality, Point, text};

/// Two values were sent for one end.
const OVERRULED: &str = " \"distance\" decided where the day ends, and not \"endPoint\": send one of them.";

/// The new values of a day; at least one of the first three.
pub(super) struct Wish<'a> {
    pub(super) start: Option<Point>,
    pub(super) end: Option<Point>,
    pub(super) distance: Option<f64>,
    pub(super) label: Option<&'a str>,
}

/// Gives the day another label.
pub(super) fn label(day: &mut Stage, label: Option<&str>, index: usize) -> Result<String, Refusal> {
    let Some(label) = label else {
        return Err(invalid(
            "The \"update\" action needs at least one of \"startPoint\", \"endPoint\", \"label\" and \"distance\".",
        ));
    };
    day.label = text::name(label);
    let what = if day.label.is_some() { "has its new label" } else { "has no label any more" };
    Ok(format!("Day {} {what}.", index + 1))
}

/// Changes its line, one end after the other: a distance comes last and decides the end.
pub(super) fn label_and_line(
    stages: &mut Vec<Stage>,
    index: usize,
    ground: &Ground<'_>,
    fresh: StageId,
    wish: &Wish<'_>,
) -> Result<String, Refusal> {
    if stages[index].is_rest_day {
        return Err(invalid(format!(
            "Day {} is a rest day: it is where the day before ends, and has no distance. Only its label can be changed.",
            index + 1
        )));
    }
    let before = stages.clone();
    if wish.label.is_some() {
        label(&mut stages[index], wish.label, index)?;
    }
    if let Some(start) = wish.start {
        points::set_start(stages, index, ground, points::place("startPoint", start)?)?;
    }
    if let Some(end) = wish.end {
        points::set_end(stages, index, ground, "endPoint", points::place("endPoint", end)?)?;
    }
    if let Some(km) = wish.distance {
        let end = stages[index].end;
        let done = distance::set(stages, index, ground, fresh, km)?;
        let is_overruled = wish.end.is_some() && !legs::is_same(stages[index].end, end);
        return Ok(if is_overruled { done + OVERRULED } else { done });
    }
    Ok(changed(stages, &before, index))
}

/// What the days have now whose lines changed.
fn changed(stages: &[Stage], before: &[Stage], index: usize) -> String {
    let is_other = |&(number, day): &(usize, &Stage)| number == index || day.legs != before[number].legs;
    let days = stages.iter().enumerate().filter(is_other);
    let days: Vec<_> = days.map(|(number, day)| format!("day {} has {}", number + 1, km(day.distance))).collect();
    let straight = stages[index].quality == GeometryQuality::StraightLine;
    let aside = if straight { " Where they leave the route their lines are straight." } else { "" };
    format!("Now {}.{aside}", days.join(", "))
}
