//! Reads GPX 1.0 and 1.1 as found in the wild.

use btp_domain::{Line, Point, Warning, known_elevation};
use quick_xml::{
    Reader,
    events::{BytesRef, BytesStart, Event},
};

use crate::text::decode_xml;

/// Largest file read, in bytes (30 MB).
pub const MAX_BYTES: usize = 30_000_000;
/// Most points read.
pub const MAX_POINTS: usize = 1_000_000;
/// Deepest nesting read; GPX itself needs five levels, extensions a few more.
const MAX_DEPTH: usize = 64;
/// How gzip and zip files begin.
const ARCHIVES: [&[u8]; 2] = [b"\x1f\x8b", b"PK\x03\x04"];
/// Characters of text kept of one element: far more than any elevation or title.
const MAX_TEXT: usize = 1_000;

/// What a GPX file says.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Gpx {
    /// Name of the first named track, else of the file, else of the first named route.
    pub title: Option<String>,
    /// A track for each `trkseg` with points, in file order: what lies between two of them was not recorded. Without any,
    /// one for each `rte`. May be empty.
    pub line: Line,
    /// Places beside the line; they are never part of it.
    pub waypoints: usize,
    /// What was left out, and what is not plain.
    pub warnings: Vec<Warning>,
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum GpxError {
    /// More than [`MAX_BYTES`] or [`MAX_POINTS`].
    #[error("the file has more than 30 MB or 1,000,000 points")]
    TooLarge,
    /// It declares a document type, which could define entities: GPX has none.
    #[error("the file declares a document type")]
    Doctype,
    /// Elements nested deeper than any GPX file needs.
    #[error("the elements of the file are nested too deeply")]
    TooDeep,
    /// The root element is not `gpx`.
    #[error("the file is not GPX")]
    NotGpx,
    /// A zip or gzip archive.
    #[error("the file is compressed")]
    Compressed,
    /// Not well-formed XML, from about this byte of its text on.
    #[error("the file is not well-formed XML near byte {at}")]
    Malformed {
        /// Where.
        at: u64,
        /// What is wrong.
        #[source]
        source: quick_xml::Error,
    },
    /// The file ends in the middle.
    #[error("the file is cut off")]
    CutOff,
}

/// Reads a GPX file: any encoding, any namespace prefix, tracks or, when there is none, routes.
///
/// # Errors
/// [`GpxError`]; a file without a point is not an error.
pub fn read_gpx(bytes: &[u8]) -> Result<Gpx, GpxError> {
    if bytes.len() > MAX_BYTES {
        return Err(GpxError::TooLarge);
    }
    if ARCHIVES.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(GpxError::Compressed);
    }
    let text = decode_xml(bytes);
    let mut reader = Reader::from_str(text.trim_start());
    reader.config_mut().allow_dangling_amp = true;
    let mut file = File::default();
    loop {
        let event = reader.read_event();
        match event.map_err(|source| GpxError::Malformed { at: reader.error_position(), source })? {
            Event::DocType(_) => return Err(GpxError::Doctype),
            Event::Start(element) => file.open(&element)?,
            Event::Empty(element) => {
                file.open(&element)?;
                file.close();
            }
            Event::End(_) => file.close(),
            Event::Text(text) if file.reads_text() => file.text(&text.xml10_content()),
            Event::CData(text) if file.reads_text() => file.text(&text.xml10_content()),
            Event::GeneralRef(reference) if file.reads_text() => file.reference(&reference),
            Event::Eof => return file.finish(),
            _ => {}
        }
    }
}

/// The elements that matter, each only where GPX puts it.
#[derive(Clone, Copy, PartialEq)]
enum Element {
    Gpx,
    Metadata,
    Track,
    Route,
    Waypoint,
    Segment,
    Point,
    Elevation,
    Name,
    Other,
}

impl Element {
    fn below(parent: Option<Self>, name: &str) -> Self {
        match (parent, name) {
            (None, "gpx") => Self::Gpx,
            (Some(Self::Gpx), "metadata") => Self::Metadata,
            (Some(Self::Gpx), "trk") => Self::Track,
            (Some(Self::Gpx), "rte") => Self::Route,
            (Some(Self::Gpx), "wpt") => Self::Waypoint,
            (Some(Self::Track), "trkseg") => Self::Segment,
            (Some(Self::Segment), "trkpt") | (Some(Self::Route), "rtept") => Self::Point,
            (Some(Self::Point), "ele") => Self::Elevation,
            // GPX 1.0 has the name of the file directly below its root.
            (Some(Self::Gpx | Self::Metadata | Self::Track | Self::Route), "name") => Self::Name,
            _ => Self::Other,
        }
    }
}

/// What has been read so far.
#[derive(Default)]
struct File {
    open: Vec<Element>,
    text: String,
    point: Option<Point>,
    segments: Vec<Vec<Point>>,
    routes: Vec<Vec<Point>>,
    /// Tracks with points, and whether the one at hand is among them yet.
    tracks: usize,
    counted: bool,
    waypoints: usize,
    points: usize,
    unusable: usize,
    rooted: bool,
    track_name: Option<String>,
    file_name: Option<String>,
    route_name: Option<String>,
}

