//! Who visits a page, in which language, and what a form holds.

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    response::Response,
};
use btp_accounts::{Locale, Session};
use btp_kernel::{Principal, chain};
use http::{HeaderMap, header, request::Parts};
use url::form_urlencoded;

use super::{
    Message,
    frame::{Frame, Signed, see_other},
    text::Text,
};
use crate::{Services, layer};

/// Who visits.
pub(crate) struct Visitor {
    /// The session of the cookie, when it lives.
    pub(crate) session: Option<Session>,
    /// The person's language, else the browser's.
    pub(crate) locale: Locale,
    /// Whether HTML was asked for.
    pub(crate) reads_html: bool,
}

impl Visitor {
    /// Who sends these headers, whose session nobody asked for.
    pub(crate) fn stranger(headers: &HeaderMap) -> Self {
        let said = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            session: None,
            locale: preferred(said(header::ACCEPT_LANGUAGE)),
            reads_html: said(header::ACCEPT).contains("text/html"),
        }
    }

    /// The words of the visitor's language.
    pub(crate) fn text(&self) -> &'static Text {
        Text::of(self.locale)
    }

    /// The frame of a page for this visitor.
    pub(crate) fn frame(&self) -> Frame<'_> {
        let signed =
            self.session.as_ref().map(|session| Signed { email: session.user.email.as_str(), csrf: session.csrf() });
        Frame { lang: self.locale.as_str(), text: self.text(), signed }
    }

    /// The signed-in person, acting for themselves.
    pub(super) fn principal(&self, services: &Services) -> Option<Principal> {
        self.session.as_ref().map(|session| services.person(session.user.id.clone()))
    }
}

impl FromRequestParts<Services> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, services: &Services) -> Result<Self, Response> {
        let session = layer::session(parts, services).await;
        let stranger = Self::stranger(&parts.headers);
        match session {
            Ok(session) => {
                let locale = session.as_ref().map_or(stranger.locale, |session| session.user.locale);
                Ok(Self { session, locale, ..stranger })
            }
            Err(err) => {
                tracing::error!(target: "btp::pages", error = chain(&err), "a session could not be checked");
                Err(Message::busy(&stranger))
            }
        }
    }
}

/// The first language of `Accept-Language` that we speak; browsers list them in order of preference.
fn preferred(languages: &str) -> Locale {
    let tags = languages.split(',').map(|range| range.split(['-', ';']).next().unwrap_or_default().trim());
    tags.filter_map(|tag| Locale::from_tag(&tag.to_ascii_lowercase())).next().unwrap_or_default()
}

/// The fields of a form.
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The field, empty when it is not there.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }
}

impl FromRequest<Services> for Fields {
    type Rejection = Response;

    async fn from_request(request: Request, services: &Services) -> Result<Self, Response> {
        let stranger = Visitor::stranger(request.headers());
        let body = Bytes::from_request(request, services).await;
        let body = body.map_err(|err| Message::unread_form(&stranger, err.status()).show(&stranger))?;
        Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
    }
}

/// A form that a signed-in person sent from a page of their own session.
pub(crate) struct OwnForm {
    /// Who sent it.
    pub(crate) visitor: Visitor,
    /// Their session.
    pub(crate) session: Session,
    /// What is in it.
    pub(crate) fields: Fields,
}

impl FromRequest<Services> for OwnForm {
    type Rejection = Response;

    async fn from_request(request: Request, services: &Services) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        // First the body: it can be held back for as long as it takes the session to end.
        let fields = Fields::from_request(Request::from_parts(parts.clone(), body), services).await?;
        let visitor = Visitor::from_request_parts(&mut parts, services).await?;
        let Some(session) = visitor.session.clone() else { return Err(see_other("/login")) };
        if !session.is_own_form(fields.get("csrf")) {
            return Err(Message::foreign_form(&visitor).show(&visitor));
        }
        Ok(Self { visitor, session, fields })
    }
}
