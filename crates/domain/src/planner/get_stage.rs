//! Reads one day.

use btp_kernel::Principal;

use super::{SCOPE_READ, require};
use crate::{Alert, Error, Planner, Stage, StageId, TripId};

/// One day as it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct DayView {
    /// Its number, from 1.
    pub number: usize,
    /// The day.
    pub stage: Stage,
    /// What a rider should know about it, most severe first.
    pub alerts: Vec<Alert>,
}

impl Planner {
    /// The day, its number and its alerts.
    ///
    /// # Errors
    /// A missing scope; an unknown trip; an unknown day of this trip.
    pub async fn get_stage(&self, principal: &Principal, trip: &TripId, stage: &StageId) -> Result<DayView, Error> {
        require(principal, SCOPE_READ)?;
        let mut trip = self.owned(principal, trip).await?;
        let index = trip.day(stage)?;
        let alerts = trip.alerts(&trip.stages[index]);
        Ok(DayView { number: index + 1, stage: trip.stages.swap_remove(index), alerts })
    }
}
