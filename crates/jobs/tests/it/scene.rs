//! A planner over memory stores, a source that does as told, and a worker.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use btp_domain::{
    AtOnce, Computation, CreateTrip, Failure, Line, Planner, Point, Ports, Settings, SourceRef, Trip, TripId,
    route::{FetchedRoute, RouteSources, Zones},
    store::{JobQueue, TripStore},
};
use btp_jobs::Worker;
use btp_kernel::{Principal, Scopes, Windows};
use btp_testkit::{ManualClock, SeededEntropy, conformance::Stores};
use tokio::{
    sync::{Notify, oneshot},
    task::JoinHandle,
};

/// What the source does with the route of this number.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Does {
    Answers,
    Panics,
    NeverAnswers,
}

/// A source that counts.
pub(crate) struct Source {
    does: Mutex<HashMap<String, Does>>,
    asked: Mutex<Vec<String>>,
    pub(crate) was_asked: Notify,
}

impl Source {
    pub(crate) fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl RouteSources for Source {
    async fn fetch(&self, source: &SourceRef) -> Result<FetchedRoute, Failure> {
        self.asked.lock().unwrap().push(source.id.clone());
        self.was_asked.notify_one();
        let does = self.does.lock().unwrap()[&source.id];
        match does {
            Does::Answers => {
                let track = (0..100).map(|n| Point { lat: 45.0 + f64::from(n) * 0.01, lon: 6.0, ele: None }).collect();
                Ok(FetchedRoute { title: None, line: Line { tracks: vec![track] }, warnings: Vec::new() })
            }
            Does::Panics => panic!("a source that panics, as the test wants it to"),
            Does::NeverAnswers => std::future::pending().await,
        }
    }
}

struct Nowhere;

impl Zones for Nowhere {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        None
    }
}

pub(crate) struct Scene {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) jobs: Arc<dyn JobQueue>,
    pub(crate) source: Arc<Source>,
    trips: Arc<dyn TripStore>,
    planner: Planner,
    ann: Principal,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let Stores { trips, jobs, confirmations } = Stores::memory();
        let clock = Arc::new(ManualClock::default());
        let source = Arc::new(Source { does: Mutex::default(), asked: Mutex::default(), was_asked: Notify::new() });
        let planner = Planner::new(Ports {
            trips: trips.clone(),
            confirmations,
            limiter: Arc::new(Windows::default()),
            sources: source.clone(),
            zones: Arc::new(Nowhere),
            places: Vec::new(),
            aside: Arc::new(AtOnce),
            clock: clock.clone(),
            entropy: Arc::new(SeededEntropy::new(1)),
        });
        let ann =
            Principal { user: "ann".into(), client: "test".into(), scopes: Scopes::parse("trips:read trips:write") };
        Self { clock, jobs, source, trips, planner, ann }
    }

    pub(crate) fn worker(&self) -> Worker {
        let entropy = Arc::new(SeededEntropy::new(2));
        Worker::new(self.jobs.clone(), self.planner.background(), self.clock.clone(), entropy)
    }

    /// A running worker, and what stops it.
    pub(crate) fn start(&self) -> (oneshot::Sender<()>, JoinHandle<()>) {
        let (stop, stopped) = oneshot::channel();
        let worker = self.worker();
        (stop, tokio::spawn(worker.run(async { drop(stopped.await) })))
    }

    /// Creates a trip whose source does this.
    pub(crate) async fn trip(&self, number: u32, does: Does) -> TripId {
        self.source.does.lock().unwrap().insert(number.to_string(), does);
        let source_url = format!("https://www.komoot.com/tour/{number}");
        let command = CreateTrip {
            arguments: source_url.clone(),
            source_url,
            title: None,
            settings: Settings::default(),
            key: None,
        };
        self.planner.create_trip(&self.ann, command).await.unwrap().trip
    }

    pub(crate) fn now_does(&self, number: u32, does: Does) {
        self.source.does.lock().unwrap().insert(number.to_string(), does);
    }

    pub(crate) async fn read(&self, id: &TripId) -> Trip {
        self.planner.get_trip(&self.ann, id).await.unwrap()
    }

    pub(crate) async fn route(&self, id: &TripId) -> Computation {
        self.read(id).await.computations.route
    }

    pub(crate) async fn delete(&self, id: &TripId) {
        assert!(self.trips.delete(&self.ann.user, id).await.unwrap());
    }

    /// Whether a job is due after `wait` more, without doing it.
    pub(crate) async fn has_job_in(&self, wait: Duration) -> bool {
        self.clock.advance(wait);
        let job = self.jobs.claim("probe", btp_kernel::Clock::now(&*self.clock), Duration::ZERO).await.unwrap();
        job.is_some()
    }

    /// Returns when the trip is settled.
    pub(crate) async fn settled(&self, id: &TripId) -> Trip {
        loop {
            let trip = self.read(id).await;
            if !trip.is_partial() {
                return trip;
            }
            tokio::task::yield_now().await;
        }
    }
}
