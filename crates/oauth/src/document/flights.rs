//! One fetch a client at a time, however many wait for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use btp_kernel::ClientId;
use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};

use crate::{
    AuthorizeError,
    store::{Client, GrantStoreError},
};

/// From a client id to the client.
pub(super) type Fetch = BoxFuture<'static, Result<Client, Unresolved>>;

/// A fetch that several wait for. It goes on while one of them does.
pub(super) type Flight = Shared<Fetch>;

/// Why a client could not be resolved, for everyone who waited.
#[derive(Clone, Debug)]
pub(crate) enum Unresolved {
    /// The client is refused; the log says why.
    Refused,
    /// Storage failed.
    Store(Arc<GrantStoreError>),
}

/// The fetches under way.
#[derive(Default)]
pub(crate) struct Flights(Mutex<HashMap<ClientId, WeakShared<Fetch>>>);

impl Flights {
    /// The fetch of `id` that is under way.
    pub(super) fn joined(&self, id: &ClientId) -> Option<Flight> {
        let flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        under_way(flights.get(id))
    }

    /// The fetch of `id` that is under way, else a new one.
    pub(super) fn joined_or(&self, id: &ClientId, start: impl FnOnce() -> Fetch) -> Flight {
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = under_way(flights.get(id)) {
            return flight;
        }
        flights.retain(|_, flight| under_way(Some(flight)).is_some());
        let flight = start().shared();
        if let Some(weak) = flight.downgrade() {
            flights.insert(id.clone(), weak);
        }
        flight
    }
}

/// One that has landed is not joined: its outcome may be a refusal, which nobody inherits.
fn under_way(flight: Option<&WeakShared<Fetch>>) -> Option<Flight> {
    flight?.upgrade().filter(|flight| flight.peek().is_none())
}

impl From<GrantStoreError> for Unresolved {
    fn from(err: GrantStoreError) -> Self {
        Self::Store(Arc::new(err))
    }
}

impl From<Unresolved> for AuthorizeError {
    fn from(why: Unresolved) -> Self {
        match why {
            Unresolved::Refused => Self::UnknownClient,
            Unresolved::Store(err) if matches!(*err, GrantStoreError::Busy(_)) => Self::Busy(Box::new(err)),
            Unresolved::Store(err) => Self::Failed(Box::new(err)),
        }
    }
}
