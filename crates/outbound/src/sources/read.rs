//! What services answer, read without asking anybody: pure functions over what strangers send.

use btp_domain::{FailureCode, route::FetchedRoute};

use super::{Miss, komoot::page, ridewithgps};

/// The tour of a Komoot page.
///
/// # Errors
/// The code that a trip would fail with.
pub fn komoot_tour_page(html: &[u8]) -> Result<FetchedRoute, FailureCode> {
    page::tour(html).map_err(|miss: Miss| miss.code())
}

/// Ids of the tours of a Komoot collection's page, and how many entries it leaves out.
///
/// # Errors
/// As [`komoot_tour_page`].
pub fn komoot_collection_page(html: &[u8]) -> Result<(Vec<String>, usize), FailureCode> {
    page::collection(html).map(|collection| (collection.tours, collection.left_out)).map_err(|miss| miss.code())
}

/// The route of a RideWithGPS document.
///
/// # Errors
/// As [`komoot_tour_page`].
pub fn ridewithgps_route(json: &[u8]) -> Result<FetchedRoute, FailureCode> {
    ridewithgps::parse(json).map_err(|miss| miss.code())
}
