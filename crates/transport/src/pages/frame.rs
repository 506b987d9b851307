//! What every page shares: frame, headers, stylesheet, redirects.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::text::Text;

/// What the base template shows around a page.
pub(crate) struct Frame<'a> {
    /// Language tag.
    pub(crate) lang: &'static str,
    /// The words.
    pub(crate) text: &'static Text,
    /// The signed-in person.
    pub(crate) signed: Option<Signed<'a>>,
}

/// The signed-in person, as the frame shows them.
pub(crate) struct Signed<'a> {
    /// Address.
    pub(crate) email: &'a str,
    /// Field of each form.
    pub(crate) csrf: String,
}

/// The page; its forms may lead to `form_action`, as a source list of a content security policy.
pub(crate) fn html(page: &impl Template, form_action: &str) -> Response {
    let page = match page.render() {
        Ok(page) => page,
        Err(err) => {
            tracing::error!(target: "btp::pages", error = btp_kernel::chain(&err), "a page could not be written");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action {form_action}; base-uri 'none'; frame-ancestors 'none'"
    );
    let headers = [(header::CACHE_CONTROL, "no-store".to_owned()), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, Html(page)).into_response()
}

/// A redirect that is always followed by GET (OAuth 2.1 §7.5.3) and never stored.
pub(crate) fn see_other(location: &str) -> Response {
    match HeaderValue::try_from(location) {
        Ok(location) => {
            let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The stylesheet.
pub(super) async fn stylesheet() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=3600")];
    let style = concat!(include_str!("../../templates/style.css"), include_str!("../../templates/drawing.css"));
    (headers, style).into_response()
}
