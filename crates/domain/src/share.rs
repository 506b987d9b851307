//! Public links to trips.

use btp_kernel::{Entropy, Timestamp};

use crate::{Line, Trip, kernel::secret};

/// The active public link of a trip; there is at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLink {
    /// 8 random characters of `[A-Za-z0-9_-]`; once revoked it never resolves again.
    pub code: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A trip as whoever holds its link may see it. Its owner and the token of its source are not for them.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedTrip {
    /// The trip.
    pub trip: Trip,
    /// The line its days refer to; `None` while there is none.
    pub line: Option<Line>,
}

impl ShareLink {
    /// A new link.
    pub(crate) fn new(entropy: &dyn Entropy, created_at: Timestamp) -> Self {
        Self { code: secret::short(entropy), created_at }
    }
}
