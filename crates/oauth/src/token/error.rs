//! Refusals of the token endpoint.

use btp_kernel::BoxError;

use crate::store::GrantStoreError;

/// Why a code or refresh token did not do: for the operator, stable words of the audit trail. The client is told one
/// sentence for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Never issued, or purged.
    #[error("unknown")]
    Unknown,
    /// Issued to another client.
    #[error("other_client")]
    OtherClient,
    /// The redirect address is not the one of the request.
    #[error("other_redirect")]
    OtherRedirect,
    /// No PKCE verifier, or a wrong one.
    #[error("wrong_verifier")]
    WrongVerifier,
    /// Too late.
    #[error("expired")]
    Expired,
    /// The code was redeemed before: its family is revoked.
    #[error("replayed")]
    Replayed,
    /// The refresh token was rotated before and this is no repetition: its family is revoked.
    #[error("reused")]
    Reused,
    /// Family, grant, person or client are gone.
    #[error("revoked")]
    Revoked,
}

/// Why no token was issued. `Display` is the description sent to the client.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// A parameter is not there.
    #[error("The parameter {0} is missing.")]
    Missing(&'static str),
    /// A parameter came more than once.
    #[error("The parameter {0} came more than once.")]
    Repeated(&'static str),
    /// Another grant type.
    #[error("The grant_type must be authorization_code or refresh_token.")]
    GrantType,
    /// The client is unknown or disabled.
    #[error("The client is not known here.")]
    UnknownClient,
    /// The code or refresh token cannot be used by this request. One answer for every reason: an attacker learns nothing.
    #[error("The code or refresh token is not valid for this request.")]
    Grant(Reason),
    /// More than was granted, or nothing that is known.
    #[error("The scope is not within the scope that was granted.")]
    Scope,
    /// Not the resource of the grant.
    #[error("The resource must be {0}.")]
    Resource(String),
    /// Too busy: try again soon.
    #[error("The server is busy. Try again in a few seconds.")]
    Busy(#[source] BoxError),
    /// Not the caller's business.
    #[error("Internal error.")]
    Failed(#[source] BoxError),
}

impl TokenError {
    /// Its error code (RFC 6749 §5.2, RFC 8707 §2).
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) | Self::Repeated(_) => "invalid_request",
            Self::GrantType => "unsupported_grant_type",
            Self::UnknownClient => "invalid_client",
            Self::Grant(_) => "invalid_grant",
            Self::Scope => "invalid_scope",
            Self::Resource(_) => "invalid_target",
            Self::Busy(_) => "temporarily_unavailable",
            Self::Failed(_) => "server_error",
        }
    }

    /// Its word in the audit trail.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Grant(reason) => reason.to_string(),
            Self::Missing(name) => format!("missing_{name}"),
            Self::Repeated(name) => format!("repeated_{name}"),
            _ => self.code().to_owned(),
        }
    }
}

impl From<GrantStoreError> for TokenError {
    fn from(err: GrantStoreError) -> Self {
        match err {
            GrantStoreError::Busy(source) => Self::Busy(source),
            GrantStoreError::Failed(source) => Self::Failed(source),
        }
    }
}
