//! Reads one day.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{Error, Planner, Refusal, Stage, StageId, TripId};

impl Planner {
    /// The day and its number, from 1.
    ///
    /// # Errors
    /// A missing scope; an unknown trip; an unknown day of this trip.
    pub async fn get_stage(
        &self,
        principal: &Principal,
        trip: &TripId,
        stage: &StageId,
    ) -> Result<(usize, Stage), Error> {
        require(principal, SCOPE_READ)?;
        let trip = self.owned(principal, trip).await?;
        let found = trip.stages.into_iter().enumerate().find(|(_, day)| day.id == *stage);
        found.map(|(index, day)| (index + 1, day)).ok_or(Refusal::NoStage.into())
    }
}
