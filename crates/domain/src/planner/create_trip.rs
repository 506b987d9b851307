//! Creates a trip and starts the fetching of its route.

use std::time::Duration;

use btp_kernel::{LimitError, Principal, Timestamp, UserId, entropy::digest, limit::TRIP_CREATE, new_id};

use super::{SCOPE_WRITE, require};
use crate::{
    Computation, Computations, CreateTrip, Created, Error, Line, Planner, Readiness, Refusal, Settings, SourceRef,
    Trip, TripId,
    store::{CREATION_LIFE, Creation, CreationKey, Job, JobId, NewJob, NewTrip, Stored},
    text,
};

/// Without a key, identical creations in one window of this length, or in the one before, are one.
const WINDOW: Duration = Duration::from_secs(5 * 60);

/// Under which records the creation is looked up, and from when on they count. The first one is its own.
pub(super) struct Lookup {
    keys: Vec<CreationKey>,
    not_before: Timestamp,
}

impl Planner {
    /// Creates a trip, once per key or, without one, once per identical arguments in this and the previous five minutes.
    ///
    /// # Errors
    /// A missing scope; an unsupported address; impossible dates; an empty title; a key used for something else; `trip_create` used up
    /// (a replay spends none).
    pub async fn create_trip(&self, principal: &Principal, command: CreateTrip) -> Result<Created, Error> {
        require(principal, SCOPE_WRITE)?;
        let source = SourceRef::parse(&command.source_url)?;
        command.settings.check()?;
        let title = command.title.as_deref().map(text::title).transpose()?;
        let now = self.ports.clock.now();
        let arguments = digest(&[command.arguments.as_bytes()]);
        let lookup = Lookup::new(command.key.as_deref(), &arguments, now)?;

        if let Some(replay) = self.admit(&principal.user, &lookup, &arguments, now).await? {
            return Ok(replay);
        }
        let trip = self.draft(principal, source, title, command.settings, now);
        let (id, owner) = (trip.id.clone(), trip.owner.clone());
        let job = NewJob { id: JobId(self.new_id(now)), job: Job::FetchRoute { owner, trip: id }, due: now };
        self.add(trip, None, vec![job], lookup, arguments).await
    }

    /// The trip that an earlier identical call made; `None` when a new one may be made, which is counted then.
    pub(super) async fn admit(
        &self,
        user: &UserId,
        lookup: &Lookup,
        arguments: &str,
        now: Timestamp,
    ) -> Result<Option<Created>, Error> {
        if let Some(replay) = self.replay(user, lookup, arguments).await? {
            return Ok(Some(replay));
        }
        match self.ports.limiter.take(&[(&TRIP_CREATE, user.as_str())], now).await {
            Ok(()) => Ok(None),
            Err(LimitError::Exceeded(exceeded)) => {
                // The limit may have been spent by the very creation that this one repeats.
                let replay = self.replay(user, lookup, arguments).await?;
                replay.map(Some).ok_or(Refusal::RateLimited(exceeded.retry_after).into())
            }
            Err(failed) => Err(Error::Failed(Box::new(failed))),
        }
    }

    pub(super) async fn add(
        &self,
        trip: Trip,
        line: Option<Line>,
        jobs: Vec<NewJob>,
        lookup: Lookup,
        arguments: String,
    ) -> Result<Created, Error> {
        let (id, Lookup { mut keys, not_before }) = (trip.id.clone(), lookup);
        let new = NewTrip { trip, line, key: keys.swap_remove(0), arguments: arguments.clone(), not_before, jobs };
        match self.ports.trips.create(new).await? {
            Stored::New => Ok(Created { trip: id, replayed: false }),
            Stored::Existing(creation) => replay_of(creation, &arguments),
        }
    }

    async fn replay(&self, owner: &UserId, lookup: &Lookup, arguments: &str) -> Result<Option<Created>, Error> {
        let found = self.ports.trips.replay(owner, &lookup.keys, lookup.not_before).await?;
        found.map(|creation| replay_of(creation, arguments)).transpose()
    }

    pub(super) fn draft(
        &self,
        principal: &Principal,
        source: SourceRef,
        title: Option<String>,
        settings: Settings,
        now: Timestamp,
    ) -> Trip {
        Trip {
            id: TripId(self.new_id(now)),
            owner: principal.user.clone(),
            title,
            source,
            settings,
            readiness: Readiness::Draft,
            version: 1,
            zone: None,
            out_of_zone: false,
            computations: Computations { route: Computation::Running },
            failure: None,
            warnings: Vec::new(),
            stages: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }

    fn new_id(&self, now: Timestamp) -> String {
        new_id(now, self.ports.entropy.as_ref())
    }
}

impl Lookup {
    pub(super) fn new(key: Option<&str>, arguments: &str, now: Timestamp) -> Result<Self, Refusal> {
        let Some(key) = key else {
            let window = now.as_millis().div_euclid(WINDOW.as_millis() as i64);
            let derived = |window: i64| CreationKey(format!("window {window} {arguments}"));
            return Ok(Self { keys: vec![derived(window), derived(window - 1)], not_before: now.minus(2 * WINDOW) });
        };
        let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        if !(16..=255).contains(&key.len()) || !key.bytes().all(is_legal) {
            let sentence = "\"idempotencyKey\" must have 16 to 255 characters from A-Z, a-z, 0-9, _ and -.";
            return Err(Refusal::Invalid(sentence.to_owned()));
        }
        Ok(Self { keys: vec![CreationKey(format!("key {key}"))], not_before: now.minus(CREATION_LIFE) })
    }
}

fn replay_of(creation: Creation, arguments: &str) -> Result<Created, Error> {
    if creation.arguments == arguments {
        Ok(Created { trip: creation.trip, replayed: true })
    } else {
        Err(Refusal::KeyReused.into())
    }
}
