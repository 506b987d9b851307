//! What holds after any sequence of edits, on lines of every kind.

use btp_domain::{
    Confirmable, CreateTrip, EditStages, Error, Leg, Line, Point, Refusal, Settings, SettingsChanges, Stage, StageEdit,
    Trip, TripId, UpdateSettings, distance, route::FetchedRoute,
};
use jiff::civil::date;
use proptest::prelude::*;

use crate::world::{World, ann, ready, refusal, route, tour};

/// Metres within which two ends meet as far as the rule of continuity goes.
const MEETS: f64 = 100.0;

#[derive(Clone, Copy, Debug)]
enum Shape {
    Straight,
    OutAndBack,
    Loop,
    Broken,
    Unmeasured,
}

/// One wish; numbers are taken modulo what there is, and one more, so that some are out of range.
#[derive(Clone, Debug)]
enum Wish {
    Add(Place, Place, Option<usize>),
    Points(usize, Option<Place>, Option<Place>),
    Distance(usize, f64),
    Label(usize, String),
    Move(usize, usize),
    Delete(usize),
    Rest(usize),
    Cap(f64),
    Dates(i8, i8),
}

/// A point of the line, or so many metres north of it.
#[derive(Clone, Copy, Debug)]
struct Place {
    part: f64,
    aside: f64,
}

fn place() -> impl Strategy<Value = Place> {
    (0.0..=1.0, prop_oneof![3 => Just(0.0), 1 => -150.0..150.0, 2 => -30_000.0..30_000.0])
        .prop_map(|(part, aside)| Place { part, aside })
}

/// What changes the split and nothing else: the days stay the whole line.
fn tame() -> impl Strategy<Value = Wish> {
    let day = 0..40_usize;
    prop_oneof![
        3 => (day.clone(), 0.0..20.0).prop_map(|(day, km)| Wish::Distance(day, km)),
        2 => day.clone().prop_map(Wish::Delete),
        2 => day.clone().prop_map(Wish::Rest),
        1 => (day, ".{0,9}").prop_map(|(day, label)| Wish::Label(day, label)),
        1 => (30.0..300.0).prop_map(Wish::Cap),
        1 => (1..14_i8, 0..14_i8).prop_map(|(first, more)| Wish::Dates(first, more)),
    ]
}

fn wild() -> impl Strategy<Value = Wish> {
    let day = 0..40_usize;
    prop_oneof![
        3 => tame(),
        1 => (place(), place(), proptest::option::of(0..40_usize)).prop_map(|(start, end, at)| Wish::Add(start, end, at)),
        3 => (day.clone(), proptest::option::of(place()), proptest::option::of(place())).prop_map(|(day, start, end)| Wish::Points(day, start, end)),
        1 => (day.clone(), day).prop_map(|(day, to)| Wish::Move(day, to)),
    ]
}

fn line(shape: Shape, km: f64) -> Line {
    let east = |km: f64| 1.0 + km / 111.319_490_793;
    let at = |part: f64| {
        let (lat, lon) = match shape {
            Shape::OutAndBack => (0.00001 * part, east(km / 2.0 - (part - 0.5).abs() * km)),
            Shape::Loop => {
                let (sin, cos) = (part * std::f64::consts::TAU).sin_cos();
                (45.0 + sin * km / 700.0, 7.0 + cos * km / 495.0)
            }
            _ => (0.0, east(part * km)),
        };
        let ele = (!matches!(shape, Shape::Unmeasured)).then(|| 500.0 + (part * 25.0).sin() * 300.0);
        Point { lat, lon, ele }
    };
    let points: Vec<_> = (0..=40).map(|part| at(f64::from(part) / 40.0)).collect();
    let tracks = match shape {
        Shape::Broken => vec![points[..14].to_vec(), points[16..27].to_vec(), points[27..].to_vec()],
        _ => vec![points],
    };
    Line { tracks }
}

struct Ride {
    world: World,
    id: TripId,
    line: Line,
}

impl Ride {
    /// A trip of some kilometres on so many days, or without dates.
    fn new(shape: Shape, km: f64, days: Option<i8>) -> Self {
        let (world, line) = (World::new(), line(shape, km));
        let (start_date, end_date) = (days.map(|_| date(2026, 7, 1)), days.map(|days| date(2026, 7, days)));
        let command = CreateTrip { settings: Settings { start_date, end_date, ..Settings::default() }, ..tour(1) };
        let fetched = FetchedRoute { line: line.clone(), ..route(1.0) };
        let id = ready(world.planned_on(command, fetched));
        Self { world, id, line }
    }

