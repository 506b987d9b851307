//! How a trip goes up and down: metres over kilometres, day beside day.

use btp_accounts::Locale;
use btp_domain::{Line, distance};

use super::{Label, WIDTH, colour, draw, readable, round_above, tenth, written};

/// Units from top to bottom, and around the drawn part.
const HEIGHT: f64 = 160.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 22.0;
/// Most ticks of the axes.
const ACROSS: f64 = 6.0;
const UP: f64 = 4.0;
/// Metres from bottom to top at least: a flat day shall look flat.
const LEAST_RANGE: f64 = 100.0;
/// Metres without elevation that are bridged.
const LONGEST_HOLE: f64 = 2000.0;
/// Points are drawn for each so many units: the highest and lowest of them.
const COLUMN: f64 = 0.5;

/// An elevation profile.
pub(crate) struct Profile {
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) floor: f64,
    pub(crate) days: Vec<Area>,
    pub(crate) numbers: Vec<Label>,
    /// Where days meet.
    pub(crate) borders: Vec<f64>,
    pub(crate) across: Vec<Tick>,
    pub(crate) up: Vec<Tick>,
    /// Metres, rounded.
    pub(crate) lowest: i64,
    pub(crate) highest: i64,
}

/// A day's ground.
pub(crate) struct Area {
    pub(crate) number: usize,
    pub(crate) colour: usize,
    /// Data of a path.
    pub(crate) path: String,
}

/// A mark of an axis.
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// A day between two distances, in metres, and the stretches of it whose elevation is known.
struct Day {
    number: usize,
    from: f64,
    to: f64,
    runs: Vec<Vec<(f64, f64)>>,
}

impl Profile {
    /// The profile of the days, a line for each, empty for those without; `None` when no elevation is known.
    pub(crate) fn of(lines: &[Line], locale: Locale) -> Option<Self> {
        let days = measure(lines);
        let length = days.last()?.to;
        let heights = || days.iter().flat_map(|day| day.runs.iter().flatten()).map(|&(_, ele)| ele);
        let (lowest, highest) = (heights().reduce(f64::min)?, heights().reduce(f64::max)?);
        if length <= 0.0 {
            return None;
        }
        let frame = Frame::of(length, lowest, highest);
        let place =
            |day: &Day| Label { number: day.number, x: tenth(frame.x(f64::midpoint(day.from, day.to))), y: TOP - 7.0 };
        Some(Self {
            height: HEIGHT,
            left: LEFT,
            right: WIDTH - RIGHT,
            top: TOP,
            floor: HEIGHT - BOTTOM,
            numbers: readable(days.iter().map(place)),
            borders: days[..days.len() - 1].iter().map(|day| tenth(frame.x(day.to))).collect(),
            across: frame.across(length, locale),
            up: frame.up(locale),
            lowest: lowest.round() as i64,
            highest: highest.round() as i64,
            days: days.iter().map(|day| frame.area(day)).collect(),
        })
    }
}

fn measure(lines: &[Line]) -> Vec<Day> {
    let mut along = 0.0;
    let ridden = lines.iter().enumerate().filter(|(_, line)| !line.tracks.is_empty());
    ridden
        .map(|(index, line)| {
            let from = along;
            let mut runs: Vec<Vec<(f64, f64)>> = Vec::new();
            for track in &line.tracks {
                let first = runs.len();
                for (index, point) in track.iter().enumerate() {
                    along += index.checked_sub(1).map_or(0.0, |before| distance(track[before], *point));
                    let Some(ele) = point.ele else { continue };
                    let gap_before = index > 0 && track[index - 1].ele.is_none();
                    match runs[first..].last_mut() {
                        Some(run) if !gap_before || run.last().is_some_and(|last| along - last.0 <= LONGEST_HOLE) => {
                            run.push((along, ele));
                        }
                        _ => runs.push(vec![(along, ele)]),
                    }
                }
            }
            Day { number: index + 1, from, to: along, runs }
        })
        .collect()
}

/// From metres to units.
struct Frame {
    across: f64,
    up: f64,
    bottom: f64,
    top: f64,
    step: f64,
}

impl Frame {
    fn of(length: f64, lowest: f64, highest: f64) -> Self {
        let range = (highest - lowest).max(LEAST_RANGE);
        let step = round_above(range / UP);
        let bottom = (lowest / step).floor() * step;
        let top = (highest.max(bottom + LEAST_RANGE) / step).ceil() * step;
        let (across, up) = ((WIDTH - LEFT - RIGHT) / length, (HEIGHT - TOP - BOTTOM) / (top - bottom));
        Self { across, up, bottom, top, step }
    }

    fn x(&self, metres: f64) -> f64 {
        LEFT + metres * self.across
    }

    fn y(&self, metres: f64) -> f64 {
        HEIGHT - BOTTOM - (metres - self.bottom) * self.up
    }

