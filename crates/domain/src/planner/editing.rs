//! The one path of every change: guards in their order, a pure edit, and a write that counts only at the version read.

use btp_kernel::Principal;

use super::{SCOPE_WRITE, confirmation::Call, require};
use crate::{
    AddWaypoint, ChooseAccommodation, Computation, Confirmable, EditStages, Edited, Error, Line, Planner, Refusal,
    StageId, Trip, TripId, UpdateSettings,
    edit::{self, Effect, Ground, Replanned},
    store::{Change, StoreError},
};

/// What to know before the first day is moved to today or to the past: there is no way back.
const LOCKS: &str =
    " The trip then starts today or in the past: it is locked, and nothing of it can be changed any more.";

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
        let before = self.editable(principal, &command.trip, Some(command.version)).await?;
        let mut planned = edit::replan(&before, &command.changes)?;
        if planned.effect == Effect::Recut {
            planned = self.recut(planned, &before).await?;
        }
        let call = Call::about(&before, "update_trip_settings").with(command.changes.canonical());
        let Some(token) = command.token.as_deref().filter(|token| !token.is_empty()) else {
            let lock = if self.is_locked(&planned.trip) { LOCKS } else { "" };
            return self.ask(principal, &call, &before, planned.action() + lock).await;
        };
        self.confirm(principal, &call, token).await?;
        let result = planned.result();
        let next =
            (planned.effect == Effect::Recut).then(|| "Call \"get_trip\": the days have new identifiers.".to_owned());
        let version = match planned.effect {
            Effect::Nothing => before.version,
            _ => self.store(before, planned.trip).await?,
        };
        Ok(Confirmable::Done(Edited { version, result, next }))
    }

    /// Changes the days.
    ///
    /// # Errors
    /// The guards of an edit; an unknown day; what the edit's rule refuses.
    pub async fn edit_stages(&self, principal: &Principal, command: EditStages) -> Result<Edited, Error> {
        let before = self.editable(principal, &command.trip, Some(command.version)).await?;
        let line = match &command.edit {
            edit if edit.is_of_lines() => Some(self.line_of(&before).await?),
            _ => None,
        };
        let (mut after, fresh) = (before.clone(), self.ports.new_stage_id());
        let edited = self.ports.aside.with(line.as_ref().map_or(0, Line::points), move || {
            let ground = line.as_ref().map(Ground::of).transpose().map_err(|err| Error::Failed(Box::new(err)))?;
            let result = edit::apply(&mut after.stages, &command.edit, ground.as_ref(), fresh)?;
            Ok::<_, Error>((after, result))
        });
        let (after, result) = edited.await.map_err(Error::Failed)??;
        if after.stages == before.stages {
            let result = "Nothing changed: the day is like that already.".to_owned();
            return Ok(Edited { version: before.version, result, next: None });
        }
        let version = self.store(before, after).await?;
        Ok(Edited { version, result, next: None })
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

impl Planner {
    /// Cuts the trip again, whose days are still those of before.
    async fn recut(&self, mut planned: Replanned, before: &Trip) -> Result<Replanned, Error> {
        let (line, settings, ports) = (self.line_of(before).await?, before.settings.clone(), self.ports.clone());
        let recut = self.ports.aside.with(line.points(), move || {
            planned.recut(&settings, &line, || ports.new_stage_id())?;
            Ok::<_, Refusal>(planned)
        });
        Ok(recut.await.map_err(Error::Failed)??)
    }

    /// The line that the trip's days refer to.
    async fn line_of(&self, trip: &Trip) -> Result<Line, Error> {
        self.ports.trips.line(&trip.owner, &trip.id).await?.ok_or(Refusal::Computing.into())
    }

    /// Stores the changed trip as the version after the one it was read at, which is answered.
    async fn store(&self, before: Trip, after: Trip) -> Result<u64, Error> {
        let read = before.version;
        let trip = Trip { version: read + 1, updated_at: self.ports.clock.now(), ..after };
        let former = (trip.stages != before.stages).then_some(before.stages);
        let change = Change { trip, read, line: None, former, jobs: Vec::new(), finishes: None };
        match self.ports.trips.commit(change).await {
            Ok(()) => Ok(read + 1),
            Err(StoreError::Moved(current)) => Err(Refusal::Moved { trip: before.id, edited: read, current }.into()),
            Err(err) => Err(err.into()),
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
