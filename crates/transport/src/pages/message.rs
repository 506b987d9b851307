//! A page that says one thing; JSON for whoever did not ask for HTML.

use askama::Template;
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use btp_kernel::Exceeded;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::{Frame, Visitor, html};
use crate::sentences::{BUSY, BUSY_FOR, LATE};

/// A message with its status.
pub(crate) struct Message<'a> {
    /// Status.
    pub(crate) status: StatusCode,
    /// Error code for machines.
    pub(crate) code: &'static str,
    /// A sentence for machines, in English.
    pub(crate) description: &'a str,
    /// Heading, in the visitor's language.
    pub(crate) title: &'static str,
    /// What is said below it.
    pub(crate) said: String,
}

#[derive(Template)]
#[template(path = "message.html")]
struct MessagePage<'a> {
    frame: Frame<'a>,
    title: &'static str,
    said: &'a str,
}

impl Message<'_> {
    /// The answer.
    pub(crate) fn show(&self, visitor: &Visitor) -> Response {
        let mut response = if visitor.reads_html {
            html(&MessagePage { frame: visitor.frame(), title: self.title, said: &self.said }, "'self'")
        } else {
            Json(json!({"error": self.code, "error_description": self.description})).into_response()
        };
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    /// The form does not come from a page of this session.
    pub(crate) fn foreign_form(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::FORBIDDEN,
            code: "invalid_csrf",
            description: "The form does not belong to this session.",
            title: text.bad_form,
            said: text.foreign_form.to_owned(),
        }
    }

    /// The form lacks something.
    pub(crate) fn bad_form(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::BAD_REQUEST,
            code: "invalid_request",
            description: "The form is not complete.",
            title: text.bad_form,
            said: text.incomplete_form.to_owned(),
        }
    }

    /// The form is too large, or did not arrive whole.
    pub(super) fn unread_form(visitor: &Visitor, status: StatusCode) -> Self {
        let text = visitor.text();
        Message {
            status,
            code: "invalid_request",
            description: "The form must have at most 64 KiB and arrive whole.",
            title: text.bad_form,
            said: text.unread_form.to_owned(),
        }
    }

    /// Nothing is at this address, or nothing of the visitor's.
    pub(super) fn not_found(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::NOT_FOUND,
            code: "not_found",
            description: "There is nothing at this address.",
            title: text.not_found,
            said: text.not_found_said.to_owned(),
        }
    }

    /// The link is unknown, spent, too old or another person's.
    pub(super) fn dead_link(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::BAD_REQUEST,
            code: "invalid_link",
            description: "This link was used already or is too old.",
            title: text.dead_link,
            said: text.dead_link_said.to_owned(),
        }
    }

    /// The request was not there, or not served, in time.
    pub(super) fn late(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::REQUEST_TIMEOUT,
            code: "timeout",
            description: LATE,
            title: text.failed,
            said: text.late.to_owned(),
        }
    }

    /// A limit is used up; `said` is what to do about it.
    pub(super) fn limited(visitor: &Visitor, exceeded: &Exceeded, said: &str) -> Response {
        let message = Message {
            status: StatusCode::TOO_MANY_REQUESTS,
            code: "rate_limited",
            description: "There were too many requests.",
            title: visitor.text().too_many,
            said: said.to_owned(),
        };
        let mut response = message.show(visitor);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(exceeded.retry_after));
        response
    }

    /// What is behind the server does not answer.
    pub(super) fn busy(visitor: &Visitor) -> Response {
        let text = visitor.text();
        let message = Message {
            status: StatusCode::SERVICE_UNAVAILABLE,
            code: "busy",
            description: BUSY,
            title: text.failed,
            said: text.busy.to_owned(),
        };
        let mut response = message.show(visitor);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(BUSY_FOR));
        response
    }

    /// It failed: because what is behind the server is away for now, or for good reason to look at its log.
    pub(super) fn broken(visitor: &Visitor, is_busy: bool) -> Response {
        if is_busy { Self::busy(visitor) } else { Self::failed(visitor).show(visitor) }
    }

    /// The visitor can do nothing about it.
    pub(super) fn failed(visitor: &Visitor) -> Self {
        let text = visitor.text();
        Message {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            code: "server_error",
            description: "Internal error.",
            title: text.failed,
            said: text.failed_said.to_owned(),
        }
    }
}
