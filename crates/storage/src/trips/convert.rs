//! Between trips and their rows.

use btp_domain::{
    AccommodationType, Computation, Computations, Failure, FailureCode, GeometryQuality, ListStatus, Point, Readiness,
    Settings, SourceKind, SourceRef, Stage, StageId, Trip, TripId, Warning, store::Creation,
};
use btp_kernel::UserId;
use jiff::civil::Date;

use super::legs;
use crate::{
    Error,
    rows::{
        from_json, storable, time, to_json,
        trips::{computation, creation, stage, trip},
    },
};

/// The computation that fetches the route and cuts it, and the category it is shown under.
const ROUTE: &str = "route";

pub(super) fn trip(row: trip::Model, computations: &[computation::Model], stages: Vec<Stage>) -> Result<Trip, Error> {
    let route = computations.iter().find(|row| row.computation == ROUTE).map(|row| row.status.as_str());
    let warnings: Vec<(String, String)> = from_json("warnings", &row.warnings)?;
    let failure = row.failure_code.map(|code| {
        let code = named("failure_code", FailureCode::from_name(&code))?;
        Ok::<_, Error>(Failure { code, message: row.failure_message.unwrap_or_default() })
    });
    let beds = row.accommodation_types.split_whitespace();
    Ok(Trip {
        id: TripId(row.id),
        owner: UserId(row.user_id),
        title: row.title,
        source: SourceRef {
            kind: named("source_kind", SourceKind::from_name(&row.source_kind))?,
            id: row.source_id,
            token: row.source_token,
        },
        settings: Settings {
            start_date: date("start_date", row.start_date)?,
            end_date: date("end_date", row.end_date)?,
            fatigue_factor: row.fatigue_factor,
            elevation_penalty: row.elevation_penalty,
            max_distance_per_day: row.max_distance_per_day,
            average_speed: row.average_speed,
            ebike_mode: row.ebike_mode,
            departure_hour: number("departure_hour", row.departure_hour)?,
            accommodation_types: beds
                .map(|name| named("accommodation_types", AccommodationType::from_name(name)))
                .collect::<Result<_, _>>()?,
        },
        readiness: named("readiness", Readiness::from_name(&row.readiness))?,
        version: number("version", row.version)?,
        zone: row.zone,
        out_of_zone: row.out_of_zone,
        computations: Computations { route: named("status", route.and_then(Computation::from_name))? },
        failure: failure.transpose()?,
        warnings: warnings.into_iter().map(|(code, message)| Warning { code, message }).collect(),
        stages,
        created_at: time(row.created_at),
        updated_at: time(row.updated_at),
    })
}

pub(super) fn trip_row(trip: &Trip, revision: i64) -> Result<trip::Model, Error> {
    let settings = &trip.settings;
    let title = trip.title.as_deref().map(storable);
    let warnings: Vec<_> = trip.warnings.iter().map(|warning| (&warning.code, &warning.message)).collect();
    let beds: Vec<_> = settings.accommodation_types.iter().map(|bed| bed.as_str()).collect();
    Ok(trip::Model {
        id: trip.id.0.clone(),
        user_id: trip.owner.0.clone(),
        title_folded: title.as_deref().map(str::to_lowercase),
        title,
        source_kind: trip.source.kind.as_str().to_owned(),
        source_id: trip.source.id.clone(),
        source_token: trip.source.token.clone(),
        start_date: settings.start_date.map(|date| date.to_string()),
        end_date: settings.end_date.map(|date| date.to_string()),
        shown_end_date: trip.end_date().map(|date| date.to_string()),
        fatigue_factor: settings.fatigue_factor,
        elevation_penalty: settings.elevation_penalty,
        max_distance_per_day: settings.max_distance_per_day,
        average_speed: settings.average_speed,
        ebike_mode: settings.ebike_mode,
        departure_hour: settings.departure_hour.into(),
        accommodation_types: beds.join(" "),
        readiness: trip.readiness.as_str().to_owned(),
        version: number("version", trip.version)?,
        zone: trip.zone.clone(),
        out_of_zone: trip.out_of_zone,
        failure_code: trip.failure.as_ref().map(|failure| failure.code.as_str().to_owned()),
        failure_message: trip.failure.as_ref().map(|failure| storable(&failure.message)),
        warnings: to_json(&warnings)?,
        ridden_count: number("ridden_count", trip.ridden().count())?,
        ridden_metres: trip.distance(),
        list_status: trip.list_status().as_str().to_owned(),
        created_at: trip.created_at.as_millis(),
        updated_at: trip.updated_at.as_millis(),
        revision,
    })
}