    fn trip(&self) -> Trip {
        ready(self.world.trip(&self.id))
    }

    fn point(&self, place: Place) -> Point {
        let points: Vec<_> = self.line.tracks.iter().flatten().collect();
        let index = place.part * (points.len() - 1) as f64;
        let (from, to) = (points[index.floor() as usize], points[index.ceil() as usize]);
        let mix = |a: f64, b: f64| a + (b - a) * index.fract();
        Point { lat: mix(from.lat, to.lat) + place.aside / 111_000.0, lon: mix(from.lon, to.lon), ele: None }
    }

    /// The version the trip has afterwards.
    fn make(&self, trip: &Trip, wish: &Wish) -> Result<u64, Error> {
        let day = |number: usize| {
            let days = &trip.stages;
            days.get(number % (days.len() + 1)).map_or_else(|| "nowhere".into(), |day| day.id.clone())
        };
        let index = |number: usize| number % (trip.stages.len() + 2);
        let update = |number, start: Option<Place>, end: Option<Place>, label, distance| StageEdit::Update {
            stage: day(number),
            start: start.map(|it| self.point(it)),
            end: end.map(|it| self.point(it)),
            label,
            distance,
        };
        let edit = match wish {
            Wish::Cap(km) => {
                let changes = SettingsChanges { max_distance_per_day: Some(*km), ..SettingsChanges::default() };
                return self.change(trip, &changes);
            }
            Wish::Dates(first, more) => {
                let (start_date, end_date) = (Some(date(2026, 8, *first)), Some(date(2026, 8, first + more)));
                return self.change(trip, &SettingsChanges { start_date, end_date, ..SettingsChanges::default() });
            }
            Wish::Add(start, end, at) => StageEdit::Add {
                start: self.point(*start),
                end: self.point(*end),
                position: at.map(index),
                label: Some("added".to_owned()),
            },
            Wish::Points(number, start, end) => update(*number, *start, *end, None, None),
            Wish::Distance(number, km) => update(*number, None, None, None, Some(*km)),
            Wish::Label(number, label) => update(*number, None, None, Some(label.clone()), None),
            Wish::Move(number, to) => StageEdit::Move { stage: day(*number), to: index(*to) },
            Wish::Delete(number) => StageEdit::Delete { stage: day(*number) },
            Wish::Rest(number) => StageEdit::RestDay { after: day(*number) },
        };
        let command = EditStages { trip: trip.id.clone(), version: Some(trip.version), edit };
        let stale = EditStages { version: Some(trip.version + 1), ..command.clone() };
        let moved = Refusal::Moved { trip: trip.id.clone(), edited: trip.version + 1, current: trip.version };
        assert_eq!(refusal(ready(self.world.planner.edit_stages(&ann(), stale))), moved);
        ready(self.world.planner.edit_stages(&ann(), command)).map(|edited| edited.version)
    }

    fn change(&self, trip: &Trip, changes: &SettingsChanges) -> Result<u64, Error> {
        let call = |token| UpdateSettings {
            trip: trip.id.clone(),
            version: Some(trip.version),
            changes: changes.clone(),
            token,
        };
        let planner = &self.world.planner;
        let Confirmable::Ask { token, .. } = ready(planner.update_settings(&ann(), call(None)))? else {
            panic!("it did not ask")
        };
        match ready(planner.update_settings(&ann(), call(Some(token))))? {
            Confirmable::Done(edited) => Ok(edited.version),
            Confirmable::Ask { .. } => panic!("it asked again"),
        }
    }

