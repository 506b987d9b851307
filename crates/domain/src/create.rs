//! Creating a trip.

use crate::{Settings, TripId};

/// What to create.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTrip {
    /// Address of the route, as the caller wrote it.
    pub source_url: String,
    /// Name; the source's when absent.
    pub title: Option<String>,
    /// How to plan it.
    pub settings: Settings,
    /// Makes two identical creations distinct; 16 to 255 of `[A-Za-z0-9_-]`.
    pub key: Option<String>,
    /// Canonical text of the arguments as sent, control arguments left out: what "identical" means.
    pub arguments: String,
}

/// What to create from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct UploadTrip {
    /// Digest of the file: what its trip has instead of an address.
    pub file: String,
    /// Name; the file's when absent.
    pub title: Option<String>,
    /// How to plan it.
    pub settings: Settings,
    /// Canonical text of the arguments as sent, the file aside.
    pub arguments: String,
}

/// A created trip, or the one an identical call created before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The trip.
    pub trip: TripId,
    /// Whether an earlier identical call made it.
    pub replayed: bool,
}
