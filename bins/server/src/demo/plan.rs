//! The agent's session: plan a trip with every tool there is, and print the days.

use std::{collections::BTreeSet, time::Duration};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::source;
use crate::{agent::Session, out::say};

/// Plays the session. Fails when the server publishes a tool that is not played.
pub(super) async fn play(session: &Session) -> anyhow::Result<()> {
    let tools = session.tools().await?;
    say(format!("Tools       {}", tools.join(", ")));

    let mut agent = Agent { session, played: BTreeSet::new() };
    agent.look_around().await?;
    let id = agent.create().await?;
    agent.read(&id).await?;
    agent.edit(&id).await?;
    agent.resettle(&id).await?;
    agent.share(&id).await?;
    agent.enrich(&id).await?;
    agent.delete(&id).await?;
    let unplayed: Vec<_> = tools.iter().filter(|tool| !agent.played.contains(*tool)).collect();
    ensure!(unplayed.is_empty(), "the demo does not play {unplayed:?}");
    say("The session is complete.");
    Ok(())
}

/// A session that remembers which tools it called.
struct Agent<'a> {
    session: &'a Session,
    played: BTreeSet<String>,
}

impl Agent<'_> {
    async fn call(&mut self, tool: &str, arguments: Value) -> anyhow::Result<Value> {
        self.played.insert(tool.to_owned());
        self.session.call(tool, arguments).await
    }

    /// Calls a tool that asks first, then again with its token.
    async fn confirmed(&mut self, tool: &str, mut arguments: Value) -> anyhow::Result<Value> {
        let asked = self.call(tool, arguments.clone()).await?;
        say(format!("Asked       {}", asked["action"].as_str().with_context(|| format!("{tool} did not ask first"))?));
        arguments["confirmationToken"] = asked["confirmationToken"].clone();
        self.call(tool, arguments).await
    }

    async fn look_around(&mut self) -> anyhow::Result<()> {
        let found = self.call("search_places", json!({"q": "saint brevin", "limit": 1})).await?;
        let start = found["member"][0]["displayName"].as_str().context("search_places did not find where to start")?;
        say(format!("Start       {start}"));
        Ok(())
    }

    async fn create(&mut self) -> anyhow::Result<String> {
        let source = format!("https://www.komoot.com/tour/{}", source::TOUR);
        let created = self.call("create_trip", json!({"sourceUrl": source, "startDate": "2027-05-03"})).await?;
        let id = created["id"].as_str().context("create_trip answered no id")?.to_owned();
        say(format!("Created     trip {id}"));
        Ok(id)
    }

    async fn read(&mut self, id: &str) -> anyhow::Result<()> {
        let trip = self.days(id).await?;
        table(&trip);
        let stage = self.call("get_stage", json!({"tripId": id, "stageId": day(&trip, 0)?})).await?;
        let at = |name: &str, axis: &str| stage[name][axis].as_f64().unwrap_or(f64::NAN);
        let place = |name: &str| format!("{:.4}, {:.4}", at(name, "lat"), at(name, "lon"));
        say(format!("Day 1       from {} to {}", place("startPoint"), place("endPoint")));
        let list = self.call("list_trips", json!({})).await?;
        ensure!(list["totalItems"] == 1, "list_trips should show one trip");
        Ok(())
    }

    /// Reads the trip until its days are there, ever less often: the session must stay within its own limit of calls.
    async fn days(&mut self, id: &str) -> anyhow::Result<Value> {
        for pause in [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800] {
            let trip = self.call("get_trip", json!({"id": id})).await?;
            if trip["partial"] == false {
                if let Some(message) = trip["failure"]["message"].as_str() {
                    bail!("the route could not be had: {message}");
                }
                return Ok(trip);
            }
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        bail!("the days did not appear within 25 seconds")
    }

    /// Three edits in a row, each with the version that the one before answered.
    async fn edit(&mut self, id: &str) -> anyhow::Result<()> {
        let trip = self.call("get_trip", json!({"id": id})).await?;
        let (first, second) = (day(&trip, 0)?, day(&trip, 1)?);
        let mut version = trip["version"].clone();
        for mut edit in [
            json!({"tripId": id, "action": "update", "stageId": first, "distance": 55}),
            json!({"tripId": id, "action": "update", "stageId": second, "label": "Vineyards"}),
            json!({"tripId": id, "action": "rest_day", "stageId": second}),
        ] {
            edit["version"] = version;
            let edited = self.call("edit_stages", edit).await?;
            say(format!("Edited      {}", edited["result"].as_str().unwrap_or("?")));
            version = edited["version"].clone();
        }
        let trip = self.call("get_trip", json!({"id": id})).await?;
        table(&trip);
        let cleared = json!({"tripId": id, "stageId": first, "version": trip["version"]});
        let cleared = self.call("choose_accommodation", cleared).await?;
        say(format!("Beds        {}", cleared["result"].as_str().unwrap_or("?")));
        Ok(())
    }

    async fn resettle(&mut self, id: &str) -> anyhow::Result<()> {
        let version = self.call("get_trip", json!({"id": id})).await?["version"].clone();
        let longer = json!({"id": id, "version": version, "maxDistancePerDay": 110});
        let changed = self.confirmed("update_trip_settings", longer).await?;
        say(format!("Changed     {}", changed["result"].as_str().unwrap_or("?")));
        let trip = self.days(id).await?;
        table(&trip);
        Ok(())
    }

    async fn share(&mut self, id: &str) -> anyhow::Result<()> {
        let shared = self.call("share_trip", json!({"tripId": id})).await?;
        say(format!("Shared      {}", shared["url"].as_str().context("share_trip answered no address")?));
        let revoked = self.confirmed("unshare_trip", json!({"tripId": id})).await?;
        say(format!("Revoked     {}", revoked["result"].as_str().unwrap_or("?")));
        Ok(())
    }

    /// What needs map data is refused in words while there is none.
    async fn enrich(&mut self, id: &str) -> anyhow::Result<()> {
        let trip = self.call("get_trip", json!({"id": id})).await?;
        let place = json!({"tripId": id, "stageId": day(&trip, 0)?, "waypointLat": 47.25, "waypointLon": -1.9});
        for (tool, arguments) in [("add_waypoint", place), ("analyze_trip", json!({"id": id}))] {
            match self.call(tool, arguments).await {
                Ok(answer) => say(format!("Started     {}", answer["result"].as_str().unwrap_or("?"))),
                Err(refusal) if !refusal.to_string().contains("map data") => return Err(refusal),
                Err(refusal) => say(format!("Not yet     {refusal}")),
            }
        }
        Ok(())
    }

    async fn delete(&mut self, id: &str) -> anyhow::Result<()> {
        let deleted = self.confirmed("delete_trip", json!({"id": id})).await?;
        ensure!(self.call("get_trip", json!({"id": id})).await.is_err(), "the trip should be gone");
        say(format!("Deleted     {}", deleted["result"].as_str().unwrap_or("?")));
        Ok(())
    }
}

/// Id of a day.
fn day(trip: &Value, index: usize) -> anyhow::Result<&str> {
    trip["stages"][index]["stageId"].as_str().with_context(|| format!("the trip has no day {}", index + 1))
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
        let rest = if day["isRestDay"] == true { "  rest" } else { "" };
        say(format!("  {:>3} {:>7.1} {:>5} m{rest}", day["dayNumber"], number(&day["distance"]), day["elevation"]));
    }
    say("");
}
