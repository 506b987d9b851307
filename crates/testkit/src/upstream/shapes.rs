//! Answers of the services, made from a line.

use btp_domain::SourceKind;
use serde_json::{Value, json};

/// Title of every route, with characters that need care.
pub const TITLE: &str = "Andorra \"grand\" tour </script>";

/// Latitude, longitude, metres of elevation.
pub type Track = Vec<(f64, f64, Option<f64>)>;

/// A climb of `count` points, one of them without elevation.
pub fn track(count: u32) -> Track {
    (0..count).map(|n| (42.0 + f64::from(n) * 1e-4, 1.5, (n != 3).then_some(900.0 + f64::from(n)))).collect()
}

fn items(track: &Track) -> Vec<Value> {
    let item = |&(lat, lng, alt): &(f64, f64, Option<f64>)| match alt {
        Some(alt) => json!({"lat": lat, "lng": lng, "alt": alt, "t": 0}),
        None => json!({"lat": lat, "lng": lng, "t": 0}),
    };
    track.iter().map(item).collect()
}

/// A tour as the API gives it.
pub fn komoot_tour(track: &Track) -> Value {
    json!({"id": 222_000, "type": "tour_planned", "name": TITLE, "status": "public",
        "path": [{"location": {"lat": 1.0, "lng": 1.0}}], "_embedded": {"coordinates": {"items": items(track)}}})
}

/// A Komoot page that carries `embedded`.
pub fn komoot_page(embedded: &Value) -> String {
    let props = json!({"page": {"_embedded": embedded}}).to_string();
    let literal = Value::String(props).to_string().replace("</", "<\\/");
    format!(
        "<!DOCTYPE html><html><head><title>Tour | Komoot</title></head><body><a href=\"/login\">Log in</a>\
         <script>kmtBoot.setProps({literal});</script></body></html>"
    )
}

/// The page of a tour.
pub fn komoot_tour_page(track: &Track) -> String {
    komoot_page(&json!({"tour": komoot_tour(track)}))
}

/// A page of a collection's list as the API gives it: `items` of `total`.
pub fn komoot_list(items: &Value, total: usize) -> Value {
    json!({"_embedded": {"items": items}, "page": {"size": 100, "totalElements": total}})
}

/// What the page of a collection carries.
pub fn komoot_collection(list: &Value) -> Value {
    json!({"collectionHal": {"id": 222_100, "name": TITLE, "_embedded": {"compilation": list}}})
}

/// The page of a collection of these tours.
pub fn komoot_collection_page(tours: &[u64]) -> String {
    let items = tours.iter().map(|id| json!({"id": id, "type": "tour_planned"})).collect::<Vec<_>>();
    let total = items.len();
    komoot_page(&komoot_collection(&komoot_list(&Value::Array(items), total)))
}

/// A route as RideWithGPS gives it to anonymous readers.
pub fn ridewithgps(track: &Track) -> Value {
    let points: Vec<Value> =
        track.iter().map(|&(y, x, e)| e.map_or(json!({"x": x, "y": y}), |e| json!({"x": x, "y": y, "e": e}))).collect();
    json!({"id": 222_000, "name": TITLE, "track_points": points, "course_points": []})
}

/// A GPX file.
pub fn gpx(track: &Track) -> String {
    let ele = |ele: Option<f64>| ele.map_or(String::new(), |ele| format!("<ele>{ele}</ele>"));
    let points: String =
        track.iter().map(|&(lat, lon, e)| format!("<trkpt lat=\"{lat}\" lon=\"{lon}\">{}</trkpt>", ele(e))).collect();
    let name = TITLE.replace('<', "&lt;").replace('"', "&quot;");
    format!("<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><name>{name}</name><trkseg>{points}</trkseg></trk></gpx>")
}

/// A page that asks to sign in.
pub const LOGIN_PAGE: &str =
    "<!DOCTYPE html><html><head><title>Log In</title></head><body><form><input type=\"password\"></form></body></html>";

/// The answer of a service of this kind for a line.
pub fn body(kind: SourceKind, track: &Track) -> String {
    match kind {
        SourceKind::KomootTour | SourceKind::KomootCollection => komoot_tour_page(track),
        SourceKind::RideWithGps => ridewithgps(track).to_string(),
        SourceKind::StravaRoute | SourceKind::GpxUpload => gpx(track),
    }
}