impl File {
    fn open(&mut self, start: &BytesStart) -> Result<(), GpxError> {
        let element = Element::below(self.open.last().copied(), start.local_name().as_ref());
        if self.open.is_empty() && (element != Element::Gpx || self.rooted) {
            return Err(GpxError::NotGpx);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(GpxError::TooDeep);
        }
        self.rooted = true;
        self.open.push(element);
        self.text.clear();
        match element {
            Element::Track => self.counted = false,
            Element::Segment => self.segments.push(Vec::new()),
            Element::Route => self.routes.push(Vec::new()),
            Element::Waypoint => self.waypoints += 1,
            Element::Point => {
                self.points += 1;
                if self.points > MAX_POINTS {
                    return Err(GpxError::TooLarge);
                }
                self.point = position(start);
                self.unusable += usize::from(self.point.is_none());
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self) {
        let closed = self.open.pop();
        let parent = self.open.last();
        match closed {
            Some(Element::Elevation) => {
                if let Some(point) = &mut self.point {
                    point.ele = self.text.trim().parse().ok().and_then(known_elevation);
                }
            }
            Some(Element::Name) => {
                let name = match parent {
                    Some(Element::Track) => &mut self.track_name,
                    Some(Element::Route) => &mut self.route_name,
                    _ => &mut self.file_name,
                };
                if name.is_none() && !self.text.trim().is_empty() {
                    *name = Some(self.text.split_whitespace().collect::<Vec<_>>().join(" "));
                }
            }
            // A large one has room for as many points again.
            Some(Element::Segment) => {
                if let Some(segment) = self.segments.last_mut() {
                    segment.shrink_to_fit();
                }
            }
            Some(Element::Point) => {
                let in_track = parent == Some(&Element::Segment);
                let lines = if in_track { &mut self.segments } else { &mut self.routes };
                if let (Some(line), Some(point)) = (lines.last_mut(), self.point.take()) {
                    line.push(point);
                    self.tracks += usize::from(in_track && !self.counted);
                    self.counted |= in_track;
                }
            }
            _ => {}
        }
        self.text.clear();
    }

    /// Whether text means something here, and there is not too much of it yet.
    fn reads_text(&self) -> bool {
        matches!(self.open.last(), Some(Element::Elevation | Element::Name)) && self.text.len() < MAX_TEXT
    }

    fn text(&mut self, text: &str) {
        match text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => self.text.push_str(&text[..end]),
            None => self.text.push_str(text),
        }
    }

    /// Predefined entities and character references; no others exist without a document type.
    fn reference(&mut self, reference: &BytesRef) {
        match reference.resolve_char_ref() {
            Ok(Some(character)) => self.text(character.encode_utf8(&mut [0; 4])),
            _ => {
                if let Some(text) = quick_xml::escape::resolve_predefined_entity(&reference.xml10_content()) {
                    self.text(text);
                }
            }
        }
    }

    fn finish(mut self) -> Result<Gpx, GpxError> {
        if !self.open.is_empty() {
            return Err(GpxError::CutOff);
        }
        if !self.rooted {
            return Err(GpxError::NotGpx);
        }
        // A track of a single point is no line to ride; a route beside it may be one.
        if self.segments.iter().map(Vec::len).sum::<usize>() < 2 && self.routes.iter().any(|route| route.len() > 1) {
            (self.segments, self.tracks) = (Vec::new(), 0);
        }
        self.segments.retain(|segment| !segment.is_empty());
        self.routes.retain(|route| !route.is_empty());
        let warnings = self.warnings();
        Ok(Gpx {
            title: self.track_name.or(self.file_name).or(self.route_name),
            line: Line { tracks: if self.segments.is_empty() { self.routes } else { self.segments } },
            waypoints: self.waypoints,
            warnings,
        })
    }

    fn warnings(&self) -> Vec<Warning> {
        let (lines, name) = if self.tracks > 0 { (self.tracks, "tracks") } else { (self.routes.len(), "routes") };
        let several = || {
            let said =
                format!("The file has {lines} {name}; they are ridden one after the other, in the order of the file.");
            Warning::new("several_tracks", said)
        };
        let both = || Warning::new("routes_left_out", "The file has tracks and routes; only the tracks were used.");
        let beside = || {
            let said = format!("Waypoints of the file are not part of its line and were left out: {}.", self.waypoints);
            Warning::new("waypoints_left_out", said)
        };
        let dropped = Warning::points_dropped(self.unusable, "they have no usable coordinates");
        let noted = [
            (lines > 1).then(several),
            (self.tracks > 0 && !self.routes.is_empty()).then(both),
            (self.waypoints > 0).then(beside),
        ];
        noted.into_iter().flatten().chain(dropped).collect()
    }
}

fn position(start: &BytesStart) -> Option<Point> {
    let (mut lat, mut lon) = (None, None);
    // Looking for repeated names would take quadratic time on a hostile element.
    let mut attributes = start.attributes();
    attributes.with_checks(false);
    for attribute in attributes.flatten() {
        let number = || attribute.value.trim().parse().unwrap_or(f64::NAN);
        match attribute.key.local_name().as_ref() {
            "lat" => lat = lat.or_else(|| Some(number())),
            "lon" => lon = lon.or_else(|| Some(number())),
            _ => {}
        }
    }
    Some(Point { lat: lat?, lon: lon?, ele: None }).filter(Point::is_on_earth)
}
