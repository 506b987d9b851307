//! Values that are hard to store.

use btp_domain::{
    AccommodationType, Computation, Computations, Failure, FailureCode, GeometryQuality, Leg, Line, Point, Readiness,
    Settings, SourceKind, SourceRef, Stage, StageId, Trip, TripId, Warning,
    store::{Change, CreationKey, Job, JobId, NewJob, NewTrip},
};
use btp_kernel::{Timestamp, UserId};
use jiff::civil::date;

pub(in crate::conformance) fn at(second: i64) -> Timestamp {
    Timestamp::from_millis(1_780_300_800_000 + second * 1000)
}

/// A bare trip, created at `second`.
pub(in crate::conformance) fn trip(owner: &UserId, id: &str, second: i64) -> Trip {
    Trip {
        id: id.into(),
        owner: owner.clone(),
        title: None,
        source: SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: None },
        settings: Settings::default(),
        readiness: Readiness::Draft,
        version: 1,
        zone: None,
        out_of_zone: false,
        computations: Computations { route: Computation::Running },
        failure: None,
        warnings: Vec::new(),
        stages: Vec::new(),
        created_at: at(second),
        updated_at: at(second),
    }
}

/// A creation of `trip` under a key of its own.
pub(in crate::conformance) fn new(trip: &Trip) -> NewTrip {
    NewTrip {
        key: CreationKey(format!("key of {}", trip.id)),
        arguments: "digest".to_owned(),
        not_before: at(-3600),
        line: None,
        jobs: Vec::new(),
        trip: trip.clone(),
    }
}

/// A job for the trip, due at `second`.
pub(in crate::conformance) fn job(trip: &Trip, id: &str, second: i64) -> NewJob {
    let job = Job::FetchRoute { owner: trip.owner.clone(), trip: trip.id.clone() };
    NewJob { id: JobId::from(id), job, due: at(second) }
}

/// The next version of `trip`, with nothing else.
pub(in crate::conformance) fn next(trip: &Trip) -> Change {
    let read = trip.version;
    Change {
        trip: Trip { version: read + 1, ..trip.clone() },
        read,
        line: None,
        former: None,
        jobs: Vec::new(),
        finishes: None,
    }
}

/// A trip in which every field has a value that is easy to lose.
pub(in crate::conformance) fn full(owner: &UserId, id: &str) -> Trip {
    let point = Point { lat: 0.1 + 0.2, lon: -180.0, ele: None };
    let high = Point { lat: 47.123_456_789_012_34, lon: 9.0 + 1.0 / 3.0, ele: Some(-3.25) };
    let stage = |number: u32, distance: f64| Stage {
        id: StageId(format!("{id}-day-{number}")),
        distance,
        ascent: Some(1_234.567_890_123),
        descent: Some(0.0),
        start: high,
        end: point,
        label: Some("Été — \u{1F6B2} “%_'\\”".to_owned()),
        start_label: Some("Île-d'Aix".to_owned()),
        end_label: None,
        is_rest_day: false,
        legs: vec![
            Leg::Straight { from: high, to: point },
            Leg::Source { from: 1.0 / 3.0, to: 80_000.1 },
            Leg::Straight { from: point, to: high },
        ],
        quality: GeometryQuality::Source,
    };
    Trip {
        title: Some("Zürich → Besançon \u{1F6B4} ﷽".to_owned()),
        source: SourceRef {
            kind: SourceKind::KomootCollection,
            id: "9223372036854775807".to_owned(),
            token: Some("s3cret-_%".to_owned()),
        },
        settings: Settings {
            start_date: Some(date(2028, 2, 29)),
            end_date: Some(date(2028, 12, 31)),
            fatigue_factor: 0.7 + 0.1,
            elevation_penalty: 1.0e3 / 3.0,
            max_distance_per_day: 123.456_789,
            average_speed: 15.1,
            ebike_mode: true,
            departure_hour: 23,
            accommodation_types: vec![AccommodationType::CampSite, AccommodationType::WildernessHut],
        },
        readiness: Readiness::Ready,
        zone: Some("Pacific/Auckland".to_owned()),
        out_of_zone: true,
        computations: Computations { route: Computation::Done },
        failure: Some(Failure { code: FailureCode::TooLarge, message: "Trop d'octets — \u{202f}30 Mo.".to_owned() }),
        warnings: vec![
            Warning { code: "dates_too_short".to_owned(), message: "Zu kurz: „ö“.".to_owned() },
            Warning { code: "elevation_unknown".to_owned(), message: String::new() },
        ],
        stages: vec![
            stage(1, 80_000.1),
            Stage {
                is_rest_day: true,
                legs: Vec::new(),
                distance: 0.0,
                ascent: None,
                descent: None,
                label: None,
                start_label: None,
                end_label: Some("Chur".to_owned()),
                quality: GeometryQuality::StraightLine,
                ..stage(2, 0.0)
            },
            Stage { quality: GeometryQuality::Routed, ..stage(3, f64::EPSILON) },
        ],
        updated_at: Timestamp::from_millis(at(0).as_millis() + 7),
        ..trip(owner, id, 0)
    }
}

/// A line of two tracks with points that are easy to lose.
pub(in crate::conformance) fn line() -> Line {
    let point = |lat, lon, ele| Point { lat, lon, ele };
    Line {
        tracks: vec![
            vec![point(0.1 + 0.2, 179.999_999_999, Some(0.0)), point(-90.0, -180.0, None), point(1.0 / 3.0, 0.0, None)],
            vec![point(47.1, 9.5, Some(8848.86)), point(47.100_000_000_000_01, 9.5, Some(-430.5))],
        ],
    }
}

pub(in crate::conformance) fn ids(trips: &[btp_domain::TripSummary]) -> Vec<&str> {
    trips.iter().map(|trip| trip.id.as_str()).collect()
}

pub(in crate::conformance) fn id(text: &str) -> TripId {
    text.into()
}
