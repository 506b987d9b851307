//! Everything that is kept about a person, for them to take along.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use btp_accounts::AccountError;
use btp_kernel::{LimitError, chain, limit};
use btp_oauth::Application;
use http::{StatusCode, header};
use serde::Serialize;

use super::{person::Signed, problem::Problem, trips::Detail};
use crate::{Services, aside::aside};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Export {
    exported_at: String,
    account: Account,
    trips: Vec<ExportedTrip>,
    applications: Vec<Authorized>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    id: String,
    email: String,
    locale: &'static str,
    created_at: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExportedTrip {
    source_url: Option<String>,
    #[serde(flatten)]
    trip: Detail,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Authorized {
    client_id: String,
    name: String,
    host: String,
    scopes: String,
    since: String,
    last_used: Option<String>,
}

/// `GET /api/account/export`: account, trips with days and settings, applications, as a file. No secret is in it.
pub(super) async fn export(State(services): State<Services>, Signed(person): Signed) -> Result<Response, Problem> {
    let now = services.clock.now();
    match services.limiter.take(&[(&limit::ACCOUNT_EXPORT, person.user.as_str())], now).await {
        Ok(()) => {}
        Err(LimitError::Exceeded(exceeded)) => return Err(exceeded.into()),
        Err(LimitError::Failed(source)) => return Err(AccountError::Failed(source).into()),
    }
    let user = services.accounts.user(&person.user).await?;
    let user = user.ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, "Sign in first."))?;
    let trips = services.planner.export_trips(&person).await?;
    let applications = services.authorization.applications(&person.user).await.map_err(|err| {
        tracing::error!(target: "btp::api", error = chain(&err), "applications could not be read");
        Problem::failed()
    })?;
    let trips = trips.into_iter().map(move |trip| {
        let (source_url, locked) = (trip.source.address(), services.planner.is_locked(&trip));
        ExportedTrip { source_url, trip: Detail::new(trip, locked) }
    });
    let export = move || Export {
        exported_at: now.rfc3339(),
        account: Account {
            id: user.id.0,
            email: user.email.as_str().to_owned(),
            locale: user.locale.as_str(),
            created_at: user.created_at.rfc3339(),
        },
        trips: trips.collect(),
        applications: applications.live.into_iter().map(Authorized::from).collect(),
    };
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"bike-trip-planner.json\""),
    ];
    // All trips with all days may be long.
    Ok(aside(move || (headers, Json(export())).into_response()).await)
}

impl From<Application> for Authorized {
    fn from(application: Application) -> Self {
        Self {
            client_id: application.client.0,
            name: application.name,
            host: application.host,
            scopes: application.scopes.to_string(),
            since: application.since.rfc3339(),
            last_used: application.last_used.map(|at| at.rfc3339()),
        }
    }
}
