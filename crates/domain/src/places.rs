//! Places by name: what is asked, what is answered, and by whom.

use async_trait::async_trait;

/// Most places of an answer.
pub const MOST_PLACES: usize = 10;
/// Characters of the longest text that is looked for.
pub const LONGEST_QUERY: usize = 200;

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceQuery {
    /// A name, perhaps with what it lies in behind it.
    pub text: String,
    /// Most places to answer, 1 to [`MOST_PLACES`].
    pub limit: usize,
}

/// A place.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Latitude in degrees.
    pub lat: f64,
    /// Longitude in degrees.
    pub lon: f64,
    /// Its name with what it lies in.
    pub display_name: String,
    /// What it is, in the words of OpenStreetMap: `city`, `village`, `peak`…
    pub kind: String,
}

/// Places found, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundPlaces {
    /// Them.
    pub places: Vec<Place>,
    /// Whom to credit, to be shown with them.
    pub attribution: &'static str,
}

/// Nobody answered now; the reason is in the log of whoever was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no answer now: ask again in {retry_after} seconds")]
pub struct PlacesBusy {
    /// Whole seconds, at least 1.
    pub retry_after: u64,
}

/// Finds places by name.
#[async_trait]
pub trait Places: Send + Sync {
    /// The places of this name; none is an answer too.
    ///
    /// # Errors
    /// [`PlacesBusy`]; whoever is next may be asked then.
    async fn search(&self, query: &PlaceQuery) -> Result<FoundPlaces, PlacesBusy>;
}
