//! Inserts a day: along the source line when both its ends are on it, else straight. Its neighbours stay as they are.

use super::{Ground, Refusal, Stage, StageId, invalid, km, legs, points, ridden_before};
use crate::{Leg, Point, text};

pub(super) fn add(
    stages: &mut Vec<Stage>,
    ground: &Ground<'_>,
    fresh: StageId,
    ends: (Point, Point),
    position: Option<usize>,
    label: Option<&str>,
) -> Result<String, Refusal> {
    let index = position.unwrap_or(stages.len());
    if index > stages.len() {
        return Err(invalid(format!("\"position\" must be between 0 and {}.", stages.len())));
    }
    let (start, end) = (points::place("startPoint", ends.0)?, points::place("endPoint", ends.1)?);
    let leg = along(stages, index, ground, start, end).or_else(|| legs::straight(start, end));
    let Some(leg) = leg.filter(|leg| leg.length() >= legs::SHORTEST) else {
        return Err(invalid(
            "\"startPoint\" and \"endPoint\" are the same place. For a day off the bike use the action \"rest_day\".",
        ));
    };
    let label = label.and_then(text::name);
    let mut day = Stage { label, ..Stage::unmeasured(fresh, start, end, vec![leg]) };
    day.measure(ground);
    let way = match leg {
        Leg::Source { .. } => "along the route",
        Leg::Straight { .. } => "in a straight line",
    };
    let done = format!(
        "A day of {} {way} was inserted as day {}; the days after it are one later and stay where they are.",
        km(day.distance),
        index + 1
    );
    stages.insert(index, day);
    Ok(done)
}

/// The part of the source line from one place to the other, when both are on it in this order.
fn along(stages: &[Stage], index: usize, ground: &Ground<'_>, start: Point, end: Point) -> Option<Leg> {
    let before = ridden_before(stages, index).and_then(|day| stages[day].legs.iter().rev().find_map(Leg::source));
    let wish = before.map_or(0.0, |(_, to)| to);
    let from = ground.on_line(start, 0.0, ground.length(), wish)?;
    let to = ground.on_line(end, from + legs::SHORTEST, ground.length(), from)?;
    Some(Leg::Source { from, to })
}
