//! Trips in memory.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use btp_domain::{
    Line, ShareLink, SharedTrip, Stage, Trip, TripId, TripSummary,
    store::{Change, Creation, CreationKey, NewTrip, StoreError, Stored, TripPage, TripQuery, TripStore},
};
use btp_kernel::{Timestamp, UserId};

use super::{MemoryConfirmations, MemoryJobs};
use crate::conformance::Stores;

/// Trips, their lines and creation records, and the queue their jobs go to.
#[derive(Default)]
pub struct MemoryTrips {
    tables: Mutex<Tables>,
    jobs: MemoryJobs,
}

#[derive(Default)]
struct Tables {
    trips: BTreeMap<TripId, Trip>,
    lines: HashMap<TripId, Line>,
    creations: HashMap<(UserId, CreationKey), Record>,
    former: HashMap<(TripId, u64), Vec<Stage>>,
    links: HashMap<TripId, ShareLink>,
}

struct Record {
    creation: Creation,
    at: Timestamp,
}

impl Stores {
    /// Empty stores in memory.
    pub fn memory() -> Self {
        let jobs = MemoryJobs::default();
        Self {
            trips: Arc::new(MemoryTrips::new(jobs.clone())),
            jobs: Arc::new(jobs),
            confirmations: Arc::new(MemoryConfirmations::default()),
        }
    }
}

impl MemoryTrips {
    /// No trips; their jobs will go to `jobs`.
    pub fn new(jobs: MemoryJobs) -> Self {
        Self { tables: Mutex::default(), jobs }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn newest_first(&self, owner: &UserId) -> Vec<&Trip> {
        let mut found: Vec<_> = self.trips.values().filter(|trip| trip.owner == *owner).collect();
        found.sort_by_key(|trip| std::cmp::Reverse((trip.created_at, &trip.id)));
        found
    }

    fn owned(&self, owner: &UserId, id: &TripId) -> Option<&Trip> {
        self.trips.get(id).filter(|trip| trip.owner == *owner)
    }
}

#[async_trait]
impl TripStore for MemoryTrips {
    async fn list(&self, owner: &UserId, query: &TripQuery) -> Result<TripPage, StoreError> {
        let tables = self.tables();
        let mut found = tables.newest_first(owner);
        found.retain(|trip| matches(trip, query));
        let skipped = (query.page as usize).saturating_sub(1).saturating_mul(query.per_page as usize);
        let page = found.iter().skip(skipped).take(query.per_page as usize);
        Ok(TripPage { total: found.len() as u64, trips: page.map(|trip| summary(trip)).collect() })
    }

    async fn find(&self, owner: &UserId, id: &TripId) -> Result<Option<Trip>, StoreError> {
        Ok(self.tables().owned(owner, id).cloned())
    }

    async fn all(&self, owner: &UserId) -> Result<Vec<Trip>, StoreError> {
        Ok(self.tables().newest_first(owner).into_iter().cloned().collect())
    }

    async fn line(&self, owner: &UserId, id: &TripId) -> Result<Option<Line>, StoreError> {
        let tables = self.tables();
        Ok(tables.owned(owner, id).and_then(|trip| tables.lines.get(&trip.id)).cloned())
    }

    async fn replay(
        &self,
        owner: &UserId,
        keys: &[CreationKey],
        not_before: Timestamp,
    ) -> Result<Option<Creation>, StoreError> {
        let tables = self.tables();
        let recorded = keys.iter().filter_map(|key| tables.creations.get(&(owner.clone(), key.clone())));
        let mut recent = recorded.filter(|record| record.at >= not_before);
        Ok(recent.next().map(|record| record.creation.clone()))
    }

