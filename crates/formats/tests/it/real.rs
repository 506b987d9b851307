//! Whole files, each imported or refused as reviewed: small made ones, and real ones where they are at hand.

use std::{fmt::Write, path::Path};

use btp_domain::{Line, PlannedRoute, Settings, route::FetchedRoute};
use btp_formats::read_gpx;

/// Small files of our own making.
const MADE: &[(&str, &str)] = &[
    ("antimeridian.gpx", "40 points in 1, 20.79 km, 1 days, 0 m up"),
    ("bom.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("cut_off.gpx", "refused: the file is cut off"),
    ("deep.gpx", "refused: the elements of the file are nested too deeply"),
    ("doctype.gpx", "refused: the file declares a document type"),
    ("extensions.gpx", "40 points in 1, 12.00 km, 1 days, 0 m up"),
    ("gpx10.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("holes.gpx", "90 points in 1, 27.38 km, 1 days, 1 m up"),
    ("latin1.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("mostly_unknown.gpx", "90 points in 1, 27.40 km, 1 days, climb unknown, elevation_unknown"),
    ("one_place.gpx", "2 points, refused: The route has fewer than two different points"),
    ("page.gpx", "refused: the file declares a document type"),
    ("places.gpx", "refused: the file is not GPX"),
    ("plain.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("prefixed.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("route.gpx", "180 points in 1, 55.10 km, 1 days, climb unknown, elevation_unknown"),
    ("segments.gpx", "120 points in 3, 9.10 km, 1 days, 527 m up, several_tracks, waypoints_left_out, gaps"),
    ("still.gpx", "110 points in 1, 18.16 km, 1 days, 309 m up, points_dropped, points_dropped"),
    ("stray_byte.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("torn.gpx", "refused: the file is not well-formed XML near byte 425"),
    ("track_and_route.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up, routes_left_out"),
    ("utf16le.gpx", "60 points in 1, 18.16 km, 1 days, 309 m up"),
    ("waypoints.gpx", "0 points, refused: The route has fewer than two different points"),
];

/// Recordings and routes of other people's programs.
const REAL: &[(&str, &str)] = &[
    ("demo_andorra_grand_tour.gpx", "6972 points in 1, 112.12 km, 3 days, 2555 m up"),
    ("demo_gozo_tour.gpx", "2118 points in 1, 40.04 km, 1 days, climb unknown, elevation_unknown"),
    ("demo_liechtenstein_loop.gpx", "1342 points in 1, 39.30 km, 1 days, climb unknown, elevation_unknown"),
    ("demo_malta_gozo_ferry.gpx", "1476 points in 1, 40.94 km, 1 days, climb unknown, elevation_unknown"),
    ("demo_malta_tour.gpx", "3269 points in 1, 119.40 km, 2 days, climb unknown, elevation_unknown"),
    (
        "gpxpy_cerknicko-jezero.gpx",
        "296 points in 7, 4.58 km, 1 days, 113 m up, several_tracks, waypoints_left_out, gaps",
    ),
    ("gpxpy_first_and_last_elevation.gpx", "10 points in 1, 195.80 km, 3 days, climb unknown, elevation_unknown"),
    (
        "gpxpy_gpx1.0_with_all_fields.gpx",
        "5 points in 2, 465.78 km, 6 days, climb unknown, several_tracks, waypoints_left_out, gaps, elevation_unknown",
    ),
    (
        "gpxpy_gpx1.1_with_all_fields.gpx",
        "5 points in 2, 465.78 km, 6 days, climb unknown, several_tracks, waypoints_left_out, gaps, elevation_unknown",
    ),
    (
        "gpxpy_gpx1.1_with_extensions_without_namespaces.gpx",
        "0 points, refused: The route has fewer than two different points",
    ),
    ("gpxpy_gpx_with_garmin_extension.gpx", "0 points, refused: The route has fewer than two different points"),
    (
        "gpxpy_korita-zbevnica.gpx",
        "871 points in 3, 14.91 km, 1 days, 522 m up, several_tracks, waypoints_left_out, gaps",
    ),
    ("gpxpy_route.gpx", "55 points in 1, 6.69 km, 1 days, climb unknown, elevation_unknown"),
    ("gpxpy_track-with-empty-segment.gpx", "9 points in 1, 0.09 km, 1 days, 0 m up"),
    ("gpxpy_track-with-extremes.gpx", "25 points in 1, 2.21 km, 1 days, 12 m up"),
    ("gpxpy_unicode_with_bom.gpx", "0 points, refused: The route has fewer than two different points"),
    ("gpxstudio_with_hr.gpx", "80 points in 1, 2.23 km, 1 days, 37 m up"),
    ("gpxstudio_with_surface.gpx", "80 points in 1, 2.23 km, 1 days, 37 m up"),
    ("gpxstudio_with_time.gpx", "80 points in 1, 2.23 km, 1 days, 37 m up"),
    ("gpxstudio_with_tracks_and_segments.gpx", "79 points in 4, 2.13 km, 1 days, 36 m up, several_tracks"),
    ("gpxstudio_with_waypoint.gpx", "80 points in 1, 2.23 km, 1 days, 37 m up, waypoints_left_out"),
    (
        "waymarkedtrails_EuroVelo5_FR1.gpx",
        "7975 points in 60, 226.05 km, 3 days, climb unknown, gaps, elevation_unknown",
    ),
];

/// What becomes of a file, in one line.
fn outcome(bytes: &[u8]) -> String {
    let gpx = match read_gpx(bytes) {
        Ok(gpx) => gpx,
        Err(err) => return format!("refused: {err}"),
    };
    let route = FetchedRoute { title: gpx.title, line: gpx.line, warnings: gpx.warnings };
    let points = |line: &Line| line.tracks.iter().map(Vec::len).sum::<usize>();
    let read = points(&route.line);
    let plan = match PlannedRoute::new(route, &Settings::default()) {
        Ok(plan) => plan,
        Err(err) => return format!("{read} points, refused: {}", err.to_string().split('.').next().unwrap()),
    };
    let (line, days) = (&plan.route().line, &plan.cut().days);
    let ascent: Option<f64> = days.iter().map(|day| day.ascent).sum();
    let km = line.length() / 1000.0;
    let mut said = format!("{} points in {}, {km:.2} km, {} days, ", points(line), line.tracks.len(), days.len());
    match ascent {
        Some(up) => write!(said, "{up:.0} m up").unwrap(),
        None => said.push_str("climb unknown"),
    }
    for warning in plan.route().warnings.iter().chain(&plan.cut().warnings) {
        write!(said, ", {}", warning.code).unwrap();
    }
    said
}

/// Compares each file of the folder with its line in the table.
fn review(folder: &Path, table: &[(&str, &str)]) {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let found: Vec<_> = files
        .iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            (name, outcome(&std::fs::read(file).unwrap()))
        })
        .collect();
    let table: Vec<_> = table.iter().map(|(name, line)| ((*name).to_owned(), (*line).to_owned())).collect();
    assert_eq!(found, table);
}

#[test]
fn made_files() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/gpx");
    review(&seeds, MADE);
}

#[test]
fn real_files() {
    #[expect(clippy::disallowed_methods, reason = "where a test finds what is not in the repository")]
    let Some(folder) = std::env::var_os("BTP_TEST_GPX") else {
        return said("no real GPX files were read: BTP_TEST_GPX names no folder");
    };
    review(Path::new(&folder), REAL);
}

#[expect(clippy::print_stderr, reason = "what was not tested is said")]
fn said(what: &str) {
    eprintln!("{what}");
}
