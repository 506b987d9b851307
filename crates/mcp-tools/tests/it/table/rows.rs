//! The rows: tool, situation, arguments, and what comes of it.

use serde_json::{Value, json};

/// A situation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum In {
    /// It works.
    Success,
    /// There is nothing to show.
    Empty,
    /// The days are still being computed.
    Partial,
    /// The route could not be had.
    Failed,
    /// The trip has begun.
    Locked,
    /// About a rest day.
    RestDay,
    /// No such day in this trip.
    NoDay,
    /// Without the version.
    NoVersion,
    /// With a version that was overtaken.
    Stale,
    /// A rule of the tool itself.
    Rule,
    /// Asks first, does it with the token, refuses the token again and for other arguments.
    Asked,
}
use In::{Asked, Empty, Failed, Locked, NoDay, NoVersion, Partial, RestDay, Rule, Stale, Success};

/// What comes of it.
pub(super) enum Gives {
    /// An answer with these members, among others.
    Answer(Value),
    /// A refusal of this code that begins so.
    Refusal(i32, &'static str),
}
use Gives::{Answer, Refusal};

const LOCKED: &str = "This trip is locked: its start date is today or in the past.";
const COMPUTING: &str = "The days of this trip are still being computed.";
const NO_ROUTE: &str = "This route does not exist.";
const NO_DAY: &str = "This day does not exist in this trip.";
const NO_VERSION: &str = "This tool requires a \"version\" argument: the trip version you are editing, as returned by \
                          \"get_trip\".";
pub(super) const BAD_TOKEN: &str = "This \"confirmationToken\" is not valid for this call: it was minted for different arguments, \
                         has already been used, or has expired.";

/// Names in capitals stand for trips of [`situations`], `TRIP/2` for a trip's second day.
pub(super) fn rows() -> Vec<(&'static str, In, Value, Gives)> {
    let tour = "https://www.komoot.com/tour/90";
    let (place, other) = (json!({"lat": 0.0, "lon": 10.5, "ele": 100}), json!({"lat": 0.1, "lon": 10.5}));
    let asked = || Answer(json!({"confirmationRequired": true}));
    vec![
        ("list_trips", Success, json!({"itemsPerPage": 30}), Answer(json!({"totalItems": 6}))),
        ("list_trips", Empty, json!({"title": "nothing"}), Answer(json!({"totalItems": 0, "member": []}))),
        ("get_trip", Success, json!({"id": "READY"}), Answer(json!({"status": "ready", "stageCount": 4}))),
        ("get_trip", RestDay, json!({"id": "REST"}), Answer(json!({"stageCount": 4, "totalDistance": 300.0}))),
        ("get_trip", Partial, json!({"id": "PARTIAL"}), Answer(json!({"partial": true, "stages": []}))),
        ("get_trip", Failed, json!({"id": "FAILED"}), Answer(json!({"partial": false, "stageCount": 0}))),
        ("get_trip", Locked, json!({"id": "LOCKED"}), Answer(json!({"isLocked": true}))),
        ("get_stage", Success, json!({"tripId": "READY", "stageId": "READY/1"}), Answer(json!({"dayNumber": 1}))),
        (
            "get_stage",
            RestDay,
            json!({"tripId": "REST", "stageId": "REST/2"}),
            Answer(json!({"isRestDay": true, "distance": 0.0, "elevation": 0})),
        ),
        ("get_stage", NoDay, json!({"tripId": "READY", "stageId": "LOCKED/1"}), Refusal(-32603, NO_DAY)),
        ("get_stage", Partial, json!({"tripId": "PARTIAL", "stageId": "x"}), Refusal(-32603, NO_DAY)),
        ("search_places", Success, json!({"q": "Buchs", "limit": 3}), Answer(json!({"totalItems": 3}))),
        ("search_places", Empty, json!({"q": "nowhere"}), Answer(json!({"totalItems": 0, "member": []}))),
        ("create_trip", Success, json!({"sourceUrl": tour}), Answer(json!({}))),
        (
            "create_trip",
            Rule,
            json!({"sourceUrl": "https://example.org/1"}),
            Refusal(-32603, "This \"sourceUrl\" is not supported"),
        ),
        (
            "create_trip",
            Rule,
            json!({"sourceUrl": tour, "startDate": "2026-07-02", "endDate": "2026-07-01"}),
            Refusal(-32603, "\"endDate\" must not be before \"startDate\"."),
        ),
        (
            "update_trip_settings",
            Success,
            json!({"id": "READY", "version": 1, "maxDistancePerDay": 100, "title": "Shorter"}),
            asked(),
        ),
        (
            "update_trip_settings",
            Asked,
            json!({"id": "READY", "version": 1, "maxDistancePerDay": 100, "title": "Shorter"}),
            Answer(json!({"version": 2})),
        ),
        ("update_trip_settings", Asked, json!({"id": "READY", "version": 1}), Answer(json!({"version": 1}))),
        ("update_trip_settings", RestDay, json!({"id": "REST", "version": 2, "fatigueFactor": 1}), asked()),
        ("update_trip_settings", Locked, json!({"id": "LOCKED", "title": "Late"}), Refusal(-32603, LOCKED)),
        ("update_trip_settings", Partial, json!({"id": "PARTIAL", "version": 1}), Refusal(-32603, COMPUTING)),
        ("update_trip_settings", Failed, json!({"id": "FAILED", "version": 1}), Refusal(-32603, NO_ROUTE)),
        ("update_trip_settings", NoVersion, json!({"id": "READY", "title": "New"}), Refusal(-32603, NO_VERSION)),
        (
            "update_trip_settings",
            Stale,
            json!({"id": "REST", "version": 1, "title": "New"}),
            Refusal(-32603, "Trip REST has moved on: you edited version 1, the current one is 2. Reload it"),
        ),
        (
            "edit_stages",
            Success,
            json!({"tripId": "READY", "version": 1, "action": "update", "stageId": "READY/1", "label": "Over the pass"}),
            Answer(json!({"version": 2})),
        ),
        (
            "edit_stages",
            Success,
            json!({"tripId": "READY", "version": 1, "action": "add", "startPoint": place, "endPoint": other}),
            Answer(json!({"version": 2})),
        ),
        (
            "edit_stages",
            Success,
            json!({"tripId": "READY", "version": 1, "action": "move", "stageId": "READY/1", "toIndex": 3}),
            Answer(json!({"version": 2})),
        ),
        (
            "edit_stages",
            Success,
            json!({"tripId": "READY", "version": 1, "action": "delete", "stageId": "READY/1"}),
            Answer(json!({"version": 2})),
        ),
        (
            "edit_stages",
            Success,
            json!({"tripId": "READY", "version": 1, "action": "rest_day", "stageId": "READY/1"}),
            Answer(json!({"version": 2})),
        ),
        (
            "edit_stages",
            RestDay,
            json!({"tripId": "REST", "version": 2, "action": "delete", "stageId": "REST/2"}),
            Answer(json!({"version": 3})),
        ),
        ("edit_stages", Rule, json!({"tripId": "READY", "version": 1}), Refusal(-32603, "Unknown \"action\": ")),
        (
            "edit_stages",
            Rule,
            json!({"tripId": "READY", "version": 1, "action": "x".repeat(50), "stageId": "READY/1"}),
            Refusal(-32603, "Unknown \"action\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"."),
        ),
        (
            "edit_stages",
            Rule,
            json!({"tripId": "READY", "version": 1, "action": "rest_day"}),
            Refusal(-32603, "The \"rest_day\" action needs a \"stageId\": "),
        ),
        (
            "edit_stages",
            Rule,
            json!({"tripId": "READY", "version": 1, "action": "move", "stageId": "READY/1"}),
            Refusal(-32603, "The \"move\" action needs a \"toIndex\": "),
        ),
        (
            "edit_stages",
            Rule,
            json!({"tripId": "READY", "version": 1, "action": "add", "startPoint": place}),
            Refusal(-32603, "The \"add\" action needs a \"endPoint\": "),
        ),
        (
            "edit_stages",
            NoDay,
            json!({"tripId": "READY", "version": 1, "action": "delete", "stageId": "LOCKED/1"}),
            Refusal(-32603, NO_DAY),
        ),
        (
            "edit_stages",
            Locked,
            json!({"tripId": "LOCKED", "version": 9, "action": "delete", "stageId": "LOCKED/1"}),
            Refusal(-32603, LOCKED),
        ),
        (
            "edit_stages",
            Partial,
            json!({"tripId": "PARTIAL", "version": 1, "action": "delete", "stageId": "x"}),
            Refusal(-32603, COMPUTING),
        ),
        (
            "edit_stages",
            Failed,
            json!({"tripId": "FAILED", "version": 1, "action": "delete", "stageId": "x"}),
            Refusal(-32603, NO_ROUTE),
        ),
        (
            "edit_stages",
            NoVersion,
            json!({"tripId": "READY", "action": "delete", "stageId": "x"}),
            Refusal(-32603, NO_VERSION),
        ),
        (
            "edit_stages",
            Stale,
            json!({"tripId": "READY", "version": 7, "action": "delete", "stageId": "x"}),
            Refusal(-32603, "Trip READY has moved on: you edited version 7, the current one is 1. Reload it"),
        ),
        (
            "add_waypoint",
            Rule,
            json!({"tripId": "READY", "stageId": "READY/1", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, "This server has no router"),
        ),
        (
            "add_waypoint",
            RestDay,
            json!({"tripId": "REST", "stageId": "REST/2", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, "This day is a rest day"),
        ),
        (
            "add_waypoint",
            NoDay,
            json!({"tripId": "READY", "stageId": "x", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, NO_DAY),
        ),
        (
            "add_waypoint",
            Locked,
            json!({"tripId": "LOCKED", "stageId": "x", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, LOCKED),
        ),
        (
            "add_waypoint",
            Partial,
            json!({"tripId": "PARTIAL", "stageId": "x", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, COMPUTING),
        ),
        (
            "add_waypoint",
            Failed,
            json!({"tripId": "FAILED", "stageId": "x", "waypointLat": 0.0, "waypointLon": 10.5}),
            Refusal(-32603, NO_ROUTE),
        ),
        (
            "choose_accommodation",
            Success,
            json!({"tripId": "READY", "stageId": "READY/1", "version": 1}),
            Answer(json!({"version": 1})),
        ),
        (
            "choose_accommodation",
            Rule,
            json!({"tripId": "READY", "stageId": "READY/1", "version": 1, "selectedAccommodationLat": 0.0}),
            Refusal(-32603, "Send both \"selectedAccommodationLat\" and \"selectedAccommodationLon\""),
        ),
        (
            "choose_accommodation",
            NoDay,
            json!({"tripId": "READY", "stageId": "x", "version": 1}),
            Refusal(-32603, NO_DAY),
        ),
        (
            "choose_accommodation",
            RestDay,
            json!({"tripId": "REST", "stageId": "REST/2", "version": 2}),
            Answer(json!({"version": 2})),
        ),
        (
            "choose_accommodation",
            Locked,
            json!({"tripId": "LOCKED", "stageId": "x", "version": 1}),
            Refusal(-32603, LOCKED),
        ),
        (
            "choose_accommodation",
            Partial,
            json!({"tripId": "PARTIAL", "stageId": "x", "version": 1}),
            Refusal(-32603, COMPUTING),
        ),
        (
            "choose_accommodation",
            Failed,
            json!({"tripId": "FAILED", "stageId": "x", "version": 1}),
            Refusal(-32603, NO_ROUTE),
        ),
        ("choose_accommodation", NoVersion, json!({"tripId": "READY", "stageId": "x"}), Refusal(-32603, NO_VERSION)),
        (
            "choose_accommodation",
            Stale,
            json!({"tripId": "READY", "stageId": "x", "version": 7}),
            Refusal(-32603, "Trip READY has moved on: you edited version 7, the current one is 1. Reload it"),
        ),
        ("analyze_trip", Rule, json!({"id": "READY"}), Refusal(-32603, "This server has no map data")),
        ("analyze_trip", Locked, json!({"id": "LOCKED"}), Refusal(-32603, LOCKED)),
        ("analyze_trip", Partial, json!({"id": "PARTIAL"}), Refusal(-32603, COMPUTING)),
        ("analyze_trip", Failed, json!({"id": "FAILED"}), Refusal(-32603, NO_ROUTE)),
        ("share_trip", Success, json!({"tripId": "READY"}), Answer(json!({}))),
        ("share_trip", Locked, json!({"tripId": "LOCKED"}), Answer(json!({}))),
        ("share_trip", Partial, json!({"tripId": "PARTIAL"}), Answer(json!({}))),
        ("unshare_trip", Success, json!({"tripId": "REST"}), asked()),
        ("unshare_trip", Asked, json!({"tripId": "REST"}), Answer(json!({}))),
        ("unshare_trip", Rule, json!({"tripId": "READY"}), Refusal(-32603, "This trip has no public link.")),
        ("delete_trip", Success, json!({"id": "READY"}), asked()),
        ("delete_trip", Asked, json!({"id": "READY"}), Answer(json!({}))),
        ("delete_trip", Locked, json!({"id": "LOCKED"}), asked()),
        ("delete_trip", Partial, json!({"id": "PARTIAL"}), asked()),
        ("delete_trip", Failed, json!({"id": "FAILED"}), asked()),
    ]
}
