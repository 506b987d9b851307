//! Gives a day another distance: it ends there along its own line and that of the next ridden day, which has the rest.

use super::{Ground, Refusal, Stage, StageId, invalid, km, legs, next_ridden};

/// Distances that are shown as the same are the same, in metres.
const SHOWN: f64 = 5.0;

pub(super) fn set(
    stages: &mut Vec<Stage>,
    index: usize,
    ground: &Ground<'_>,
    fresh: StageId,
    wish: f64,
) -> Result<String, Refusal> {
    let metres = wish * 1000.0;
    let now = format!("Day {} has {}", index + 1, km(metres));
    if (metres - stages[index].distance).abs() < SHOWN {
        return Ok(format!("{now}."));
    }
    let next = next_ridden(stages, index);
    let way = match next {
        Some(next) => legs::join(&stages[index].legs, &stages[next].legs, ground),
        None => stages[index].legs.clone(),
    };
    let whole = legs::length(&way);
    let most = whole - legs::SHORTEST;
    // Not a number is refused too.
    if !(legs::SHORTEST..=most).contains(&metres) {
        let where_to = match next {
            Some(next) => format!("the end of day {}", next + 1),
            None => "its own end, for no ridden day follows it".to_owned(),
        };
        return Err(invalid(format!(
            "\"distance\" must be more than 0 and less than {}, which is as far as {where_to}.",
            km(whole)
        )));
    }
    let (mine, rest) = legs::split(&way, metres);
    let day = &mut stages[index];
    day.legs = mine;
    day.measure(ground);
    let Some(next) = next else {
        let mut last = Stage { id: fresh, legs: rest, label: None, is_rest_day: false, ..stages[index].clone() };
        last.measure(ground);
        let done = format!("{now}; the remaining {} are a new day {}.", km(last.distance), index + 2);
        stages.insert(index + 1, last);
        return Ok(done);
    };
    let heir = &mut stages[next];
    heir.legs = rest;
    heir.measure(ground);
    Ok(format!("{now} and day {}, which starts where it ends, {}.", next + 1, km(heir.distance)))
}
