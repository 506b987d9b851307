//! Fetches the route of a trip and cuts it into days.

use btp_domain::{
    Background, TripId,
    store::{Lease, StoreError},
};
use btp_kernel::UserId;

pub(super) async fn attempt(
    background: &Background,
    owner: &UserId,
    trip: &TripId,
    lease: &Lease,
) -> Result<(), StoreError> {
    background.fetch_route(owner, trip, lease).await
}

pub(super) async fn give_up(
    background: &Background,
    owner: &UserId,
    trip: &TripId,
    lease: &Lease,
) -> Result<(), StoreError> {
    background.give_up_route(owner, trip, lease).await
}
