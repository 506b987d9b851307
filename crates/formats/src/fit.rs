//! Writes FIT course files. Numbers of messages, fields and types are those of the public FIT profile.
//!
//! The order is the one bike computers expect: what the file is, the course, its lap, then records with the course points
//! between them, in time. Times advance by the days' speeds, so that a device's virtual partner rides as planned.

mod file;

use btp_domain::{AccommodationType, Point, distance};
use btp_kernel::Timestamp;

use crate::{Course, course::Day};
use file::{
    File,
    Value::{self, Enum, I32, Text, U16, U32},
};

/// Media type of FIT.
pub const FIT_TYPE: &str = "application/vnd.ant.fit";

/// Seconds from the Unix epoch to that of FIT, the end of 1989.
const EPOCH: i64 = 631_065_600;
/// Bytes of a course's name and of a point's, the closing zero included. Older devices show no more.
const COURSE_NAME: u8 = 32;
const POINT_NAME: u8 = 16;

const FILE_ID: u16 = 0;
const LAP: u16 = 19;
const RECORD: u16 = 20;
const EVENT: u16 = 21;
const COURSE: u16 = 31;
const COURSE_POINT: u16 = 32;

const TIMESTAMP: u8 = 253;
const MESSAGE_INDEX: u8 = 254;

const COURSE_FILE: u8 = 6;
const DEVELOPMENT: u16 = 255;
const CYCLING: u8 = 2;
const TIMER: u8 = 0;
const START: u8 = 0;
const STOP_DISABLE_ALL: u8 = 9;
const GENERIC: u8 = 0;
const CAMPSITE: u8 = 27;
const SHELTER: u8 = 36;

/// The course as a FIT file.
pub fn write_fit(course: &Course) -> Vec<u8> {
    let ride = Ride::of(course);
    let mut file = File::default();
    file.message(
        FILE_ID,
        &[(0, Enum(COURSE_FILE)), (1, U16(DEVELOPMENT)), (2, U16(0)), (4, U32(seconds(course.changed)))],
    );
    file.message(COURSE, &[(4, Enum(CYCLING)), (5, Text(&course.name, COURSE_NAME))]);
    lap(&mut file, course, &ride);
    let (start, end) = (ride.start(), ride.end());
    file.message(EVENT, &[(TIMESTAMP, U32(start.time)), (0, Enum(TIMER)), (1, Enum(START))]);
    for (index, (day, places)) in course.days.iter().zip(&ride.days).enumerate() {
        for place in places {
            record(&mut file, place);
        }
        if let Some(place) = places.last() {
            course_point(&mut file, index, day, place);
        }
    }
    file.message(EVENT, &[(TIMESTAMP, U32(end.time)), (0, Enum(TIMER)), (1, Enum(STOP_DISABLE_ALL))]);
    file.finish()
}

/// The points of the days, each with what has been ridden up to it.
struct Ride {
    days: Vec<Vec<Place>>,
    /// Milliseconds in the saddle.
    riding: f64,
}

#[derive(Clone, Copy, Default)]
struct Place {
    point: Option<Point>,
    /// Metres from the start of the course.
    along: f64,
    /// Seconds since FIT's epoch.
    time: u32,
}

impl Ride {
    fn of(course: &Course) -> Self {
        let (mut along, mut time, mut riding) = (0.0, 0, 0.0);
        let mut days = Vec::with_capacity(course.days.len());
        for day in &course.days {
            // A day that is planned to last beyond the next one's departure must not turn time back.
            let departs = seconds(day.departs).max(time);
            let (from, pace) = (along, 3.6 / day.speed.max(1.0));
            let mut places = Vec::with_capacity(day.line.tracks.iter().map(Vec::len).sum());
            for track in &day.line.tracks {
                let mut before = None;
                for &point in track {
                    along += before.map_or(0.0, |before| distance(before, point));
                    before = Some(point);
                    time = departs.saturating_add(((along - from) * pace) as u32);
                    places.push(Place { point: Some(point), along, time });
                }
            }
            riding += (along - from) * pace * 1000.0;
            days.push(places);
        }
        Self { days, riding }
    }

