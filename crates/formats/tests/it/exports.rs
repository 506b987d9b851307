//! What is taken along, read back by us and by others.

use btp_domain::{AccommodationType, Line, Point, distance};
use btp_formats::{Course, Day, Stop, read_gpx, write_fit, write_gpx};
use btp_kernel::Timestamp;
use fitparser::{FitDataRecord, Value, profile::MesgNum};
use proptest::prelude::*;

/// 2026-07-01, 08:00 UTC.
const MORNING: i64 = 1_782_892_800;

fn point(lat: f64, lon: f64, ele: Option<f64>) -> Point {
    Point { lat, lon, ele }
}

fn day(day: i64, tracks: Vec<Vec<Point>>) -> Day {
    let end = tracks.last().and_then(|track| track.last()).copied().unwrap_or(point(0.0, 0.0, None));
    Day {
        name: format!("Day {day}"),
        line: Line { tracks },
        ascent: Some(512.4),
        descent: None,
        departs: Timestamp::from_seconds(MORNING + (day - 1) * 86_400),
        speed: 15.0,
        stop: Stop { name: format!("End of day {day}"), point: end, bed: None },
    }
}

fn course(days: Vec<Day>) -> Course {
    Course {
        name: "Rhine & <Danube>".to_owned(),
        credit: "From Komoot.".to_owned(),
        link: Some("https://www.komoot.com/tour/1?a=1&b=2".to_owned()),
        has_osm_data: false,
        changed: Timestamp::from_seconds(MORNING),
        days,
    }
}

/// Two days; the second has a gap and ends at a camp site with a long name.
fn two_days() -> Course {
    let first = vec![point(47.0, 9.5, Some(503.26)), point(47.001, 9.501, Some(510.0)), point(47.002, 9.5, None)];
    let second =
        vec![vec![point(47.002, 9.5, None), point(47.01, 9.49, Some(-3.0))], vec![point(47.02, 9.48, Some(0.0))]];
    let mut second = day(2, second);
    second.stop.name = "Campéchage du Lac Étang bleu".to_owned();
    second.stop.bed = Some(AccommodationType::CampSite);
    course(vec![day(1, vec![first]), second])
}

fn messages(file: &[u8], kind: MesgNum) -> Vec<FitDataRecord> {
    let all = fitparser::from_bytes(file).expect("a FIT file with right checksums");
    all.into_iter().filter(|message| message.kind() == kind).collect()
}

fn value<'a>(message: &'a FitDataRecord, field: &str) -> Option<&'a Value> {
    message.fields().iter().find(|other| other.name() == field).map(|field| field.value())
}

fn number(message: &FitDataRecord, field: &str) -> Option<f64> {
    value(message, field).map(|value| match value {
        Value::Timestamp(time) => time.timestamp() as f64,
        other => other.clone().try_into().unwrap(),
    })
}

fn degrees(message: &FitDataRecord, field: &str) -> f64 {
    number(message, field).unwrap() * 180.0 / f64::from(1_u32 << 31)
}

