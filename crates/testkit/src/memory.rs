//! Memory versions of the store ports.

mod accounts;
mod confirmations;
mod documents;
mod grants;
mod jobs;
mod trips;

pub use accounts::MemoryAccounts;
pub use confirmations::MemoryConfirmations;
pub use documents::MemoryDocuments;
pub use grants::MemoryGrants;
pub use jobs::MemoryJobs;
pub use trips::MemoryTrips;
