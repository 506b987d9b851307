//! Values to store.

use std::time::Duration;

use btp_accounts::store::NewSession;
use btp_domain::{
    Computation, Computations, GeometryQuality, Leg, Point, Readiness, Settings, SourceKind, SourceRef, Stage, Trip,
    store::{CreationKey, Job, JobId, NewJob, NewTrip},
};
use btp_kernel::{Scopes, Timestamp};
use btp_oauth::store::{Code, Refresh};
use btp_testkit::conformance::ann;

pub(crate) const NOW: Timestamp = Timestamp::from_seconds(1_780_300_800);
pub(crate) const HOLD: Duration = Duration::from_secs(60);

/// A trip of ann's.
pub(crate) fn trip(id: &str) -> Trip {
    Trip {
        id: id.into(),
        owner: ann(),
        title: None,
        source: SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: None },
        settings: Settings::default(),
        readiness: Readiness::Draft,
        version: 1,
        zone: None,
        out_of_zone: false,
        computations: Computations { route: Computation::Running },
        failure: None,
        warnings: Vec::new(),
        stages: Vec::new(),
        created_at: NOW,
        updated_at: NOW,
    }
}

/// A session to begin.
pub(crate) fn session(key: &str, expires: Timestamp) -> NewSession {
    NewSession { key: key.to_owned(), current: "turn".to_owned(), since: NOW, expires }
}

/// Its creation under `key`, with so many jobs.
pub(crate) fn new(id: &str, key: &str, jobs: usize) -> NewTrip {
    let job = |number| NewJob {
        id: JobId(format!("{id}-{number}")),
        job: Job::FetchRoute { owner: ann(), trip: id.into() },
        due: NOW,
    };
    NewTrip {
        trip: trip(id),
        line: None,
        key: CreationKey(key.to_owned()),
        arguments: "digest".to_owned(),
        not_before: NOW.minus(HOLD),
        jobs: (0..jobs).map(job).collect(),
    }
}

/// A day of 50 km.
pub(crate) fn stage(id: &str) -> Stage {
    let point = Point { lat: 47.1, lon: 9.5, ele: None };
    Stage {
        id: id.into(),
        distance: 50_000.0,
        ascent: None,
        descent: None,
        start: point,
        end: point,
        label: None,
        start_label: None,
        end_label: None,
        is_rest_day: false,
        legs: vec![Leg::Source { from: 0.0, to: 50_000.0 }],
        quality: GeometryQuality::Source,
    }
}

/// A code of ann's.
pub(crate) fn code(digest: &str) -> Code {
    Code {
        digest: digest.to_owned(),
        user: ann(),
        client: "agent".into(),
        resource: "https://trips.example.org/mcp".to_owned(),
        scopes: Scopes::parse("trips:read"),
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        challenge: "challenge".to_owned(),
        expires: NOW.plus(HOLD),
        used: false,
        details: None,
    }
}

/// A refresh token.
pub(crate) fn refresh(digest: impl Into<String>) -> Refresh {
    Refresh { digest: digest.into(), expires: NOW.plus(HOLD) }
}