#[test]
fn a_track_a_day_and_a_waypoint_a_bed() {
    let file = write_gpx(&two_days());
    let read = read_gpx(file.as_bytes()).unwrap();
    assert_eq!(read.title.as_deref(), Some("Day 1"));
    let expected: Vec<_> = two_days().days.iter().flat_map(|day| day.line.tracks.clone()).collect();
    assert_eq!(read.line.tracks, expected, "what is ridden apart is read apart");
    for part in [
        "<metadata><name>Rhine &amp; &lt;Danube&gt;</name><desc>From Komoot.</desc>",
        r#"<link href="https://www.komoot.com/tour/1?a=1&amp;b=2"/><time>2026-07-01T08:00:00+00:00</time></metadata>"#,
        r#"<wpt lat="47.02" lon="9.48"><ele>0</ele><name>Campéchage du Lac Étang bleu</name><desc>Day 2</desc><sym>Campground</sym><type>camp_site</type></wpt>"#,
        "<trk><name>Day 2</name><number>2</number><type>cycling</type>",
        r#"<trkpt lat="47.002" lon="9.5"/>"#,
    ] {
        assert!(file.contains(part), "{part}: {file}");
    }
    assert_eq!(file.matches("<trkseg>").count(), 3);
    assert_eq!(file.matches("<wpt").count(), 1);
    assert!(!file.contains("copyright"));
    let shared = write_gpx(&Course { has_osm_data: true, link: None, ..two_days() });
    assert!(shared.contains(r#"<copyright author="OpenStreetMap contributors">"#) && !shared.contains("<link"));
}

#[test]
fn what_xml_cannot_say_is_left_out() {
    let file = write_gpx(&Course { name: "a\u{0}b\u{ffff}c\u{b}d \u{202e}\"]]>".to_owned(), ..course(vec![]) });
    assert!(file.contains("<name>abcd &quot;]]&gt;</name>"), "{file}");
    let edge = write_gpx(&course(vec![day(1, vec![vec![point(1.0, 180.0, None), point(1.0, 179.999_999_99, None)]])]));
    assert_eq!(edge.matches(r#"lon="-180""#).count(), 2, "the schema ends before 180");
}

#[test]
fn a_fit_course_says_where_when_and_how_far() {
    let course = two_days();
    let file = write_fit(&course);
    let [id] = &messages(&file, MesgNum::FileId)[..] else { panic!("one file_id") };
    assert_eq!(value(id, "type").unwrap().to_string(), "course");
    assert_eq!(number(id, "time_created"), Some(MORNING as f64));
    let [named] = &messages(&file, MesgNum::Course)[..] else { panic!("one course") };
    assert_eq!(value(named, "name").unwrap().to_string(), "Rhine & <Danube>");
    assert_eq!(value(named, "sport").unwrap().to_string(), "cycling");

    let records = messages(&file, MesgNum::Record);
    let points: Vec<_> = course.days.iter().flat_map(|day| day.line.tracks.concat()).collect();
    assert_eq!(records.len(), points.len());
    let mut before = MORNING as f64;
    for (record, point) in records.iter().zip(&points) {
        assert!((degrees(record, "position_lat") - point.lat).abs() < 1e-7);
        assert!((degrees(record, "position_long") - point.lon).abs() < 1e-7);
        let altitude = number(record, "enhanced_altitude").or_else(|| number(record, "altitude"));
        assert_eq!(altitude.is_some(), point.ele.is_some(), "unknown is no height");
        assert!(altitude.zip(point.ele).is_none_or(|(found, ele)| (found - ele).abs() <= 0.101));
        let time = number(record, "timestamp").unwrap();
        assert!(time >= before);
        before = time;
    }
    let ridden = course.days.iter().map(|day| day.line.length()).sum::<f64>();
    let last = records.last().unwrap();
    assert!((number(last, "distance").unwrap() - ridden).abs() < 0.01, "gaps are not ridden");
    let second = course.days[1].line.length() / (15.0 / 3.6);
    assert!((number(last, "timestamp").unwrap() - (MORNING as f64 + 86_400.0 + second)).abs() <= 1.0);

    let [lap] = &messages(&file, MesgNum::Lap)[..] else { panic!("one lap") };
    assert!((number(lap, "total_distance").unwrap() - ridden).abs() < 0.01);
    assert!((number(lap, "total_timer_time").unwrap() - ridden / (15.0 / 3.6)).abs() < 0.01);
    assert_eq!((number(lap, "total_ascent"), number(lap, "total_descent")), (Some(1025.0), None));
    assert_eq!(messages(&file, MesgNum::Event).len(), 2);
}

#[test]
fn course_points_stand_at_the_ends_of_days_with_names_cut_on_characters() {
    let points = messages(&write_fit(&two_days()), MesgNum::CoursePoint);
    let named: Vec<_> = points
        .iter()
        .map(|point| (value(point, "name").unwrap().to_string(), value(point, "type").unwrap().to_string()))
        .collect();
    let expected = [("End of day 1", "generic"), ("Campéchage du ", "campsite")];
    assert_eq!(named, expected.map(|(name, kind)| (name.to_owned(), kind.to_owned())));
    let first = two_days().days[0].line.length();
    assert!((number(&points[0], "distance").unwrap() - first).abs() < 0.01);
    assert!((degrees(&points[1], "position_lat") - 47.02).abs() < 1e-7);
}

#[test]
fn an_empty_course_is_a_file_all_the_same() {
    assert!(messages(&write_fit(&course(vec![])), MesgNum::Record).is_empty());
    assert!(read_gpx(write_gpx(&course(vec![])).as_bytes()).unwrap().line.tracks.is_empty());
}

#[test]
fn fifty_thousand_points_stay_what_they_were() {
    let track: Vec<_> = (0..50_000).map(|i| point(40.0 + f64::from(i) * 1e-4, 3.0, Some(f64::from(i % 900)))).collect();
    let course = course(vec![day(1, vec![track.clone()])]);
    assert_eq!(messages(&write_fit(&course), MesgNum::Record).len(), track.len());
    let read = read_gpx(write_gpx(&course).as_bytes()).unwrap().line;
    assert!((read.length() - distance(track[0], track[49_999])).abs() < 5.0);
}

proptest! {
    #[test]
    fn the_same_course_is_the_same_file_and_any_course_can_be_read(
        tracks in prop::collection::vec(prop::collection::vec((-90.0..=90.0, -180.0..=180.0, prop::option::of(-600.0..20_000.0)), 0..20), 0..4),
        name in ".*",
        departs in any::<i32>(),
        speed in 0.0..60.0,
    ) {
        let line = tracks.into_iter().map(|track| track.into_iter().map(|(lat, lon, ele)| point(lat, lon, ele)).collect());
        let day = Day { departs: Timestamp::from_seconds(departs.into()), speed, name: name.clone(), ..day(1, line.collect()) };
        let course = Course { name, ..course(vec![day.clone(), day]) };
        let (gpx, fit) = (write_gpx(&course), write_fit(&course));
        prop_assert_eq!(&gpx, &write_gpx(&course));
        prop_assert_eq!(&fit, &write_fit(&course));
        let points = course.days.iter().map(|day| day.line.tracks.concat().len()).sum::<usize>();
        prop_assert_eq!(read_gpx(gpx.as_bytes()).unwrap().line.tracks.concat().len(), points);
        prop_assert_eq!(messages(&fit, MesgNum::Record).len(), points);
    }
}
