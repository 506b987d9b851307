//! GPX as devices, services and attackers write it.

use btp_domain::Point;
use btp_formats::{GpxError, MAX_BYTES, MAX_POINTS, read_gpx};
use proptest::prelude::*;

const TWO_POINTS: &str = r#"<trkpt lat="46.5" lon="6.6"><ele>372.5</ele></trkpt><trkpt lat="46.6" lon="6.7"/>"#;

fn track(points: &str) -> String {
    format!(r#"<gpx version="1.1"><trk><trkseg>{points}</trkseg></trk></gpx>"#)
}

fn elevations(file: &str) -> Vec<Option<f64>> {
    read_gpx(file.as_bytes()).unwrap().line.tracks.concat().iter().map(|point| point.ele).collect()
}

fn title(file: &[u8]) -> Option<String> {
    read_gpx(file).unwrap().title
}

#[test]
fn a_plain_track() {
    let gpx = read_gpx(track(TWO_POINTS).as_bytes()).unwrap();
    assert_eq!(
        gpx.line.tracks,
        [[Point { lat: 46.5, lon: 6.6, ele: Some(372.5) }, Point { lat: 46.6, lon: 6.7, ele: None }]]
    );
    assert_eq!((gpx.title, gpx.warnings), (None, vec![]));
}

fn codes(file: &str) -> Vec<String> {
    read_gpx(file.as_bytes()).unwrap().warnings.into_iter().map(|warning| warning.code).collect()
}

#[test]
fn tracks_and_segments_stay_apart_and_in_order() {
    let file = r#"<gpx><wpt lat="8" lon="8"/><trk><trkseg><trkpt lat="1" lon="1"/></trkseg><trkseg>
            <trkpt lat="2" lon="2"/><trkpt lat="2" lon="3"/></trkseg></trk>
            <trk><trkseg/></trk><trk><trkseg><trkpt lat="3" lon="3"/></trkseg></trk>
            <rte><rtept lat="9" lon="9"/><rtept lat="9" lon="8"/></rte></gpx>"#;
    let gpx = read_gpx(file.as_bytes()).unwrap();
    assert_eq!(gpx.line.tracks.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2, 1]);
    assert_eq!(codes(file), ["several_tracks", "routes_left_out", "waypoints_left_out"]);
    assert!(gpx.warnings[0].message.contains("2 tracks"), "{}", gpx.warnings[0].message);
    let pieces =
        r#"<gpx><trk><trkseg><trkpt lat="1" lon="1"/></trkseg><trkseg><trkpt lat="2" lon="2"/></trkseg></trk></gpx>"#;
    assert_eq!(codes(pieces), [""; 0], "pieces of one track are plain");
}

