//! Why a source gave no route: precisely for the log, helpfully for the caller.

use btp_domain::{Failure, FailureCode, pacing::MOST_DAYS};
use reqwest::StatusCode;

use super::Service;
use crate::{FetchError, breaker::Resting};

/// Why there is no route. `Display` is for the log and holds nothing that a source sent.
#[derive(Debug, thiserror::Error)]
pub(super) enum Miss {
    #[error("no usable answer")]
    Fetch(#[from] FetchError),
    #[error("not asked")]
    Resting(#[from] Resting),
    #[error("a page to sign in")]
    Login,
    #[error("another shape than the known one: {0}")]
    Changed(&'static str),
    #[error("no line")]
    Empty,
    #[error("more points than are read")]
    TooLarge,
    #[error("a collection of {0} tours")]
    TooManyTours(usize),
    #[error("switched off in the settings")]
    Disabled,
    #[error("the reader failed")]
    Reader,
    #[error("not the address of a line")]
    NotFetched,
}

impl Miss {
    pub(super) fn code(&self) -> FailureCode {
        use FailureCode as Code;
        match self {
            Self::Fetch(FetchError::BlockedAddress) => Code::BlockedAddress,
            Self::Fetch(FetchError::RedirectedElsewhere(to)) if super::login::is_login_address(to) => {
                Code::PrivateOrLoginRequired
            }
            Self::Fetch(FetchError::RedirectedElsewhere(_)) => Code::RedirectedElsewhere,
            Self::Fetch(FetchError::Timeout) => Code::Timeout,
            Self::Fetch(FetchError::TooLarge) | Self::TooLarge => Code::TooLarge,
            Self::Fetch(FetchError::Garbled) => Code::UpstreamChanged,
            Self::Fetch(FetchError::Unreachable(_)) | Self::Disabled => Code::SourceUnavailable,
            Self::Resting(resting) if resting.busy => Code::RateLimited,
            Self::Resting(_) => Code::SourceUnavailable,
            Self::Fetch(FetchError::Status { status, .. }) => match *status {
                StatusCode::NOT_FOUND => Code::NotFound,
                StatusCode::GONE => Code::Gone,
                StatusCode::TOO_MANY_REQUESTS => Code::RateLimited,
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Code::PrivateOrLoginRequired,
                status if status.is_server_error() => Code::SourceUnavailable,
                _ => Code::UpstreamChanged,
            },
            Self::Login => Code::PrivateOrLoginRequired,
            Self::Changed(_) => Code::UpstreamChanged,
            Self::Empty => Code::NoTrackPoints,
            Self::TooManyTours(_) => Code::TooManyDays,
            Self::Reader | Self::NotFetched => Code::Internal,
        }
    }

    pub(super) fn failure(&self, service: Service) -> Failure {
        Failure { code: self.code(), message: self.message(service) }
    }

    /// What happened and what to do about it. A failed trip is not tried again, so each sentence ends with making a new one.
    fn message(&self, service: Service) -> String {
        use FailureCode as Code;
        let name = service.title();
        if service == Service::Strava && self.code() == Code::PrivateOrLoginRequired {
            return format!(
                "{name} shows this route to signed-in people only. Delete the trip, export the route there as a GPX file \
                 and upload that on the page of trips of this server; an agent cannot send a file."
            );
        }
        let (what, first) = match self.code() {
            Code::NotFound if service == Service::RideWithGps => (
                format!("{name} shows no such route."),
                "Check the address or, when the route is private, make it public or use its share link",
            ),
            Code::NotFound => (format!("{name} has no such route."), "Check the address"),
            Code::PrivateOrLoginRequired => (
                format!("{name} shows this route to signed-in people only."),
                "Make it public there or use its share link",
            ),
            Code::Gone => (format!("The route was removed from {name}."), "Choose another route"),
            Code::RateLimited => (format!("{name} receives too many requests."), "Wait a few minutes"),
            Code::UpstreamChanged => (
                format!("{name} answered in a form this server does not know, which its operator has to look at."),
                "Choose a route of another service",
            ),
            Code::TooLarge => (format!("The route on {name} is larger than this server reads."), "Split it there"),
            Code::NoTrackPoints => {
                (format!("The route on {name} has no line to follow."), "Check there that it was planned to its end")
            }
            Code::TooManyDays => {
                (format!("The collection has more than {MOST_DAYS} tours, one day each."), "Choose a shorter one")
            }
            Code::Timeout => (format!("{name} did not answer in time."), "Wait a few minutes"),
            Code::RedirectedElsewhere => {
                (format!("{name} redirects this route to where this server does not follow."), "Check the address")
            }
            Code::BlockedAddress => (
                format!(
                    "The name of {name} leads to an address this server does not ask, which its operator has to look at."
                ),
                "Choose a route of another service",
            ),
            Code::Internal if matches!(self, Self::NotFetched) => {
                return "An uploaded file cannot be fetched again. Delete the trip and upload the file again."
                    .to_owned();
            }
            Code::SourceUnavailable if matches!(self, Self::Disabled) => {
                (format!("Routes of {name} are switched off on this server."), "Choose a route of another service")
            }
            Code::SourceUnavailable | Code::Internal => (format!("{name} is not available now."), "Wait a few minutes"),
        };
        match self.retry_after() {
            Some(seconds) => format!("{what} Wait {seconds} seconds, then delete the trip and create it again."),
            None => format!("{what} {first}, then delete the trip and create it again."),
        }
    }

    /// Seconds, when the source says so and a person would wait for it.
    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Fetch(FetchError::Status { status: StatusCode::TOO_MANY_REQUESTS, retry_after }) => *retry_after,
            Self::Resting(resting) => Some(resting.left),
            _ => None,
        }
        .map(|wait| wait.as_secs_f64().ceil() as u64)
        .map(|seconds| seconds.max(1))
        .filter(|seconds| *seconds <= 86_400)
    }
}
