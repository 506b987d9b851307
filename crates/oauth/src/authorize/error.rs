//! Refusals of an authorization request: those shown to the person, and those sent to the client.

use btp_kernel::{BoxError, Exceeded};

use crate::store::GrantStoreError;

/// A refusal shown to the person: nothing goes to the client, for it is not known to be the right one, or because the
/// published contract says so (which also leaves nothing to use us as an open redirector, OAuth 2.1 §7.13.2).
#[derive(Debug, thiserror::Error)]
pub enum AuthorizeError {
    /// The query is too long.
    #[error("The authorization request is too long.")]
    TooLong,
    /// No client id, or several.
    #[error("The authorization request must name one client_id.")]
    ClientId,
    /// The client is unknown, disabled or could not be resolved: the three never differ.
    #[error("The application is not known here.")]
    UnknownClient,
    /// No redirect address where one is needed, several, or one that is not registered.
    #[error("The redirect_uri is missing or is not one that the application has registered.")]
    RedirectUri,
    /// The resource is not ours.
    #[error("The resource must be {0}.")]
    Resource(String),
    /// No scope that we know.
    #[error("The authorization request names no scope that is known here.")]
    Scope,
    /// The person's address is too long to be granted.
    #[error(
        "The e-mail address of this account is longer than 128 characters and cannot be granted to an application."
    )]
    EmailTooLong,
    /// Too many requests of this person.
    #[error("Too many authorization requests. Retry in {} seconds.", .0.retry_after)]
    Limited(#[source] Exceeded),
    /// Too busy: try again soon.
    #[error("The server is busy. Try again in a few seconds.")]
    Busy(#[source] BoxError),
    /// Not the caller's business.
    #[error("Internal error.")]
    Failed(#[source] BoxError),
}

impl AuthorizeError {
    /// Its error code (RFC 6749 §4.1.2.1, RFC 8707 §2).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooLong | Self::ClientId | Self::RedirectUri => "invalid_request",
            Self::UnknownClient => "invalid_client",
            Self::Resource(_) => "invalid_target",
            Self::Scope => "invalid_scope",
            Self::EmailTooLong | Self::Failed(_) => "server_error",
            Self::Limited(_) => "rate_limited",
            Self::Busy(_) => "temporarily_unavailable",
        }
    }
}

impl From<GrantStoreError> for AuthorizeError {
    fn from(err: GrantStoreError) -> Self {
        match err {
            GrantStoreError::Busy(source) => Self::Busy(source),
            GrantStoreError::Failed(source) => Self::Failed(source),
        }
    }
}

/// A refusal sent to the client. `Display` is its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Denied {
    #[error("The person refused.")]
    Access,
    #[error("The parameter {0} came more than once.")]
    Repeated(&'static str),
    #[error("The response_type must be code.")]
    ResponseType,
    #[error("The response_mode must be query.")]
    ResponseMode,
    #[error("A code_challenge of 43 characters with the code_challenge_method S256 is required.")]
    Pkce,
    #[error("The parameter request is not supported.")]
    Request,
    #[error("The parameter request_uri is not supported.")]
    RequestUri,
}

impl Denied {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Access => "access_denied",
            Self::Repeated(_) | Self::ResponseMode | Self::Pkce => "invalid_request",
            Self::ResponseType => "unsupported_response_type",
            Self::Request => "request_not_supported",
            Self::RequestUri => "request_uri_not_supported",
        }
    }
}

/// Why judging stopped.
pub(crate) enum Stop {
    Shown(AuthorizeError),
    Denied { redirect: String, denied: Denied },
}

impl<E: Into<AuthorizeError>> From<E> for Stop {
    fn from(err: E) -> Self {
        Self::Shown(err.into())
    }
}
