//! The home page: where to go, and how to connect an agent.

use askama::Template;
use axum::{extract::State, response::Response};

use super::{Frame, Visitor, html, see_other};
use crate::Services;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage<'a> {
    frame: Frame<'a>,
    endpoints: Vec<String>,
}

/// What a person sees first.
pub(super) async fn home(State(services): State<Services>, visitor: Visitor) -> Response {
    if visitor.session.is_none() {
        return see_other("/login");
    }
    let server = &services.authorization;
    let endpoints = server.resources().iter().map(|resource| resource.address(server.issuer())).collect();
    html(&HomePage { frame: visitor.frame(), endpoints }, "'self'")
}