    async fn create(&self, new: NewTrip) -> Result<Stored, StoreError> {
        let mut tables = self.tables();
        let key = (new.trip.owner.clone(), new.key);
        if let Some(record) = tables.creations.get(&key).filter(|record| record.at >= new.not_before) {
            return Ok(Stored::Existing(record.creation.clone()));
        }
        let creation = Creation { arguments: new.arguments, trip: new.trip.id.clone() };
        tables.creations.insert(key, Record { creation, at: new.trip.created_at });
        tables.lines.extend(new.line.map(|line| (new.trip.id.clone(), line)));
        tables.trips.insert(new.trip.id.clone(), new.trip);
        self.jobs.lock().add(new.jobs);
        Ok(Stored::New)
    }

    async fn commit(&self, change: Change) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let id = &change.trip.id;
        let current = tables.owned(&change.trip.owner, id).ok_or(StoreError::Gone)?.version;
        let mut jobs = self.jobs.lock();
        if change.finishes.as_ref().is_some_and(|lease| !jobs.holds(lease)) {
            return Err(StoreError::LeaseLost);
        }
        if current != change.read {
            return Err(StoreError::Moved(current));
        }
        if let Some(line) = change.line {
            tables.lines.insert(id.clone(), line);
        }
        if let Some(days) = change.former {
            tables.former.insert((id.clone(), change.read), days);
        }
        if let Some(lease) = &change.finishes {
            jobs.finish(lease);
        }
        jobs.add(change.jobs);
        tables.trips.insert(id.clone(), change.trip);
        Ok(())
    }

    async fn delete(&self, owner: &UserId, id: &TripId) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let existed = tables.owned(owner, id).is_some();
        if existed {
            tables.trips.remove(id);
            tables.lines.remove(id);
            tables.links.remove(id);
            tables.former.retain(|(trip, _), _| trip != id);
            tables.creations.retain(|_, record| record.creation.trip != *id);
            self.jobs.lock().forget(id);
        }
        Ok(existed)
    }

    async fn former_days(&self, owner: &UserId, id: &TripId, version: u64) -> Result<Option<Vec<Stage>>, StoreError> {
        let tables = self.tables();
        Ok(tables.owned(owner, id).and_then(|trip| tables.former.get(&(trip.id.clone(), version))).cloned())
    }

    async fn link(&self, owner: &UserId, id: &TripId) -> Result<Option<ShareLink>, StoreError> {
        let tables = self.tables();
        Ok(tables.owned(owner, id).and_then(|trip| tables.links.get(&trip.id)).cloned())
    }

    async fn share(&self, owner: &UserId, id: &TripId, link: ShareLink) -> Result<ShareLink, StoreError> {
        let mut tables = self.tables();
        tables.owned(owner, id).ok_or(StoreError::Gone)?;
        Ok(tables.links.entry(id.clone()).or_insert(link).clone())
    }

    async fn unshare(&self, owner: &UserId, id: &TripId, _: Timestamp) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        Ok(tables.owned(owner, id).is_some() && tables.links.remove(id).is_some())
    }

    async fn shared(&self, code: &str) -> Result<Option<SharedTrip>, StoreError> {
        let tables = self.tables();
        let id = tables.links.iter().find(|(_, link)| link.code == code).map(|(id, _)| id);
        let trip = id.and_then(|id| tables.trips.get(id)).cloned();
        Ok(trip.map(|trip| SharedTrip { line: tables.lines.get(&trip.id).cloned(), trip }))
    }
}

fn matches(trip: &Trip, query: &TripQuery) -> bool {
    let contains =
        |part: &String| trip.title.as_ref().is_some_and(|it| it.to_lowercase().contains(&part.to_lowercase()));
    query.title.as_ref().is_none_or(contains)
        && query.start.is_none_or(|from| trip.settings.start_date.is_some_and(|start| start >= from))
        && query.end.is_none_or(|until| trip.end_date().is_some_and(|end| end <= until))
}

fn summary(trip: &Trip) -> TripSummary {
    TripSummary {
        id: trip.id.clone(),
        title: trip.title.clone(),
        start_date: trip.settings.start_date,
        end_date: trip.end_date(),
        distance: trip.distance(),
        stage_count: trip.ridden().count(),
        created_at: trip.created_at,
        updated_at: trip.updated_at,
        status: trip.list_status(),
    }
}