    fn across(&self, length: f64, locale: Locale) -> Vec<Tick> {
        let step = round_above(length / 1000.0 / ACROSS);
        let count = (length / 1000.0 / step + 1e-9) as u32;
        let tick = |index: u32| f64::from(index) * step;
        (0..=count)
            .map(|index| Tick { at: tenth(self.x(tick(index) * 1000.0)), label: written(tick(index), locale) })
            .collect()
    }

    fn up(&self, locale: Locale) -> Vec<Tick> {
        let count = ((self.top - self.bottom) / self.step).round() as u32;
        let metres = |index: u32| self.bottom + f64::from(index) * self.step;
        (0..=count)
            .map(|index| Tick { at: tenth(self.y(metres(index))), label: written(metres(index), locale) })
            .collect()
    }

    fn area(&self, day: &Day) -> Area {
        let mut path = String::new();
        let floor = self.y(self.bottom);
        for run in &day.runs {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            draw(&mut path, 'M', (self.x(first.0), floor));
            for (along, ele) in extremes(run, |along| ((along * self.across) / COLUMN) as i64) {
                draw(&mut path, 'L', (self.x(along), self.y(ele)));
            }
            draw(&mut path, 'L', (self.x(last.0), floor));
            path.push('Z');
        }
        Area { number: day.number, colour: colour(day.number - 1), path }
    }
}

/// Of each column's points the lowest and the highest, in their order; and the first and last of all.
fn extremes(run: &[(f64, f64)], column: impl Fn(f64) -> i64) -> Vec<(f64, f64)> {
    let mut kept = Vec::new();
    for points in run.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let mut pair: Vec<_> =
            points.iter().min_by(by_height).into_iter().chain(points.iter().max_by(by_height)).collect();
        pair.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(run.first().filter(|_| kept.is_empty()));
        kept.extend(pair);
    }
    kept.extend(run.last());
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use btp_domain::Point;

    use super::*;

    /// Points 890 m apart, northward.
    fn line(heights: &[Option<f64>]) -> Line {
        let point = |(index, &ele): (usize, &Option<f64>)| Point { lat: index as f64 * 0.008, lon: 0.0, ele };
        Line { tracks: vec![heights.iter().enumerate().map(point).collect()] }
    }

    #[test]
    fn axes_have_round_numbers() {
        let hill: Vec<_> = (0..=200).map(|i| Some(300.0 + f64::from(i) * 5.3)).collect();
        let profile = Profile::of(&[line(&hill), Line::default(), line(&hill)], Locale::Fr).unwrap();
        let labels = |ticks: &[Tick]| ticks.iter().map(|tick| tick.label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&profile.across), ["0", "100", "200", "300"]);
        assert_eq!(labels(&profile.up), ["0", "500", "1000", "1500"]);
        assert_eq!((profile.lowest, profile.highest), (300, 1360));
        assert_eq!(profile.borders, [LEFT + (WIDTH - LEFT - RIGHT) / 2.0]);
        assert_eq!(profile.days.iter().map(|day| (day.number, day.colour)).collect::<Vec<_>>(), [(1, 0), (3, 2)]);
        let short = Profile::of(&[line(&[Some(1.0), Some(2.0)])], Locale::Fr).unwrap();
        assert_eq!(labels(&short.across), ["0", "0,2", "0,4", "0,6", "0,8"]);
        assert_eq!(labels(&short.up), ["0", "50", "100"], "a flat day looks flat");
    }

    #[test]
    fn what_is_not_known_is_not_drawn() {
        assert!(Profile::of(&[line(&[None, None])], Locale::En).is_none());
        assert!(Profile::of(&[Line::default()], Locale::En).is_none());
        let holes = [Some(10.0), None, Some(20.0), None, None, None, Some(30.0), Some(40.0)];
        let profile = Profile::of(&[line(&holes)], Locale::En).unwrap();
        assert_eq!(profile.days[0].path.matches('M').count(), 2, "two kilometres are bridged, three are not");
        let below = Profile::of(&[line(&[Some(-420.0), Some(-390.0)])], Locale::En).unwrap();
        assert_eq!(below.up.first().unwrap().label, "-450");
    }

    #[test]
    fn peaks_stay_when_points_are_many() {
        let mut heights: Vec<_> = vec![Some(100.0); 100_000];
        heights[50_000] = Some(2000.0);
        let line = Line {
            tracks: vec![
                (0..100_000).map(|i| Point { lat: f64::from(i) * 1e-5, lon: 0.0, ele: heights[i as usize] }).collect(),
            ],
        };
        let profile = Profile::of(&[line], Locale::En).unwrap();
        assert!(profile.days[0].path.len() < 30_000, "{}", profile.days[0].path.len());
        assert!(profile.days[0].path.contains(&format!(" {}L", TOP)), "the peak is at the top");
    }
}
