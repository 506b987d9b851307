//! The line of a trip as seen from above, north up, with a scale.

use btp_accounts::Locale;
use btp_domain::{Line, Point};

use super::{Label, WIDTH, colour, draw, mercator, readable, round_below, tenth, written};

/// Units between the line and the edge.
const MARGIN: f64 = 18.0;
/// Units from top to bottom: the line's own shape within these.
const HEIGHT: std::ops::RangeInclusive<f64> = 170.0..=360.0;
/// Units below the line for the scale.
const FOOT: f64 = 14.0;
/// Most points drawn: beyond, the line is drawn coarser.
const MOST_POINTS: usize = 4000;
/// Equatorial radius in metres, the unit of the projection.
const RADIUS: f64 = 6_378_137.0;

/// A map without background.
pub(crate) struct Map {
    pub(crate) height: f64,
    pub(crate) days: Vec<Stroke>,
    pub(crate) numbers: Vec<Label>,
    /// Where days meet.
    pub(crate) borders: Vec<(f64, f64)>,
    pub(crate) start: (f64, f64),
    pub(crate) end: (f64, f64),
    pub(crate) scale: Scale,
}

/// A day's line.
pub(crate) struct Stroke {
    pub(crate) number: usize,
    pub(crate) colour: usize,
    /// Data of a path.
    pub(crate) path: String,
}

/// A bar with its length on the ground, at the middle of the map.
pub(crate) struct Scale {
    pub(crate) units: f64,
    pub(crate) label: String,
}

/// A day's tracks in the plane.
type Plane = Vec<Vec<(f64, f64)>>;

impl Map {
    /// A map of the days, a line for each, empty for those without; `None` when none has a point.
    pub(crate) fn of(days: &[Line], locale: Locale) -> Option<Self> {
        let plane = flatten(days);
        let bounds = Bounds::of(plane.iter().flatten().flatten())?;
        let view = View::of(&bounds);
        let drawn: Vec<(usize, Plane)> = plane
            .into_iter()
            .enumerate()
            .filter(|(_, tracks)| tracks.iter().any(|track| !track.is_empty()))
            .map(|(day, tracks)| {
                (day, tracks.iter().map(|track| track.iter().map(|&at| view.place(at)).collect()).collect())
            })
            .collect();
        let points = |(_, tracks): &(usize, Plane)| tracks.iter().map(Vec::len).sum::<usize>();
        let coarseness = coarseness(&drawn, drawn.iter().map(points).sum());
        let ends: Vec<_> = drawn.iter().filter_map(|(_, tracks)| tracks.iter().flatten().last().copied()).collect();
        let numbers =
            drawn.iter().filter_map(|(day, tracks)| middle(tracks).map(|(x, y)| Label { number: day + 1, x, y }));
        Some(Self {
            height: tenth(view.height + FOOT),
            start: drawn.iter().flat_map(|(_, tracks)| tracks.iter().flatten()).next().copied()?,
            end: ends.last().copied()?,
            borders: ends[..ends.len() - 1].to_vec(),
            numbers: readable(numbers),
            scale: view.scale(&bounds, locale),
            days: drawn.iter().map(|(day, tracks)| stroke(*day, tracks, coarseness)).collect(),
        })
    }
}

fn flatten(days: &[Line]) -> Vec<Plane> {
    let mut near: Option<f64> = None;
    let mut flat = |point: &Point| {
        let at = mercator(*point, near.unwrap_or(point.lon));
        near = Some(at.0.to_degrees());
        at
    };
    days.iter().map(|day| day.tracks.iter().map(|track| track.iter().map(&mut flat).collect()).collect()).collect()
}

struct Bounds {
    least: (f64, f64),
    most: (f64, f64),
}

impl Bounds {
    fn of<'a>(mut points: impl Iterator<Item = &'a (f64, f64)>) -> Option<Self> {
        let &first = points.next()?;
        Some(points.fold(Self { least: first, most: first }, |bounds, &(x, y)| Self {
            least: (bounds.least.0.min(x), bounds.least.1.min(y)),
            most: (bounds.most.0.max(x), bounds.most.1.max(y)),
        }))
    }

    fn middle(&self) -> (f64, f64) {
        (f64::midpoint(self.least.0, self.most.0), f64::midpoint(self.least.1, self.most.1))
    }
}

/// From the plane to the drawing: one scale for both directions.
struct View {
    middle: (f64, f64),
    units: f64,
    height: f64,
}

impl View {
    fn of(bounds: &Bounds) -> Self {
        // A place is shown as if it were a metre wide.
        let span = |least: f64, most: f64| (most - least).max(1.0 / RADIUS);
        let (wide, high) = (span(bounds.least.0, bounds.most.0), span(bounds.least.1, bounds.most.1));
        let room = |units: f64| units - 2.0 * MARGIN;
        let units = (room(WIDTH) / wide).min(room(*HEIGHT.end()) / high);
        let height = (high * units + 2.0 * MARGIN).clamp(*HEIGHT.start(), *HEIGHT.end());
        Self { middle: bounds.middle(), units, height }
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (from_x, from_y) = self.middle;
        (tenth((x - from_x) * self.units + WIDTH / 2.0), tenth((y - from_y) * self.units + self.height / 2.0))
    }

    fn scale(&self, bounds: &Bounds, locale: Locale) -> Scale {
        let latitude = -bounds.middle().1.sinh().atan();
        let metres_a_unit = RADIUS * latitude.cos() / self.units;
        let metres = round_below(metres_a_unit * WIDTH / 4.0);
        let label = match metres {
            1000.0.. => format!("{} km", written(metres / 1000.0, locale)),
            _ => format!("{} m", written(metres, locale)),
        };
        Scale { units: tenth(metres / metres_a_unit), label }
    }
}

