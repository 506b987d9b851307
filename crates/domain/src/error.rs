//! What the planner answers when it does not do what was asked.

use btp_kernel::BoxError;

use crate::{TripId, store::StoreError};

/// Why an operation did not happen.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller can act on it; its text is the message to show.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Too busy: try again soon.
    #[error("The server is busy. Try again in a few seconds.")]
    Busy(#[source] BoxError),
    /// Not the caller's business: logged once, shown as "Internal error."
    #[error("Internal error.")]
    Failed(#[source] BoxError),
}

/// A refusal the caller can act on. `Display` is the published message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The principal lacks a scope.
    #[error("insufficient_scope: this needs the scope {0}.")]
    Scope(&'static str),
    /// No such trip, or not the caller's: the two never differ.
    #[error("This trip does not exist.")]
    NoTrip,
    /// No such day in this trip.
    #[error("This day does not exist in this trip.")]
    NoStage,
    /// The trip has begun.
    #[error("This trip is locked: its start date is today or in the past.")]
    Locked,
    /// The days are not there yet.
    #[error(
        "The days of this trip are still being computed. Call \"get_trip\" until \"partial\" is false, then make your change."
    )]
    Computing,
    /// There are no days because the route could not be had: the sentence says why, and what to do.
    #[error("{0}")]
    NoDays(String),
    /// The caller does not say which version it changes.
    #[error(
        "This tool requires a \"version\" argument: the trip version you are editing, as returned by \"get_trip\". Call \"get_trip\" and send the version it answers."
    )]
    NoVersion,
    /// The trip has no public link.
    #[error("This trip has no public link.")]
    NotShared,
    /// Another change came first.
    #[error(
        "Trip {trip} has moved on: you edited version {edited}, the current one is {current}. Reload it and reapply your change."
    )]
    Moved {
        /// The trip.
        trip: TripId,
        /// The version the caller held.
        edited: u64,
        /// The version now.
        current: u64,
    },
    /// The confirmation token is unknown, spent, expired or for another call.
    #[error(
        "This \"confirmationToken\" is not valid for this call: it was minted for different arguments, has already been used, or has expired. Call the tool again without it to get a new one."
    )]
    Confirmation,
    /// The creation key was used with other arguments.
    #[error("This \"idempotencyKey\" was already used for a different request body.")]
    KeyReused,
    /// Too many calls.
    #[error("rate_limited: too many calls from this agent. Retry in {0} seconds.")]
    RateLimited(u64),
    /// No source of places answers now.
    #[error("The place search is busy. Retry in {0} seconds.")]
    PlacesBusy(u64),
    /// The arguments make no sense together; the sentence says what to change.
    #[error("{0}")]
    Invalid(String),
}

impl From<StoreError> for Error {
    fn from(err: StoreError) -> Self {
        match err {
            StoreError::Gone => Refusal::NoTrip.into(),
            StoreError::Busy(source) => Self::Busy(source),
            other => Self::Failed(Box::new(other)),
        }
    }
}
