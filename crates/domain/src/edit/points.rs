//! Moves where a day starts or ends: on the source line when the place is on it, else by a straight line aside.

use super::{Ground, Refusal, Stage, invalid, legs, next_ridden, ridden_before};
use crate::{Leg, Point, elevation::known_elevation};

/// `point` as a place on Earth.
pub(super) fn place(name: &str, point: Point) -> Result<Point, Refusal> {
    if !point.is_on_earth() {
        return Err(invalid(format!(
            "\"{name}\" must have a \"lat\" between -90 and 90 and a \"lon\" between -180 and 180."
        )));
    }
    Ok(Point { ele: point.ele.and_then(known_elevation), ..point })
}

/// Moves the end of a day, and with it the start of the next ridden one. `name` is what a refusal calls the point.
pub(super) fn set_end(
    stages: &mut [Stage],
    index: usize,
    ground: &Ground<'_>,
    name: &str,
    point: Point,
) -> Result<(), Refusal> {
    let next = next_ridden(stages, index);
    let day = &mut stages[index];
    let Some((last, (from, to))) = last_source(&day.legs) else {
        day.legs = legs::straight(day.start, point).into_iter().collect();
        return meet(stages, index, next, ground, None);
    };
    let follows = next.and_then(|next| first_source(&stages[next].legs)).filter(|&(_, part)| part.0 == to);
    // The end may go as far as the next day's when that goes on from here, and to the end of the line on the last day.
    let most = match (next, follows) {
        (None, _) => ground.length(),
        (_, Some((_, part))) => part.1 - legs::SHORTEST,
        _ => to,
    };
    let least = from + legs::SHORTEST;
    let is_bound = next.is_none() || follows.is_some();
    let found = ground.on_line(point, least, most, to);
    if found.is_none() && is_bound && ground.on_line(point, 0.0, ground.length(), to).is_some() {
        return Err(invalid(format!(
            "\"{name}\" is on the route, but not between the start of the one day and the end of the other. Choose a place between them, or delete or move days first."
        )));
    }
    let leaves = || {
        let near = ground.nearest(point, least, most)?;
        let is_inside = near > least && (near < most || next.is_none());
        is_inside.then_some(near)
    };
    let at = found.or_else(leaves).unwrap_or(to);
    let day = &mut stages[index];
    day.legs.truncate(last);
    day.legs.push(Leg::Source { from, to: at });
    if found.is_none() {
        day.legs.extend(legs::straight(ground.stop_at(at), point));
    }
    meet(stages, index, next, ground, follows.map(|_| at))
}

/// Moves the start of a day; when the ridden day before ends there, its end goes along.
pub(super) fn set_start(stages: &mut [Stage], index: usize, ground: &Ground<'_>, point: Point) -> Result<(), Refusal> {
    let meets = |&before: &usize| legs::is_same(stages[before].end, stages[index].start);
    if let Some(before) = ridden_before(stages, index).filter(meets) {
        return set_end(stages, before, ground, "startPoint", point);
    }
    let day = &mut stages[index];
    let Some((first, (from, to))) = first_source(&day.legs) else {
        day.legs = legs::straight(point, day.end).into_iter().collect();
        return measured(day, ground);
    };
    let most = to - legs::SHORTEST;
    let found = ground.on_line(point, 0.0, most, from);
    if found.is_none() && ground.on_line(point, 0.0, ground.length(), from).is_some() {
        return Err(invalid(
            "\"startPoint\" is on the route, but behind the end of the day. Choose a place before it, or move \"endPoint\" first.",
        ));
    }
    let leaves = || ground.nearest(point, from, most).filter(|&near| near < most);
    let at = found.or_else(leaves).unwrap_or(from);
    let aside = if found.is_none() { legs::straight(point, ground.go_at(at)) } else { None };
    day.legs.splice(..=first, aside.into_iter().chain([Leg::Source { from: at, to }]));
    measured(day, ground)
}

/// Lets the next ridden day start where the day ends: from `at` on when it follows it on the source line.
fn meet(
    stages: &mut [Stage],
    index: usize,
    next: Option<usize>,
    ground: &Ground<'_>,
    at: Option<f64>,
) -> Result<(), Refusal> {
    measured(&mut stages[index], ground)?;
    let Some(next) = next else { return Ok(()) };
    let place = stages[index].end;
    let day = &mut stages[next];
    match first_source(&day.legs) {
        None => day.legs = legs::straight(place, day.end).into_iter().collect(),
        Some((first, (from, to))) => {
            let from = at.unwrap_or(from);
            // A gap in the source line is none of a straight line's.
            let is_on = at.is_some() && legs::is_same(place, ground.stop_at(from));
            let aside = if is_on { None } else { legs::straight(place, ground.go_at(from)) };
            day.legs.splice(..=first, aside.into_iter().chain([Leg::Source { from, to }]));
        }
    }
    measured(day, ground)
}

fn measured(day: &mut Stage, ground: &Ground<'_>) -> Result<(), Refusal> {
    if legs::length(&day.legs) < legs::SHORTEST {
        return Err(invalid("A day must not end where it starts. Delete the day, or choose another place."));
    }
    day.measure(ground);
    Ok(())
}

fn first_source(legs: &[Leg]) -> Option<(usize, (f64, f64))> {
    legs.iter().enumerate().find_map(|(index, leg)| Some((index, leg.source()?)))
}

fn last_source(legs: &[Leg]) -> Option<(usize, (f64, f64))> {
    legs.iter().enumerate().rev().find_map(|(index, leg)| Some((index, leg.source()?)))
}