    fn start(&self) -> Place {
        self.days.iter().flatten().next().copied().unwrap_or_default()
    }

    fn end(&self) -> Place {
        self.days.iter().rev().find_map(|day| day.last()).copied().unwrap_or_default()
    }
}

fn lap(file: &mut File, course: &Course, ride: &Ride) {
    let (start, end) = (ride.start(), ride.end());
    let sum = |climb: fn(&Day) -> Option<f64>| course.days.iter().map(climb).sum::<Option<f64>>();
    let elapsed = f64::from(end.time.saturating_sub(start.time)) * 1000.0;
    file.message(
        LAP,
        &[
            (TIMESTAMP, U32(end.time)),
            (2, U32(start.time)),
            (3, semicircles(start.point.map(|point| point.lat))),
            (4, semicircles(start.point.map(|point| point.lon))),
            (5, semicircles(end.point.map(|point| point.lat))),
            (6, semicircles(end.point.map(|point| point.lon))),
            (7, U32(elapsed as u32)),
            (8, U32(ride.riding as u32)),
            (9, centimetres(end.along)),
            (21, whole_metres(sum(|day| day.ascent))),
            (22, whole_metres(sum(|day| day.descent))),
        ],
    );
}

fn record(file: &mut File, place: &Place) {
    file.message(
        RECORD,
        &[
            (TIMESTAMP, U32(place.time)),
            (0, semicircles(place.point.map(|point| point.lat))),
            (1, semicircles(place.point.map(|point| point.lon))),
            (2, altitude(place.point.and_then(|point| point.ele))),
            (5, centimetres(place.along)),
        ],
    );
}

fn course_point(file: &mut File, index: usize, day: &Day, place: &Place) {
    let kind = match day.stop.bed {
        None => GENERIC,
        Some(AccommodationType::CampSite) => CAMPSITE,
        Some(_) => SHELTER,
    };
    file.message(
        COURSE_POINT,
        &[
            (MESSAGE_INDEX, U16(u16::try_from(index).unwrap_or(u16::MAX))),
            (1, U32(place.time)),
            (2, semicircles(place.point.map(|point| point.lat))),
            (3, semicircles(place.point.map(|point| point.lon))),
            (4, centimetres(place.along)),
            (5, Enum(kind)),
            (6, Text(&day.stop.name, POINT_NAME)),
        ],
    );
}

fn seconds(time: Timestamp) -> u32 {
    u32::try_from(time.as_seconds() - EPOCH).unwrap_or(0)
}

/// 2³¹ semicircles are 180°; the highest number stands for "unknown", and for +180° the equal −180° is written.
fn semicircles(degrees: Option<f64>) -> Value<'static> {
    I32(degrees.map_or(i32::MAX, |degrees| {
        let semicircles = (degrees * (f64::from(1_u32 << 31) / 180.0)).round() as i64;
        if semicircles >= i64::from(i32::MAX) { i32::MIN } else { semicircles as i32 }
    }))
}

/// Fifths of a metre above −500 m.
fn altitude(metres: Option<f64>) -> Value<'static> {
    let fifths = |metres: f64| ((metres + 500.0) * 5.0).round().min(f64::from(u16::MAX - 1)) as u16;
    U16(metres.map_or(u16::MAX, fifths))
}

fn whole_metres(metres: Option<f64>) -> Value<'static> {
    U16(metres.map_or(u16::MAX, |metres| metres.round().min(f64::from(u16::MAX - 1)) as u16))
}

fn centimetres(metres: f64) -> Value<'static> {
    U32((metres * 100.0).round().min(f64::from(u32::MAX - 1)) as u32)
}
