//! Removes a day. Its line goes to the next ridden day, that of the last one to the day before.

use super::{Ground, Refusal, Stage, invalid, km, legs, next_ridden, rest_day, ridden_before};

pub(super) fn delete(stages: &mut Vec<Stage>, index: usize, ground: &Ground<'_>) -> Result<String, Refusal> {
    let number = index + 1;
    if stages[index].is_rest_day {
        stages.remove(index);
        return Ok(format!("The rest day {number} was removed; the days after it are one earlier."));
    }
    let (next, before) = (next_ridden(stages, index), ridden_before(stages, index));
    let heir = next.or(before).ok_or_else(|| {
        invalid("This is the only ridden day; a trip keeps one. Call \"delete_trip\" to remove the whole trip.")
    })?;
    let order = stages.clone();
    let (first, second) = (index.min(heir), index.max(heir));
    let (start_label, end_label) = (stages[first].start_label.clone(), stages[second].end_label.clone());
    let way = legs::join(&stages[first].legs, &stages[second].legs, ground);
    let day = &mut stages[heir];
    day.legs = way;
    day.measure(ground);
    (day.start_label, day.end_label) = (start_label, end_label);
    let now = if heir > index { heir } else { heir + 1 };
    let distance = km(day.distance);
    stages.remove(index);
    rest_day::check(stages, &order)?;
    Ok(format!("Day {number} was removed and its line merged into day {now} of the new order, which has {distance}."))
}
