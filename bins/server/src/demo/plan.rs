//! The agent's session: plan a trip with every tool there is, and print the days.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::source;
use crate::{agent::Session, out::say};

/// Tools this session plays. `demo --check` fails when the server publishes one that is not played.
const PLAYED: [&str; 6] = ["list_trips", "get_trip", "get_stage", "search_places", "create_trip", "delete_trip"];

pub(super) async fn play(session: &Session) -> anyhow::Result<()> {
    let tools = session.tools().await?;
    let unplayed: Vec<_> = tools.iter().filter(|tool| !PLAYED.contains(&tool.as_str())).collect();
    ensure!(unplayed.is_empty(), "the demo does not play {unplayed:?}");
    say(format!("Tools       {}", tools.join(", ")));

    let found = session.call("search_places", json!({"q": "saint brevin", "limit": 1})).await?;
    let start = found["member"][0]["displayName"].as_str().context("search_places did not find where to start")?;
    say(format!("Start       {start}"));
    let created = session
        .call(
            "create_trip",
            json!({"sourceUrl": format!("https://www.komoot.com/tour/{}", source::TOUR), "startDate": "2027-05-03"}),
        )
        .await?;
    let id = created["id"].as_str().context("create_trip answered no id")?;
    say(format!("Created     trip {id}"));
    let trip = days(session, id).await?;
    table(&trip);

    let first = trip["stages"][0]["stageId"].as_str().context("the trip has no day")?;
    let stage = session.call("get_stage", json!({"tripId": id, "stageId": first})).await?;
    let point = |name: &str| {
        format!("{:.4}, {:.4}", stage[name]["lat"].as_f64().unwrap_or(0.0), stage[name]["lon"].as_f64().unwrap_or(0.0))
    };
    say(format!("Day 1       from {} to {}", point("startPoint"), point("endPoint")));
    let list = session.call("list_trips", json!({})).await?;
    ensure!(list["totalItems"] == 1, "list_trips should show one trip");

    let asked = session.call("delete_trip", json!({"id": id})).await?;
    let token = asked["confirmationToken"].as_str().context("delete_trip did not ask first")?;
    session.call("delete_trip", json!({"id": id, "confirmationToken": token})).await?;
    ensure!(session.call("get_trip", json!({"id": id})).await.is_err(), "the trip should be gone");
    say("Deleted     after confirmation; the session is complete.");
    Ok(())
}

/// Reads the trip until its days are there.
async fn days(session: &Session, id: &str) -> anyhow::Result<Value> {
    for _ in 0..200 {
        let trip = session.call("get_trip", json!({"id": id})).await?;
        if trip["partial"] == false {
            if let Some(message) = trip["failure"]["message"].as_str() {
                bail!("the route could not be had: {message}");
            }
            return Ok(trip);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("the days did not appear within 20 seconds")
}

fn table(trip: &Value) {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    say("");
    say(format!(
        "{}, {:.1} km in {} days from {}",
        trip["title"].as_str().unwrap_or("?"),
        number(&trip["totalDistance"]),
        trip["stageCount"],
        &trip["startDate"].as_str().unwrap_or("?").get(..10).unwrap_or("?")
    ));
    say("  Day      km   climb");
    for day in trip["stages"].as_array().into_iter().flatten() {
        say(format!("  {:>3} {:>7.1} {:>5} m", day["dayNumber"], number(&day["distance"]), day["elevation"]));
    }
    say("");
}
