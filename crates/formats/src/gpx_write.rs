//! Writes GPX 1.1, valid by its schema (<http://www.topografix.com/GPX/1/1/gpx.xsd>): a track a day, a waypoint a bed.

use std::fmt::{self, Display, Write};

use btp_domain::{AccommodationType, Line, Point};
use quick_xml::escape::escape;

use crate::Course;

/// Media type of GPX.
pub const GPX_TYPE: &str = "application/gpx+xml";

/// Where the licence of OpenStreetMap's data is.
const OSM_LICENSE: &str = "https://www.openstreetmap.org/copyright";

/// The course as a GPX file. Elevations that are not known are left out.
pub fn write_gpx(course: &Course) -> String {
    let points = course.days.iter().flat_map(|day| &day.line.tracks).map(Vec::len).sum::<usize>();
    let mut file = String::with_capacity(1024 + 70 * points);
    // Writing to a string cannot fail.
    let _ = write(&mut file, course);
    file
}

fn write(file: &mut String, course: &Course) -> fmt::Result {
    writeln!(file, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(file, r#"<gpx version="1.1" creator="Bike Trip Planner" xmlns="http://www.topografix.com/GPX/1/1">"#)?;
    metadata(file, course)?;
    for day in &course.days {
        if let Some(bed) = day.stop.bed {
            let Point { lat, lon, ele } = day.stop.point;
            write!(file, r#"<wpt lat="{}" lon="{}">"#, Degrees(lat), Degrees(lon))?;
            elevation(file, ele)?;
            element(file, "name", &day.stop.name)?;
            element(file, "desc", &day.name)?;
            element(file, "sym", symbol(bed))?;
            element(file, "type", bed.as_str())?;
            writeln!(file, "</wpt>")?;
        }
    }
    for (number, day) in course.days.iter().enumerate() {
        write!(file, "<trk>")?;
        element(file, "name", &day.name)?;
        writeln!(file, "<number>{}</number><type>cycling</type>", number + 1)?;
        segments(file, &day.line)?;
        writeln!(file, "</trk>")?;
    }
    writeln!(file, "</gpx>")
}

/// In the order that the schema demands.
fn metadata(file: &mut String, course: &Course) -> fmt::Result {
    write!(file, "<metadata>")?;
    element(file, "name", &course.name)?;
    element(file, "desc", &course.credit)?;
    if course.has_osm_data {
        write!(file, r#"<copyright author="OpenStreetMap contributors"><license>{OSM_LICENSE}</license></copyright>"#)?;
    }
    if let Some(link) = &course.link {
        write!(file, r#"<link href="{}"/>"#, escape(link.as_str()))?;
    }
    writeln!(file, "<time>{}</time></metadata>", course.changed.rfc3339())
}

fn segments(file: &mut String, line: &Line) -> fmt::Result {
    for track in &line.tracks {
        writeln!(file, "<trkseg>")?;
        for point in track {
            write!(file, r#"<trkpt lat="{}" lon="{}""#, Degrees(point.lat), Degrees(point.lon))?;
            match point.ele {
                Some(_) => {
                    write!(file, ">")?;
                    elevation(file, point.ele)?;
                    writeln!(file, "</trkpt>")?;
                }
                None => writeln!(file, "/>")?,
            }
        }
        writeln!(file, "</trkseg>")?;
    }
    Ok(())
}

fn elevation(file: &mut String, metres: Option<f64>) -> fmt::Result {
    metres.map_or(Ok(()), |metres| write!(file, "<ele>{}</ele>", (metres * 100.0).round() / 100.0))
}

fn element(file: &mut String, name: &str, text: &str) -> fmt::Result {
    // XML 1.0 has no way to write these two, nor control characters.
    let text: String = text.chars().filter(|char| !matches!(char, '\u{fffe}' | '\u{ffff}')).collect();
    write!(file, "<{name}>{}</{name}>", escape(btp_kernel::text::clean(&text).as_ref()))
}

/// A coordinate with a precision of a centimetre. The schema's longitudes end just before 180°.
struct Degrees(f64);

impl Display for Degrees {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let degrees = (self.0 * 1e7).round() / 1e7;
        write!(formatter, "{}", if degrees == 180.0 { -180.0 } else { degrees })
    }
}

/// The symbol that devices know.
const fn symbol(bed: AccommodationType) -> &'static str {
    match bed {
        AccommodationType::CampSite => "Campground",
        AccommodationType::Hotel => "Hotel",
        AccommodationType::Hostel
        | AccommodationType::AlpineHut
        | AccommodationType::Chalet
        | AccommodationType::GuestHouse
        | AccommodationType::WildernessHut => "Lodge",
    }
}
