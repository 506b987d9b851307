//! Random edits through MCP, each with the version the one before answered: whatever is accepted leaves a whole trip.

use std::time::Duration;

use btp_kernel::Entropy;
use btp_server::agent::Session;
use btp_testkit::SeededEntropy;
use serde_json::{Value, json};

use crate::{
    database::Database,
    server::{Installation, settled},
    source::Source,
};

const SEQUENCES: u64 = 100;
const EDITS: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    play(&[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql() {
    let database = Database::new("sequences");
    play(&[("DATABASE_URL", &database.url)]).await;
}

async fn play(env: &[(&str, &str)]) {
    let source = Source::start().await;
    let mut installation = Installation::new(env);
    installation.set("KOMOOT_URL", &source.base);
    installation.raise_limits();
    installation.ok(&["migrate"]);
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let mut accepted = 0;
    for seed in 0..SEQUENCES {
        accepted += sequence(&session, Dice(SeededEntropy::new(seed)), seed).await;
    }
    let all = SEQUENCES as usize * EDITS;
    assert!(accepted > all / 2, "only {accepted} of {all} edits were accepted: the dice are bad");
}

/// One trip of 60 km in two days, edited at random. How many edits were accepted.
async fn sequence(session: &Session, dice: Dice, seed: u64) -> usize {
    let start = dice.coin().then_some("2031-03-27T00:00:00+01:00");
    let arguments = json!({
        "sourceUrl": "https://www.komoot.com/tour/2003000", "title": format!("Trip {seed}"), "startDate": start,
        "maxDistancePerDay": 32,
    });
    let id = session.call("create_trip", arguments).await.unwrap()["id"].as_str().unwrap().to_owned();
    let mut trip = settled(session, &id, Duration::from_secs(30)).await;
    let mut accepted = 0;
    for _ in 0..EDITS {
        let edit = dice.edit(&trip);
        let place = format!("sequence {seed}, {edit} on {trip}");
        let outcome = session.call("edit_stages", edit.clone()).await;
        let after = session.call("get_trip", json!({"id": id})).await.unwrap();
        match outcome {
            Ok(answer) => {
                accepted += 1;
                let (before, now) = (trip["version"].as_u64().unwrap(), after["version"].as_u64().unwrap());
                assert_eq!(answer["version"], now, "{place}");
                assert!(now == before + 1 || now == before && after["stages"] == trip["stages"], "{place}");
                if now > before {
                    let refusal = session.call("edit_stages", edit).await.unwrap_err().to_string();
                    let words = format!("you edited version {before}, the current one is {now}.");
                    assert!(refusal.contains(&words), "{place}: {refusal}");
                }
            }
            Err(refusal) => {
                assert!(!refusal.to_string().contains("Internal error"), "{place}: {refusal}");
                assert_eq!(after, trip, "{place}: {refusal}: refused, and changed all the same");
            }
        }
        is_whole(&after, &place);
        trip = after;
    }
    is_continuous(session, &trip).await;
    accepted
}

/// What holds for every trip, as `get_trip` shows it.
fn is_whole(trip: &Value, place: &str) {
    let days = trip["stages"].as_array().unwrap();
    let numbers: Vec<_> = days.iter().map(|day| day["dayNumber"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=days.len() as u64).collect::<Vec<_>>(), "{place}");
    let ridden: Vec<_> = days.iter().filter(|day| day["isRestDay"] == false).collect();
    assert_eq!(trip["stageCount"], ridden.len(), "{place}");
    assert!(!ridden.is_empty() && days[0]["isRestDay"] == false, "{place}");
    let sum: f64 = ridden.iter().map(|day| day["distance"].as_f64().unwrap()).sum();
    let total = trip["totalDistance"].as_f64().unwrap();
    assert!((sum - total).abs() <= 0.006 * days.len() as f64, "{place}: {sum} km by day, {total} km in all");
    assert!(ridden.iter().all(|day| day["distance"].as_f64().unwrap() >= 0.0), "{place}");
    for pair in days.windows(2) {
        assert!(!(pair[0]["isRestDay"] == true && pair[1]["isRestDay"] == true), "{place}: two rest days in a row");
    }
    for day in days.iter().filter(|day| day["isRestDay"] == true) {
        assert_eq!((&day["distance"], &day["elevation"]), (&json!(0.0), &json!(0)), "{place}");
    }
    let date = |name: &str| trip[name].as_str().map(|text| text[..10].parse::<jiff::civil::Date>().unwrap());
    if let Some(start) = date("startDate") {
        let last = start.checked_add(jiff::Span::new().days(days.len() as i64 - 1)).unwrap();
        assert_eq!(date("endDate"), Some(last), "{place}");
    }
}

/// Each day begins where the one before ends, or that one says so.
async fn is_continuous(session: &Session, trip: &Value) {
    let mut before: Option<Value> = None;
    for day in trip["stages"].as_array().unwrap() {
        let stage = json!({"tripId": trip["id"], "stageId": day["stageId"]});
        let stage = session.call("get_stage", stage).await.unwrap();
        if let Some(before) = before {
            let axis = |point: &Value, axis: &str| point[axis].as_f64().unwrap();
            let (end, start) = (&before["endPoint"], &stage["startPoint"]);
            // Degrees of 100 m, at the latitude of the line.
            let apart = (axis(end, "lat") - axis(start, "lat")).abs() > 0.0009
                || (axis(end, "lon") - axis(start, "lon")).abs() > 0.0014;
            let told = before["alerts"].as_array().unwrap().iter().any(|alert| alert["group"] == "continuity");
            assert!(told || !apart, "{before} is followed by {stage}");
        }
        before = Some(stage);
    }
}

/// Where random edits come from.
struct Dice(SeededEntropy);

impl Dice {
    fn below(&self, sides: usize) -> usize {
        let mut random = [0; 4];
        self.0.fill(&mut random);
        u32::from_le_bytes(random) as usize % sides.max(1)
    }

    fn coin(&self) -> bool {
        self.below(2) == 0
    }

    /// A place near the line of the tour, or far from it.
    fn place(&self) -> Value {
        let near = if self.coin() { 0.0 } else { 0.3 };
        json!({"lat": 46.0 + self.below(540) as f64 / 1_000.0, "lon": 5.0 + near * self.below(100) as f64 / 100.0})
    }

    /// An edit that may be possible.
    fn edit(&self, trip: &Value) -> Value {
        let days = trip["stages"].as_array().unwrap();
        let stage = || days[self.below(days.len())]["stageId"].clone();
        let mut edit = match self.below(8) {
            0 => {
                json!({"action": "add", "startPoint": self.place(), "endPoint": self.place(), "position": self.below(days.len() + 1)})
            }
            1 => json!({"action": "update", "stageId": stage(), "endPoint": self.place()}),
            2 => json!({"action": "update", "stageId": stage(), "startPoint": self.place()}),
            3 => json!({"action": "update", "stageId": stage(), "distance": 1 + self.below(60)}),
            4 => json!({"action": "update", "stageId": stage(), "label": format!("Day {}", self.below(9))}),
            5 => json!({"action": "move", "stageId": stage(), "toIndex": self.below(days.len())}),
            6 => json!({"action": "delete", "stageId": stage()}),
            _ => json!({"action": "rest_day", "stageId": stage()}),
        };
        edit["tripId"] = trip["id"].clone();
        edit["version"] = trip["version"].clone();
        edit
    }
}
