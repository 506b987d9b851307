//! A planner over memory stores, with a clock and route sources that do as told.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use btp_domain::{
    Aside, CreateTrip, EditStages, Edited, Error, Failure, FailureCode, Line, Planner, Point, Ports, Refusal, Settings,
    SourceRef, StageEdit, Trip, TripId,
    kernel::{Clock, Principal, Scopes, Windows},
    places::{FoundPlaces, PlaceQuery, Places, PlacesBusy},
    route::{FetchedRoute, RouteSources, Zones},
    store::{Job, Lease, StoreError},
};
use btp_testkit::{ManualClock, SeededEntropy, conformance::Stores};

pub(crate) struct World {
    pub(crate) stores: Stores,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) sources: Arc<Script>,
    pub(crate) atlas: Arc<Atlas>,
    /// Asked one after the other.
    pub(crate) guides: [Arc<Guide>; 2],
    pub(crate) hands: Arc<Hands>,
    pub(crate) planner: Planner,
}

/// Answers in the order they were given.
#[derive(Default)]
pub(crate) struct Script {
    answers: Mutex<VecDeque<Result<FetchedRoute, Failure>>>,
    pub(crate) calls: AtomicUsize,
    pub(crate) asked: Mutex<Vec<SourceRef>>,
}

#[async_trait]
impl RouteSources for Script {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.asked.lock().unwrap().push(source.clone());
        self.answers.lock().unwrap().pop_front().unwrap_or_else(|| Err(failure(FailureCode::NotFound)))
    }
}

/// Counts what it takes over, and drops it when it is to.
#[derive(Default)]
pub(crate) struct Hands {
    pub(crate) taken: AtomicUsize,
    pub(crate) drop: AtomicBool,
}

#[async_trait]
impl Aside for Hands {
    async fn run(&self, work: Box<dyn FnOnce() + Send>) {
        self.taken.fetch_add(1, Ordering::SeqCst);
        if !self.drop.load(Ordering::SeqCst) {
            work();
        }
    }
}

/// Knows one zone; what is to happen while it is asked happens between the reading of a trip and its writing.
#[derive(Default)]
pub(crate) struct Atlas {
    pub(crate) zone: Mutex<Option<String>>,
    pub(crate) meanwhile: Mutex<VecDeque<Box<dyn FnOnce() + Send>>>,
}

impl Zones for Atlas {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        let event = self.meanwhile.lock().unwrap().pop_front();
        if let Some(event) = event {
            event();
        }
        self.zone.lock().unwrap().clone()
    }
}

/// A source of places that answers as told.
#[derive(Default)]
pub(crate) struct Guide {
    pub(crate) answer: Mutex<Option<Result<FoundPlaces, PlacesBusy>>>,
    pub(crate) asked: Mutex<Vec<PlaceQuery>>,
}

#[async_trait]
impl Places for Guide {
    async fn search(&self, query: &PlaceQuery) -> Result<FoundPlaces, PlacesBusy> {
        self.asked.lock().unwrap().push(query.clone());
        self.answer.lock().unwrap().clone().unwrap_or(Err(PlacesBusy { retry_after: 3 }))
    }
}

