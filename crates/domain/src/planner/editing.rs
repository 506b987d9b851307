//! The one path of every change: guards in their order, a pure edit, and a write that counts only at the version read.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, require};
use crate::{
    AddWaypoint, ChooseAccommodation, Computation, Confirmable, EditStages, Edited, Error, Planner, Refusal, StageId,
    Trip, TripId, UpdateSettings,
};

impl Planner {
    /// Changes the settings, and cuts the trip into days again when they ask for other days. Without a token nothing
    /// happens and one is answered.
    ///
    /// # Errors
    /// The guards of an edit (scope, unknown trip, lock, days not there, version); settings that make no sense together;
    /// a token that is not for this call.
    pub async fn update_settings(
        &self,
        principal: &Principal,
        command: UpdateSettings,
    ) -> Result<Confirmable<Edited>, Error> {
        let _trip = self.editable(principal, &command.trip, Some(command.version)).await?;
        Err(Refusal::Invalid("Settings cannot be changed yet.".to_owned()).into())
    }

    /// Changes the days.
    ///
    /// # Errors
    /// The guards of an edit; an unknown day; what the edit's rule refuses.
    pub async fn edit_stages(&self, principal: &Principal, command: EditStages) -> Result<Edited, Error> {
        let _trip = self.editable(principal, &command.trip, Some(command.version)).await?;
        Err(Refusal::Invalid("Days cannot be changed yet.".to_owned()).into())
    }

    /// Chooses where to sleep at the end of a day, or clears the choice.
    ///
    /// # Errors
    /// The guards of an edit; an unknown day; one coordinate alone; a place that is not among the day's accommodations.
    pub async fn choose_accommodation(
        &self,
        principal: &Principal,
        command: ChooseAccommodation,
    ) -> Result<Edited, Error> {
        let trip = self.editable(principal, &command.trip, Some(command.version)).await?;
        trip.day(&command.stage)?;
        match (command.lat, command.lon) {
            (None, None) => Ok(Edited {
                version: trip.version,
                result: "No accommodation was chosen for this day: nothing changed.".to_owned(),
                next: None,
            }),
            (Some(_), Some(_)) => refuse(
                "No accommodation is listed for this day: this server has no map data of the region yet. Choose one of the \"accommodations\" of \"get_stage\" once there are some.",
            ),
            _ => refuse(
                "Send both \"selectedAccommodationLat\" and \"selectedAccommodationLon\", or neither to clear the choice.",
            ),
        }
    }

    /// Leads a day through a place, in the background; the version stays.
    ///
    /// # Errors
    /// The guards of an edit but for the version; an unknown day; a rest day; a trip that leaves the region; no router.
    pub async fn add_waypoint(&self, principal: &Principal, command: AddWaypoint) -> Result<(), Error> {
        let trip = self.editable(principal, &command.trip, None).await?;
        let day = trip.day(&command.stage)?;
        if !command.place.is_on_earth() {
            return refuse("\"waypointLat\" must be between -90 and 90, \"waypointLon\" between -180 and 180.");
        }
        if trip.stages[day].is_rest_day {
            return refuse("This day is a rest day: there is nothing to reroute.");
        }
        if trip.out_of_zone {
            return refuse("The route leaves the region this server has map data of: it cannot be rerouted.");
        }
        refuse("This server has no router and no map data of the region yet: the day cannot be rerouted.")
    }

    /// Computes all that is known about the days anew, in the background; the version stays.
    ///
    /// # Errors
    /// The guards of an edit but for the version; no map data.
    pub async fn analyze_trip(&self, principal: &Principal, id: &TripId) -> Result<(), Error> {
        self.editable(principal, id, None).await?;
        refuse("This server has no map data of the region yet: there is nothing to analyze beyond the days themselves.")
    }

    /// The trip when it may be changed: the guards before the look-up of a day, in their order. `version` is absent for
    /// what needs none.
    pub(super) async fn editable(
        &self,
        principal: &Principal,
        id: &TripId,
        version: Option<Option<u64>>,
    ) -> Result<Trip, Error> {
        require(principal, SCOPE_WRITE)?;
        let trip = self.owned(principal, id).await?;
        if self.is_locked(&trip) {
            return Err(Refusal::Locked.into());
        }
        if let Some(failure) = trip.failure.as_ref().filter(|_| trip.stages.is_empty()) {
            return Err(Refusal::NoDays(failure.message.clone()).into());
        }
        if trip.stages.is_empty() || trip.computations.route == Computation::Running {
            return Err(Refusal::Computing.into());
        }
        match version {
            Some(None) => Err(Refusal::NoVersion.into()),
            Some(Some(edited)) if edited != trip.version => {
                Err(Refusal::Moved { trip: trip.id, edited, current: trip.version }.into())
            }
            _ => Ok(trip),
        }
    }
}

impl Trip {
    /// Index of one of its days.
    pub(crate) fn day(&self, id: &StageId) -> Result<usize, Refusal> {
        self.stages.iter().position(|day| day.id == *id).ok_or(Refusal::NoStage)
    }
}

fn refuse<T>(sentence: &str) -> Result<T, Error> {
    Err(Refusal::Invalid(sentence.to_owned()).into())
}