pub(super) fn computation_rows(trip: &Trip) -> Result<Vec<computation::Model>, Error> {
    let Computations { route } = trip.computations;
    Ok(vec![computation::Model {
        trip_id: trip.id.0.clone(),
        computation: ROUTE.to_owned(),
        category: ROUTE.to_owned(),
        status: route.as_str().to_owned(),
        version: number("version", trip.version)?,
    }])
}

pub(super) fn stages(rows: Vec<stage::Model>) -> Result<Vec<Stage>, Error> {
    rows.into_iter().map(stage).collect()
}

fn stage(row: stage::Model) -> Result<Stage, Error> {
    Ok(Stage {
        id: StageId(row.id),
        distance: row.distance,
        ascent: row.ascent,
        descent: row.descent,
        start: Point { lat: row.start_lat, lon: row.start_lon, ele: row.start_ele },
        end: Point { lat: row.end_lat, lon: row.end_lon, ele: row.end_ele },
        label: row.label,
        start_label: row.start_label,
        end_label: row.end_label,
        is_rest_day: row.is_rest_day,
        legs: legs::decode(row.legs.as_deref(), row.from_m, row.to_m, row.is_rest_day)?,
        quality: named("quality", GeometryQuality::from_name(&row.quality))?,
    })
}

pub(super) fn stage_rows(id: &TripId, stages: &[Stage]) -> Result<Vec<stage::Model>, Error> {
    let row = |(position, stage): (usize, &Stage)| {
        let (from_m, to_m) = legs::span(&stage.legs);
        Ok(stage::Model {
            trip_id: id.0.clone(),
            id: stage.id.0.clone(),
            position: number("position", position)?,
            distance: stage.distance,
            ascent: stage.ascent,
            descent: stage.descent,
            start_lat: stage.start.lat,
            start_lon: stage.start.lon,
            start_ele: stage.start.ele,
            end_lat: stage.end.lat,
            end_lon: stage.end.lon,
            end_ele: stage.end.ele,
            label: stage.label.as_deref().map(storable),
            start_label: stage.start_label.as_deref().map(storable),
            end_label: stage.end_label.as_deref().map(storable),
            is_rest_day: stage.is_rest_day,
            from_m,
            to_m,
            quality: stage.quality.as_str().to_owned(),
            legs: Some(legs::encode(&stage.legs)),
        })
    };
    stages.iter().enumerate().map(row).collect()
}

pub(super) fn creation(row: creation::Model) -> Creation {
    Creation { arguments: row.arguments, trip: TripId(row.trip_id) }
}

pub(super) fn list_status(name: &str) -> Result<ListStatus, Error> {
    named("list_status", ListStatus::from_name(name))
}

pub(super) fn date(column: &'static str, text: Option<String>) -> Result<Option<Date>, Error> {
    text.map(|text| text.parse().map_err(|_| Error::Row(column))).transpose()
}

pub(super) fn number<N, M: TryFrom<N>>(column: &'static str, value: N) -> Result<M, Error> {
    value.try_into().map_err(|_| Error::Row(column))
}

fn named<T>(column: &'static str, value: Option<T>) -> Result<T, Error> {
    value.ok_or(Error::Row(column))
}
