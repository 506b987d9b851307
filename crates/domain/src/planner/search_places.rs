//! Finds a place by name.

use btp_kernel::{LimitError, Principal, limit::GEOCODE};

use super::{SCOPE_READ, require};
use crate::{
    Error, Planner, Point, Refusal,
    places::{FoundPlaces, LONGEST_QUERY, MOST_PLACES, Place, PlaceQuery},
    text,
};

impl Planner {
    /// Asks the sources of places in their order; one that does not answer now gives way to the next. Nothing found is an
    /// answer, unless one that may know more did not answer.
    ///
    /// # Errors
    /// A missing scope; an empty or endless text; `geocode` used up; [`Refusal::PlacesBusy`].
    pub async fn search_places(&self, principal: &Principal, query: &PlaceQuery) -> Result<FoundPlaces, Error> {
        require(principal, SCOPE_READ)?;
        let text = text::name(&query.text).filter(|text| text.chars().count() <= LONGEST_QUERY).ok_or_else(|| {
            Refusal::Invalid(format!("\"q\" must say what to look for, in at most {LONGEST_QUERY} characters."))
        })?;
        let query = PlaceQuery { text, limit: query.limit.clamp(1, MOST_PLACES) };
        match self.ports.limiter.take(&[(&GEOCODE, principal.user.as_str())], self.ports.clock.now()).await {
            Ok(()) => {}
            Err(LimitError::Exceeded(exceeded)) => return Err(Refusal::RateLimited(exceeded.retry_after).into()),
            Err(failed) => return Err(Error::Failed(Box::new(failed))),
        }
        let mut busy = None;
        for places in &self.ports.places {
            match places.search(&query).await {
                Ok(found) if busy.is_none() || !found.places.is_empty() => return Ok(tidied(found)),
                Ok(_) => {}
                Err(reason) => busy = busy.or(Some(reason)),
            }
        }
        match busy {
            Some(reason) => Err(Refusal::PlacesBusy(reason.retry_after).into()),
            None => Ok(FoundPlaces { places: Vec::new(), attribution: "" }),
        }
    }
}

/// Names of strangers as labels; what is left without one, or is not on Earth, is no place.
fn tidied(found: FoundPlaces) -> FoundPlaces {
    let tidy = |place: Place| {
        let on_earth = Point { lat: place.lat, lon: place.lon, ele: None }.is_on_earth();
        let name = text::label(&place.name).filter(|_| on_earth)?;
        let display_name = text::label(&place.display_name).unwrap_or_else(|| name.clone());
        Some(Place { name, display_name, ..place })
    };
    FoundPlaces { places: found.places.into_iter().filter_map(tidy).collect(), ..found }
}
