//! The consent page: who asks, for what, and the person's answer, given once.

use askama::Template;
use axum::{extract::State, response::Response};
use btp_accounts::Locale;
use btp_oauth::{Consent, discovery::AUTHORIZE_PATH, store::Decision};
use http::StatusCode;

use super::authorize::refused;
use crate::{
    Services,
    layer::Named,
    pages::{Frame, Message, OwnForm, Visitor, html, see_other},
};

/// Where the form of the consent page may lead: to us, and from there by redirect to the client, whose own answer may be
/// one more redirect. Chromium applies the directive to the whole chain, so the schemes are all that can be said.
const FORM_ACTION: &str = "'self' https: http:";

#[derive(Template)]
#[template(path = "consent.html")]
struct ConsentPage<'a> {
    frame: Frame<'a>,
    handle: &'a str,
    consent: &'a Consent,
    scopes: Vec<&'a str>,
}

/// Asks the person.
pub(super) async fn show(State(services): State<Services>, visitor: Visitor, Named(handle): Named) -> Response {
    let Some(session) = &visitor.session else { return see_other("/login") };
    let consent = match services.authorization.consent(&session.user.id, &handle).await {
        Ok(Some(consent)) => consent,
        Ok(None) => return nothing_to_answer(&visitor),
        Err(err) => return refused(&visitor, &err),
    };
    let words = consent.scopes.iter().map(|words| match visitor.locale {
        Locale::En => words.en.as_str(),
        Locale::Fr => words.fr.as_str(),
    });
    let scopes = words.collect();
    html(&ConsentPage { frame: visitor.frame(), handle: &handle, consent: &consent, scopes }, FORM_ACTION)
}

/// Records the answer and sends the browser on its second pass through the authorization endpoint.
pub(super) async fn answer(
    State(services): State<Services>,
    Named(handle): Named,
    OwnForm { visitor, session, fields }: OwnForm,
) -> Response {
    let decision = match fields.get("decision") {
        "authorize" => Decision::Authorize,
        "refuse" => Decision::Refuse,
        _ => return Message::bad_form(&visitor).show(&visitor),
    };
    match services.authorization.decide(&session.user.id, &handle, decision).await {
        Ok(Some(query)) => see_other(&format!("{AUTHORIZE_PATH}?{query}")),
        Ok(None) => nothing_to_answer(&visitor),
        Err(err) => refused(&visitor, &err),
    }
}

/// Unknown, someone else's, answered or forgotten: the four never differ.
fn nothing_to_answer(visitor: &Visitor) -> Response {
    let text = visitor.text();
    let message = Message {
        status: StatusCode::NOT_FOUND,
        code: "not_found",
        description: "There is no authorization request to answer here. Start again from the agent.",
        title: text.nothing_to_answer,
        said: text.start_again.to_owned(),
    };
    message.show(visitor)
}
