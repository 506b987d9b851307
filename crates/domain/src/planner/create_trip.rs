//! Creates a trip and starts the fetching of its route.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, require};
use crate::{CreateTrip, Created, Error, Planner};

impl Planner {
    /// Creates a trip, once per key or, without one, once per identical arguments in this and the previous five minutes.
    ///
    /// # Errors
    /// A missing scope; an unsupported address; impossible dates; a key used for something else; `trip_create` used up
    /// (a replay spends none).
    pub async fn create_trip(&self, principal: &Principal, command: CreateTrip) -> Result<Created, Error> {
        require(principal, SCOPE_WRITE)?;
        let _ = command;
        Err(crate::Refusal::Invalid("not built yet".to_owned()).into())
    }
}
