//! Answers of the services, made from a line.

use serde_json::{Value, json};

pub(crate) const TITLE: &str = "Andorra \"grand\" tour </script>";

/// Latitude, longitude, metres of elevation.
pub(crate) type Track = Vec<(f64, f64, Option<f64>)>;

/// A climb of `count` points, one of them without elevation.
pub(crate) fn track(count: u32) -> Track {
    (0..count).map(|n| (42.0 + f64::from(n) * 1e-4, 1.5, (n != 3).then_some(900.0 + f64::from(n)))).collect()
}

fn items(track: &Track) -> Vec<Value> {
    let item = |&(lat, lng, alt): &(f64, f64, Option<f64>)| match alt {
        Some(alt) => json!({"lat": lat, "lng": lng, "alt": alt, "t": 0}),
        None => json!({"lat": lat, "lng": lng, "t": 0}),
    };
    track.iter().map(item).collect()
}

pub(crate) fn komoot_tour(track: &Track) -> Value {
    json!({"id": 222_000, "type": "tour_planned", "name": TITLE, "status": "public",
        "path": [{"location": {"lat": 1.0, "lng": 1.0}}], "_embedded": {"coordinates": {"items": items(track)}}})
}

/// A Komoot page that carries `embedded`.
pub(crate) fn komoot_page(embedded: &Value) -> String {
    let props = json!({"page": {"_embedded": embedded}}).to_string();
    let literal = Value::String(props).to_string().replace("</", "<\\/");
    format!(
        "<!DOCTYPE html><html><head><title>Tour | Komoot</title></head><body><a href=\"/login\">Log in</a>\
         <script>kmtBoot.setProps({literal});</script></body></html>"
    )
}

pub(crate) fn komoot_tour_page(track: &Track) -> String {
    komoot_page(&json!({"tour": komoot_tour(track)}))
}

pub(crate) fn komoot_collection(items: &Value) -> Value {
    json!({"collectionHal": {"id": 222_100, "name": TITLE, "_embedded": {"compilation": {"_embedded": {"items": items}}}}})
}

pub(crate) fn ridewithgps(track: &Track) -> Value {
    let points: Vec<Value> =
        track.iter().map(|&(y, x, e)| e.map_or(json!({"x": x, "y": y}), |e| json!({"x": x, "y": y, "e": e}))).collect();
    json!({"id": 222_000, "name": TITLE, "track_points": points, "course_points": []})
}

pub(crate) fn gpx(track: &Track) -> String {
    let ele = |ele: Option<f64>| ele.map_or(String::new(), |ele| format!("<ele>{ele}</ele>"));
    let points: String =
        track.iter().map(|&(lat, lon, e)| format!("<trkpt lat=\"{lat}\" lon=\"{lon}\">{}</trkpt>", ele(e))).collect();
    let name = TITLE.replace('<', "&lt;").replace('"', "&quot;");
    format!("<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><name>{name}</name><trkseg>{points}</trkseg></trk></gpx>")
}

pub(crate) const LOGIN_PAGE: &str =
    "<!DOCTYPE html><html><head><title>Log In</title></head><body><form><input type=\"password\"></form></body></html>";
