//! The tools as a server publishes them, over ports that nothing asks.

use std::sync::Arc;

use async_trait::async_trait;
use btp_domain::{
    AtOnce, Planner, Ports,
    route::{Failure, FetchedRoute, RouteSources, SourceRef, Zones},
};
use btp_kernel::Windows;
use btp_mcp_kit::Catalogue;
use btp_testkit::{ManualClock, SeededEntropy, memory};

pub(crate) fn catalogue() -> Catalogue {
    let clock = Arc::new(ManualClock::default());
    let limiter = Arc::new(Windows::default());
    let planner = Planner::new(Ports {
        trips: Arc::new(memory::MemoryTrips::new(memory::MemoryJobs::default())),
        confirmations: Arc::new(memory::MemoryConfirmations::default()),
        limiter: limiter.clone(),
        sources: Arc::new(Nowhere),
        zones: Arc::new(Nowhere),
        places: Vec::new(),
        aside: Arc::new(AtOnce),
        clock: clock.clone(),
        entropy: Arc::new(SeededEntropy::new(0)),
    });
    btp_mcp_tools::catalogue(planner, "https://www.example.org", limiter, clock)
}

struct Nowhere;

#[async_trait]
impl RouteSources for Nowhere {
    async fn fetch(&self, _: &SourceRef) -> Result<FetchedRoute, Failure> {
        unreachable!("describing a tool fetches nothing")
    }
}

impl Zones for Nowhere {
    fn zone_at(&self, _: f64, _: f64) -> Option<String> {
        unreachable!("describing a tool looks nothing up")
    }
}
