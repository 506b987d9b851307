//! Creates a trip from a file: its days are there when the call returns.

use btp_kernel::{Principal, entropy::digest};

use super::{SCOPE_WRITE, background, create_trip::Lookup, require};
use crate::{
    Created, Error, Planner, Refusal, Settings, SourceKind, SourceRef, UploadTrip,
    pacing::{self, Cut},
    route::FetchedRoute,
    text,
};

/// A route cut into days: all that takes computing, and nothing that takes waiting.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedRoute {
    route: FetchedRoute,
    cut: Cut,
}

impl PlannedRoute {
    /// Cuts a route that is in hand. A line of a million points takes about a second: not for a thread that others wait
    /// for.
    ///
    /// # Errors
    /// A sentence that says why the route cannot be cut.
    pub fn new(route: FetchedRoute, settings: &Settings) -> Result<Self, Refusal> {
        let route = background::tidied(route);
        let cut = pacing::cut(&route.line, settings).map_err(|err| {
            let (_, what) = background::reason(&err);
            Refusal::Invalid(format!("{what}, then upload it again."))
        })?;
        Ok(Self { route, cut })
    }

    /// The route as it is kept.
    pub fn route(&self) -> &FetchedRoute {
        &self.route
    }

    /// Its days.
    pub fn cut(&self) -> &Cut {
        &self.cut
    }
}

impl Planner {
    /// Creates a trip from the route that `plan` makes of a file; `plan` is asked only once nothing else stands against
    /// it. An identical file with identical arguments in this and the previous five minutes makes one trip.
    ///
    /// # Errors
    /// A missing scope; settings out of their ranges; an empty title; `trip_create` used up (a replay spends none); whatever `plan`
    /// refuses.
    pub async fn upload_trip(
        &self,
        principal: &Principal,
        command: UploadTrip,
        plan: impl Future<Output = Result<PlannedRoute, Error>> + Send,
    ) -> Result<Created, Error> {
        require(principal, SCOPE_WRITE)?;
        command.settings.check()?;
        let title = command.title.as_deref().map(text::title).transpose()?;
        let now = self.ports.clock.now();
        let arguments = digest(&[b"file", command.file.as_bytes(), command.arguments.as_bytes()]);
        let lookup = Lookup::new(None, &arguments, now)?;
        if let Some(replay) = self.admit(&principal.user, &lookup, &arguments, now).await? {
            return Ok(replay);
        }
        let PlannedRoute { route, cut } = plan.await?;
        let source = SourceRef { kind: SourceKind::GpxUpload, id: command.file, token: None };
        let mut trip = self.draft(principal, source, title, command.settings, now);
        self.background().give_days(&mut trip, &route, cut);
        self.add(trip, Some(route.line), Vec::new(), lookup, arguments).await
    }
}