    fn check(&self, trip: &Trip) -> Result<(), TestCaseError> {
        let days = &trip.stages;
        let mut ids: Vec<_> = days.iter().map(|day| &day.id).collect();
        ids.sort();
        ids.dedup();
        prop_assert_eq!(ids.len(), days.len(), "every day has its own id");
        prop_assert!(days.len() <= 366 && trip.ridden().count() > 0);
        prop_assert!(!days[0].is_rest_day && days.windows(2).all(|pair| !(pair[0].is_rest_day && pair[1].is_rest_day)));
        if let Some(first) = trip.settings.start_date {
            let last = first.checked_add(jiff::Span::new().days(days.len() as i64 - 1)).unwrap();
            prop_assert_eq!(trip.end_date(), Some(last));
        }
        for pair in days.windows(2) {
            let gap = distance(pair[0].end, pair[1].start);
            let is_told = trip.alerts(&pair[0]).iter().any(|alert| alert.group == "continuity");
            prop_assert_eq!(gap >= MEETS, is_told, "{} m between {:?} and {:?}", gap, pair[0], pair[1]);
        }
        for (index, (day, line)) in days.iter().zip(trip.day_lines(&self.line)).enumerate() {
            self.check_day(day, &line)?;
            if day.is_rest_day {
                prop_assert_eq!(day.start, days[index - 1].end, "a rest day is where the day before ends");
            }
        }
        Ok(())
    }

    fn check_day(&self, day: &Stage, line: &Line) -> Result<(), TestCaseError> {
        if day.is_rest_day {
            prop_assert_eq!((day.distance, day.start, &day.legs), (0.0, day.end, &Vec::new()));
            return Ok(());
        }
        prop_assert!((line.length() - day.distance).abs() < 1.0, "{} m of {:?}", line.length(), day);
        prop_assert!(day.distance >= 1.0 && day.distance.is_finite(), "{:?}", day);
        let points: Vec<_> = line.tracks.iter().flatten().collect();
        prop_assert!(distance(*points[0], day.start) < 1.5, "{:?} starts at {:?}", day, points[0]);
        prop_assert!(distance(*points[points.len() - 1], day.end) < 1.5, "{:?}", day);
        for climbed in [day.ascent, day.descent].into_iter().flatten() {
            prop_assert!(climbed.is_finite() && climbed >= -1e-6 && climbed < day.distance, "{:?}", day);
        }
        for leg in &day.legs {
            if let Leg::Source { from, to } = *leg {
                prop_assert!(from >= 0.0 && from < to && to <= self.line.length() + 1e-6, "{:?}", day);
            }
        }
        Ok(())
    }
}

fn days() -> impl Strategy<Value = Option<i8>> {
    proptest::option::weighted(0.9, 1..12_i8)
}

fn shapes() -> impl Strategy<Value = Shape> {
    use Shape::{Broken, Loop, OutAndBack, Straight, Unmeasured};
    proptest::sample::select(vec![Straight, OutAndBack, Loop, Broken, Unmeasured])
}

fn ride(ride: &Ride, wishes: &[Wish], is_whole: bool) -> Result<(), TestCaseError> {
    let mut before = ride.trip();
    ride.check(&before)?;
    for wish in wishes {
        let outcome = ride.make(&before, wish);
        let after = ride.trip();
        match outcome {
            Ok(version) if version == before.version => prop_assert_eq!(&after, &before, "nothing changed: {:?}", wish),
            Ok(version) => {
                prop_assert_eq!((version, after.version), (before.version + 1, before.version + 1), "{:?}", wish);
                ride.check(&after)?;
                let kept = ready(ride.world.stores.trips.former_days(&ann().user, &ride.id, before.version)).unwrap();
                let former = (after.stages != before.stages).then(|| before.stages.clone());
                prop_assert_eq!(kept, former, "undo of {:?}", wish);
            }
            Err(Error::Refused(_)) => prop_assert_eq!(&after, &before, "refused: {:?}", wish),
            Err(other) => prop_assert!(false, "{:?}: {:?}", wish, other),
        }
        if is_whole {
            let (sum, whole) = (after.distance(), ride.line.length());
            prop_assert!((sum - whole).abs() < 1.0, "{} of {} m after {:?}", sum, whole, wish);
        }
        before = after;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_edits_keeps_the_trip_whole(
        shape in shapes(), km in 2.0..20.0_f64, days in days(), wishes in proptest::collection::vec(wild(), 1..14),
    ) {
        ride(&Ride::new(shape, km, days), &wishes, false)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edits_of_the_split_alone_keep_the_whole_line(
        shape in shapes(), km in 2.0..20.0_f64, days in days(), wishes in proptest::collection::vec(tame(), 1..14),
    ) {
        ride(&Ride::new(shape, km, days), &wishes, true)?;
    }
}
