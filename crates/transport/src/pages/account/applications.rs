//! The applications that act for the person.

use axum::{extract::State, response::Response};
use btp_kernel::{ClientId, chain};
use btp_oauth::{Applications, store::GrantStoreError};

use super::{back, day, text::AccountText};
use crate::{
    Services,
    pages::{Message, OwnForm, Visitor},
};

/// What the page shows of them.
pub(super) struct Shown {
    pub(super) live: Vec<Application>,
    pub(super) reused: Vec<Reused>,
}

pub(super) struct Application {
    pub(super) client: String,
    pub(super) name: String,
    pub(super) host: String,
    pub(super) since: String,
    pub(super) last_used: String,
}

#[derive(PartialEq)]
pub(super) struct Reused {
    pub(super) name: String,
    pub(super) host: String,
    pub(super) at: String,
}

impl Shown {
    pub(super) fn of(applications: Applications, text: &'static AccountText) -> Self {
        let live = applications.live.into_iter().map(|application| Application {
            client: application.client.0,
            name: application.name,
            host: application.host,
            since: day(application.since),
            last_used: application.last_used.map_or_else(|| text.never_used.to_owned(), day),
        });
        let reused = applications.reused.into_iter();
        let reused = reused.map(|reused| Reused { name: reused.name, host: reused.host, at: day(reused.at) });
        let mut reused: Vec<_> = reused.collect();
        // An application that lost several sign-ins in a day is told of once.
        reused.dedup();
        Self { live: live.collect(), reused }
    }
}

/// Ends what the person granted to one application, from its next call on.
pub(super) async fn revoke(State(services): State<Services>, form: OwnForm) -> Response {
    let client = ClientId::from(form.fields.get("client"));
    match services.authorization.revoke_application(&form.session.user.id, &client).await {
        Ok(true) => back("revoked"),
        Ok(false) => Message::not_found(&form.visitor).show(&form.visitor),
        Err(err) => failed(&form.visitor, &err),
    }
}

pub(super) fn failed(visitor: &Visitor, err: &GrantStoreError) -> Response {
    tracing::error!(target: "btp::pages", error = chain(err), "applications could not be read");
    Message::broken(visitor, matches!(err, GrantStoreError::Busy(_)))
}
