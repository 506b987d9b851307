//! What every `TripStore` must do.

mod commit;
mod create;
mod keep;
mod list;
pub(super) mod sample;

use std::sync::Arc;

use btp_domain::store::{ConfirmationStore, JobQueue, TripStore};
use btp_kernel::UserId;

/// The stores of one database that nobody else uses, in which the users [`ann`] and [`bob`] exist and nothing else.
#[derive(Clone)]
pub struct Stores {
    /// Trips.
    pub trips: Arc<dyn TripStore>,
    /// The queue the trips' jobs go to.
    pub jobs: Arc<dyn JobQueue>,
    /// Confirmations.
    pub confirmations: Arc<dyn ConfirmationStore>,
}

/// A user whose id is `ann`.
pub fn ann() -> UserId {
    "ann".into()
}

/// Another, whose id is `bob`.
pub fn bob() -> UserId {
    "bob".into()
}

/// Proves the trip store; `fresh` gives new, empty stores each time it is called.
///
/// # Panics
/// When the store does not do what the port says.
pub async fn trips(fresh: impl AsyncFn() -> Stores) {
    create::a_trip_round_trips(&fresh().await).await;
    create::a_trip_may_bring_its_days(&fresh().await).await;
    create::ownership_hides(&fresh().await).await;
    create::one_key_makes_one_trip(&fresh().await).await;
    create::a_race_makes_one_trip(&fresh().await).await;
    create::records_age(&fresh().await).await;
    create::a_deleted_trip_frees_its_key(&fresh().await).await;
    commit::everything_is_kept_exactly(&fresh().await).await;
    commit::days_come_and_go(&fresh().await, false).await;
    commit::days_come_and_go(&fresh().await, true).await;
    commit::any_change_of_days_is_stored_whole(&fresh().await).await;
    commit::one_of_twenty_writers_wins(&fresh().await).await;
    commit::a_refused_change_writes_nothing(&fresh().await).await;
    commit::deleting_takes_everything_along(&fresh().await).await;
    keep::former_days_are_kept_exactly(&fresh().await).await;
    keep::a_trip_has_one_link(&fresh().await).await;
    keep::twenty_shares_make_one_link(&fresh().await).await;
    list::newest_first_by_pages(&fresh().await).await;
    list::titles_are_searched_literally(&fresh().await).await;
    list::dates_bound(&fresh().await).await;
    list::a_line_tells_the_state(&fresh().await).await;
    list::all_at_once(&fresh().await).await;
}