/// Units between two drawn points at which there are few enough of them.
fn coarseness(drawn: &[(usize, Plane)], points: usize) -> f64 {
    let (mut coarseness, mut count) = (0.5, points);
    while count > MOST_POINTS && coarseness < WIDTH {
        let tracks = drawn.iter().flat_map(|(_, tracks)| tracks);
        count = tracks.map(|track| thinned(track, coarseness).count()).sum();
        if count > MOST_POINTS {
            coarseness *= 2.0;
        }
    }
    coarseness
}

/// The points of a track that are at least so far from the one before, and always its first and last.
fn thinned(track: &[(f64, f64)], coarseness: f64) -> impl Iterator<Item = (f64, f64)> {
    let mut last: Option<(f64, f64)> = None;
    track.iter().enumerate().filter_map(move |(index, &(x, y))| {
        let far = last.is_none_or(|(from_x, from_y)| (x - from_x).hypot(y - from_y) >= coarseness);
        (far || index + 1 == track.len()).then(|| *last.insert((x, y)))
    })
}

fn stroke(day: usize, tracks: &Plane, coarseness: f64) -> Stroke {
    let mut path = String::new();
    for track in tracks {
        for (index, at) in thinned(track, coarseness).enumerate() {
            draw(&mut path, if index == 0 { 'M' } else { 'L' }, at);
        }
    }
    Stroke { number: day + 1, colour: colour(day), path }
}

/// Half way along the longest track.
fn middle(tracks: &Plane) -> Option<(f64, f64)> {
    let step = |pair: &[(f64, f64)]| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
    let length = |track: &Vec<(f64, f64)>| track.windows(2).map(step).sum::<f64>();
    let track = tracks.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
    let mut left = length(track) / 2.0;
    let half = track.windows(2).find(|pair| {
        left -= step(pair);
        left <= 0.0
    });
    half.map(|pair| pair[1]).or_else(|| track.last().copied())
}

#[cfg(test)]
mod tests {
    use btp_domain::distance;

    use super::*;

    fn line(points: &[(f64, f64)]) -> Line {
        Line { tracks: vec![points.iter().map(|&(lat, lon)| Point { lat, lon, ele: None }).collect()] }
    }

    fn map(days: &[Line]) -> Map {
        Map::of(days, Locale::En).unwrap()
    }

    #[test]
    fn shapes_are_true_and_north_is_up() {
        // As wide as high on the ground, at 60° where a degree of longitude is half as long.
        let square = map(&[line(&[(60.0, 10.0), (60.02, 10.0), (60.02, 10.04), (60.0, 10.04)])]);
        let (start, end) = (square.start, square.end);
        assert!(end.0 > start.0, "east is right");
        assert_eq!(start.1, end.1);
        let corner = square.days[0].path.split('L').nth(1).unwrap().to_owned();
        let top: f64 = corner.split(' ').nth(1).unwrap().parse().unwrap();
        let (wide, high) = (end.0 - start.0, start.1 - top);
        assert!(high > 0.0, "north is up");
        assert!((wide / high - 1.0).abs() < 0.01, "{wide} by {high}");
    }

    #[test]
    fn the_scale_is_true() {
        for (lat, wide) in [(0.0, 0.01), (47.0, 0.5), (69.0, 20.0), (-45.0, 0.001)] {
            let [west, east] = [Point { lat, lon: 9.0, ele: None }, Point { lat, lon: 9.0 + wide, ele: None }];
            let drawn = map(&[line(&[(lat, 9.0), (lat, 9.0 + wide)])]);
            let (number, unit) = drawn.scale.label.split_once(' ').unwrap();
            let metres = number.parse::<f64>().unwrap() * if unit == "km" { 1000.0 } else { 1.0 };
            let shown = (drawn.end.0 - drawn.start.0) / drawn.scale.units * metres;
            let ground = (0..100).map(|i| Point { lat, lon: 9.0 + wide * f64::from(i) / 100.0, ele: None });
            let parallel: Vec<_> = ground.chain([east]).collect();
            let real = parallel.windows(2).map(|pair| distance(pair[0], pair[1])).sum::<f64>();
            assert!((shown / real - 1.0).abs() < 0.01, "at {lat}: {shown} of {real}, {west:?}");
            assert!((20.0..=90.0).contains(&drawn.scale.units), "{}", drawn.scale.units);
        }
    }

    #[test]
    fn everything_is_inside_also_across_the_antimeridian() {
        let days = [line(&[(10.0, 179.0), (11.0, -179.5)]), Line::default(), line(&[(11.0, -179.5), (-9.0, 178.0)])];
        let map = map(&days);
        assert_eq!(map.days.iter().map(|day| (day.number, day.colour)).collect::<Vec<_>>(), [(1, 0), (3, 2)]);
        assert_eq!(map.borders.len(), 1);
        for (x, y) in map.borders.iter().chain([&map.start, &map.end]) {
            assert!((MARGIN - 0.1..=WIDTH - MARGIN + 0.1).contains(x), "{x}");
            assert!((MARGIN - 0.1..=map.height - FOOT - MARGIN + 0.1).contains(y), "{y}");
        }
        assert!(map.borders[0].0 > map.start.0, "it goes on eastward");
    }

    #[test]
    fn one_place_and_many_points() {
        assert!(Map::of(&[Line::default()], Locale::En).is_none());
        let place = map(&[line(&[(47.0, 9.0)])]);
        assert_eq!(place.start, place.end);
        let zigzag: Vec<_> = (0..200_000).map(|i| (f64::from(i % 2), f64::from(i) * 1e-5)).collect();
        assert!(map(&[line(&zigzag)]).days[0].path.len() < 100_000);
    }
}