fn ports(
    stores: &Stores,
    clock: &Arc<ManualClock>,
    sources: &Arc<Script>,
    atlas: &Arc<Atlas>,
    guides: &[Arc<Guide>; 2],
    hands: &Arc<Hands>,
) -> Ports {
    Ports {
        trips: stores.trips.clone(),
        confirmations: stores.confirmations.clone(),
        limiter: Arc::new(Windows::default()),
        sources: sources.clone(),
        zones: atlas.clone(),
        places: vec![guides[0].clone(), guides[1].clone()],
        aside: hands.clone(),
        clock: clock.clone(),
        entropy: Arc::new(SeededEntropy::new(1)),
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let stores = Stores::memory();
        let guides = [Arc::<Guide>::default(), Arc::<Guide>::default()];
        let (clock, sources, atlas) =
            (Arc::<ManualClock>::default(), Arc::<Script>::default(), Arc::<Atlas>::default());
        let hands = Arc::<Hands>::default();
        let planner = Planner::new(ports(&stores, &clock, &sources, &atlas, &guides, &hands));
        Self { stores, clock, sources, atlas, guides, hands, planner }
    }

    /// A planner of another process, over the same stores.
    pub(crate) fn another_node(&self) -> Planner {
        Planner::new(ports(&self.stores, &self.clock, &self.sources, &self.atlas, &self.guides, &self.hands))
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) fn will_give(&self, answer: Result<FetchedRoute, Failure>) {
        self.sources.answers.lock().unwrap().push_back(answer);
    }

    pub(crate) async fn create(&self, command: CreateTrip) -> TripId {
        self.planner.create_trip(&ann(), command).await.unwrap().trip
    }

    pub(crate) async fn trip(&self, id: &TripId) -> Trip {
        self.planner.get_trip(&ann(), id).await.unwrap()
    }

    /// Takes the next job as a worker does.
    pub(crate) async fn take(&self) -> Option<(Lease, Job)> {
        let now = self.clock.now();
        let token = format!("worker at {}", now.as_millis());
        let taken = self.stores.jobs.claim(&token, now, Duration::from_secs(60)).await.unwrap();
        taken.map(|taken| (taken.lease, taken.job))
    }

    /// Does the next job.
    pub(crate) async fn work(&self) -> Result<(), StoreError> {
        let (lease, Job::FetchRoute { owner, trip }) = self.take().await.unwrap();
        self.planner.background().fetch_route(&owner, &trip, &lease).await
    }

    /// A trip with days.
    pub(crate) async fn planned(&self, command: CreateTrip) -> TripId {
        self.planned_on(command, route(100.0)).await
    }

    /// A trip with the days of this route.
    pub(crate) async fn planned_on(&self, command: CreateTrip, route: FetchedRoute) -> TripId {
        let id = self.create(command).await;
        self.will_give(Ok(route));
        self.work().await.unwrap();
        id
    }

    /// Edits ann's trip as it is now.
    pub(crate) async fn edit(&self, id: &TripId, edit: StageEdit) -> Result<Edited, Error> {
        let version = Some(self.trip(id).await.version);
        self.planner.edit_stages(&ann(), EditStages { trip: id.clone(), version, edit }).await
    }
}

pub(crate) fn principal(user: &str, scopes: &str) -> Principal {
    Principal { user: user.into(), client: "https://agent.example.org/client".into(), scopes: Scopes::parse(scopes) }
}

pub(crate) fn ann() -> Principal {
    principal("ann", "trips:read trips:write")
}

pub(crate) fn bob() -> Principal {
    principal("bob", "trips:read trips:write")
}

/// A creation whose arguments are those of the tour's number alone.
pub(crate) fn tour(number: u32) -> CreateTrip {
    CreateTrip {
        source_url: format!("https://www.komoot.com/tour/{number}"),
        title: None,
        settings: Settings::default(),
        key: None,
        arguments: format!("{{\"sourceUrl\":{number}}}"),
    }
}

/// A flat route along the equator.
pub(crate) fn route(km: f64) -> FetchedRoute {
    route_of(km, 10)
}

/// The same in so many steps.
pub(crate) fn route_of(km: f64, steps: u32) -> FetchedRoute {
    let points = (0..=steps).map(|part| Point {
        lat: 0.0,
        lon: 1.0 + km / 111.319_490_793 / f64::from(steps) * f64::from(part),
        ele: Some(5.0),
    });
    FetchedRoute {
        title: Some("From the source".to_owned()),
        line: Line { tracks: vec![points.collect()] },
        warnings: Vec::new(),
    }
}

pub(crate) fn failure(code: FailureCode) -> Failure {
    Failure { code, message: format!("It is {}.", code.as_str()) }
}

pub(crate) fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> Refusal {
    match result {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

/// The value of a future that needs not wait.
pub(crate) fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}