#[test]
fn waypoints_are_counted_and_never_part_of_the_line() {
    let gpx = read_gpx(br#"<gpx><wpt lat="8" lon="8"><ele>1</ele></wpt><wpt lat="9" lon="9"/></gpx>"#).unwrap();
    assert_eq!((gpx.line.tracks.len(), gpx.waypoints), (0, 2));
}

#[test]
fn a_track_of_one_point_gives_way_to_a_route() {
    let file = r#"<gpx><trk><trkseg><trkpt lat="1" lon="1"/></trkseg></trk>
            <rte><rtept lat="9" lon="9"/><rtept lat="9" lon="8"/></rte></gpx>"#;
    assert_eq!(read_gpx(file.as_bytes()).unwrap().line.tracks.concat().len(), 2);
}

#[test]
fn routes_count_when_there_is_no_track() {
    let gpx = read_gpx(br#"<gpx><rte><name>R</name><rtept lat="9" lon="9"><ele>1</ele></rtept></rte></gpx>"#).unwrap();
    assert_eq!(gpx.line.tracks, [[Point { lat: 9.0, lon: 9.0, ele: Some(1.0) }]]);
    assert_eq!(gpx.title.as_deref(), Some("R"));
}

#[test]
fn prefixes_and_foreign_elements() {
    let file = br#"<g:gpx xmlns:g="http://www.topografix.com/GPX/1/0"><g:trk><g:trkseg><g:trkpt lat="1" lon="2">
        <g:extensions><x:ele xmlns:x="urn:x">9</x:ele><g:trkpt lat="5" lon="5"/></g:extensions><g:ele>7</g:ele>
        </g:trkpt></g:trkseg></g:trk></g:gpx>"#;
    assert_eq!(read_gpx(file).unwrap().line.tracks, [[Point { lat: 1.0, lon: 2.0, ele: Some(7.0) }]]);
}

#[test]
fn titles() {
    let named = |names: [&str; 3]| {
        format!("<gpx><metadata>{}</metadata><rte>{}</rte><trk>{}</trk></gpx>", names[0], names[1], names[2])
    };
    let (file, route, track) = ("<name>File</name>", "<name>Route</name>", "<name>Track</name>");
    assert_eq!(title(named([file, route, track]).as_bytes()).unwrap(), "Track");
    assert_eq!(title(named([file, route, "<name> </name>"]).as_bytes()).unwrap(), "File");
    assert_eq!(title(named(["", route, ""]).as_bytes()).unwrap(), "Route");
    assert_eq!(title(b"<gpx><name>Old</name></gpx>").unwrap(), "Old");
    assert_eq!(title(b"<gpx><name><![CDATA[a <b> & c]]></name></gpx>").unwrap(), "a <b> & c");
    assert_eq!(
        title("<gpx><name>\n Fish &amp; Chips &#233;&#x1F6B2; R&D &nope; </name></gpx>".as_bytes()).unwrap(),
        "Fish & Chips é🚲 R&D"
    );
}

#[test]
fn encodings() {
    let text = r#"<?xml version="1.0" encoding="UTF-16"?><gpx><name>Café</name></gpx>"#;
    let utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let latin1 = b"<?xml version='1.0' encoding = 'ISO-8859-1'?><gpx><name>Caf\xe9</name></gpx>".to_vec();
    let files = [
        ("UTF-8 that claims UTF-16", text.as_bytes().to_vec()),
        ("UTF-8 with a mark", [b"\xef\xbb\xbf", text.as_bytes()].concat()),
        ("little endian", utf16(u16::to_le_bytes)),
        ("big endian", utf16(u16::to_be_bytes)),
        ("little endian with a mark", [b"\xff\xfe".to_vec(), utf16(u16::to_le_bytes)].concat()),
        ("big endian with a mark", [b"\xfe\xff".to_vec(), utf16(u16::to_be_bytes)].concat()),
        ("Latin-1", latin1),
    ];
    for (name, file) in files {
        assert_eq!(title(&file).as_deref(), Some("Café"), "{name}");
    }
    assert_eq!(title(b"<gpx><name>Caf\xe9</name></gpx>").unwrap(), "Caf\u{fffd}", "a wrong byte costs a letter only");
}

#[test]
fn an_elevation_nobody_measured_is_unknown() {
    let ele = |text: &str| elevations(&track(&format!(r#"<trkpt lat="1" lon="1"><ele>{text}</ele></trkpt>"#)))[0];
    for unknown in ["", " ", "NaN", "inf", "9999", "-32768", "n/a", "<b/>"] {
        assert_eq!(ele(unknown), None, "{unknown:?}");
    }
    assert_eq!(ele("\n 12.5 "), Some(12.5));
    assert_eq!(ele("0"), Some(0.0));
}

#[test]
fn places_that_do_not_exist_are_left_out_and_counted() {
    let points = r#"<trkpt lat="NaN" lon="1"/><trkpt lat="90.1" lon="1"/><trkpt lon="1"/><trkpt lat="1" lon="-180.5"/>
        <trkpt lat="1" lon="181"/><trkpt lat="x" lon="1"/><trkpt lat="-90" lon="180"/>"#;
    let gpx = read_gpx(track(points).as_bytes()).unwrap();
    assert_eq!(gpx.line.tracks, [[Point { lat: -90.0, lon: 180.0, ele: None }]]);
    assert!(gpx.warnings[0].message.ends_with(": 6."), "{:?}", gpx.warnings);
}

#[test]
fn no_document_type_is_ever_read() {
    let external =
        r#"<?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/passwd">]><gpx><name>&x;</name></gpx>"#;
    let bomb = r#"<!DOCTYPE gpx [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><gpx><name>&b;</name></gpx>"#;
    for file in [external, bomb, "<gpx><!DOCTYPE gpx></gpx>", "<!doctype html><html></html>"] {
        assert!(matches!(read_gpx(file.as_bytes()), Err(GpxError::Doctype)), "{file}");
    }
}

#[test]
fn what_is_not_a_gpx_file() {
    for file in
        ["", " \n", "{}", "<html></html>", "<kml><gpx/></kml>", "<!-- nothing -->", "<gpx/><gpx/>", "\u{0}\u{1}"]
    {
        assert!(matches!(read_gpx(file.as_bytes()), Err(GpxError::NotGpx)), "{file:?}");
    }
    for file in ["<gpx>", r#"<gpx><trk><trkseg><trkpt lat="1" lon="1"></trkpt>"#] {
        assert!(matches!(read_gpx(file.as_bytes()), Err(GpxError::CutOff)), "{file:?}");
    }
    for archive in [&b"\x1f\x8b\x08\0"[..], b"PK\x03\x04"] {
        assert!(matches!(read_gpx(archive), Err(GpxError::Compressed)));
    }
    assert!(read_gpx(b"<gpx><trk></gpx>").unwrap_err().to_string().ends_with("near byte 10"));
    for file in ["<gpx></trk>", r#"<gpx><trk"#, "</gpx>"] {
        assert!(matches!(read_gpx(file.as_bytes()), Err(GpxError::Malformed { .. })), "{file:?}");
    }
}

#[test]
fn bounds() {
    let nested = |depth: usize| format!("<gpx>{}{}</gpx>", "<x>".repeat(depth), "</x>".repeat(depth));
    assert!(read_gpx(nested(60).as_bytes()).is_ok());
    assert!(matches!(read_gpx(nested(10_000).as_bytes()), Err(GpxError::TooDeep)));
    assert!(matches!(read_gpx(&vec![b' '; MAX_BYTES + 1]), Err(GpxError::TooLarge)));

    let many = |count: usize| track(&r#"<trkpt lat="1" lon="1"/>"#.repeat(count));
    assert_eq!(read_gpx(many(MAX_POINTS).as_bytes()).unwrap().line.tracks[0].len(), MAX_POINTS);
    assert!(matches!(read_gpx(many(MAX_POINTS + 1).as_bytes()), Err(GpxError::TooLarge)));
}

#[test]
fn hostile_texts_and_attributes_stay_cheap() {
    let long = format!("<gpx><name>{}</name></gpx>", "x".repeat(10_000_000));
    assert!(title(long.as_bytes()).unwrap().len() <= 2_000);
    let attributes: String = (0..300_000).map(|n| format!(" a{n}=\"\"")).collect();
    assert!(read_gpx(track(&format!("<trkpt{attributes} lat=\"1\" lon=\"1\"/>")).as_bytes()).is_ok());
}

proptest! {
    #[test]
    fn never_panics(bytes: Vec<u8>, cut in 0..200_usize) {
        let _ = read_gpx(&bytes);
        let file = track(TWO_POINTS);
        let mut torn = file.as_bytes()[..cut.min(file.len())].to_vec();
        torn.extend(bytes);
        let _ = read_gpx(&torn);
    }
}

#[test]
fn one_track_in_every_encoding_has_one_geometry() {
    let seed = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds/gpx");
        read_gpx(&std::fs::read(folder.join(name)).unwrap()).unwrap()
    };
    let plain = seed("plain.gpx");
    assert_eq!((plain.line.tracks.len(), plain.title.as_deref()), (1, Some("Col de l'Éclair")));
    for name in ["bom.gpx", "utf16le.gpx", "latin1.gpx", "gpx10.gpx", "prefixed.gpx"] {
        assert_eq!(seed(name), plain, "{name}");
    }
    let repaired = seed("stray_byte.gpx");
    assert_eq!((repaired.line, repaired.title.as_deref()), (plain.line, Some("Col\u{fffd}de l'Éclair")));
}
