//! What Komoot answers, read without asking anybody: pages carry `kmtBoot.setProps("…")`, JSON in a string literal; the
//! API gives the same objects by themselves.

use btp_domain::{Line, route::FetchedRoute};
use serde::{Deserialize, de::DeserializeOwned};

use super::super::{
    Miss,
    login::is_login_page,
    points::{self, Number, point, title},
};

/// A tour.
#[derive(Deserialize)]
struct Tour {
    name: Option<String>,
    #[serde(rename = "_embedded")]
    embedded: Option<TourParts>,
}

#[derive(Deserialize)]
struct TourParts {
    coordinates: Option<Items<Coordinate>>,
}

/// A point of a tour; `alt` in metres.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Coordinate {
    lat: Number,
    lng: Number,
    alt: Number,
}

#[derive(Deserialize)]
struct HalCollection {
    name: Option<String>,
    #[serde(rename = "_embedded")]
    embedded: Option<CollectionParts>,
}

#[derive(Deserialize)]
struct CollectionParts {
    compilation: Option<Compilation>,
}

/// One page of a collection's list.
#[derive(Deserialize)]
struct Compilation {
    #[serde(rename = "_embedded")]
    embedded: Option<Items<Entry>>,
    page: Option<Paging>,
}

#[derive(Deserialize)]
struct Paging {
    #[serde(rename = "totalElements")]
    total: Option<usize>,
}

#[derive(Deserialize)]
struct Items<T> {
    items: Option<Vec<T>>,
}

#[derive(Deserialize)]
struct Entry {
    id: Id,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Text(String),
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// A collection as it was listed.
#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) name: Option<String>,
    /// Ids of its tours in order.
    pub(crate) tours: Vec<String>,
    /// How many entries are not in the list.
    pub(crate) left_out: usize,
}

/// What the pages of a list say together.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) tours: Vec<String>,
    pub(super) pages: usize,
    entries: usize,
    promised: usize,
    ended: bool,
}

impl Listing {
    /// This list with the next page behind it.
    pub(super) fn and(mut self, next: Self) -> Self {
        self.tours.extend(next.tours);
        self.pages += 1;
        self.entries += next.entries;
        self.promised = self.promised.max(next.promised);
        self.ended = next.entries == 0;
        self
    }

    /// Whether another page would add nothing.
    pub(super) fn is_whole(&self) -> bool {
        self.ended || self.pages > 0 && self.entries >= self.promised
    }

    pub(super) fn left_out(&self) -> usize {
        self.promised.saturating_sub(self.entries)
    }
}

impl Compilation {
    fn listing(self) -> Option<Listing> {
        let entries = self.embedded?.items?;
        let (count, promised) = (entries.len(), self.page.and_then(|page| page.total).unwrap_or(0));
        // A collection may list places of interest between its tours.
        let tours = entries.into_iter().filter(|entry| entry.kind.as_ref().is_none_or(|kind| kind.starts_with("tour")));
        let ids = tours.map(|tour| match tour.id {
            Id::Number(id) => id.to_string(),
            Id::Text(id) => id,
        });
        Some(Listing { tours: ids.collect(), pages: 1, entries: count, promised, ended: false })
    }
}

/// The tour of a page.
pub(crate) fn tour(html: &[u8]) -> Result<FetchedRoute, Miss> {
    #[derive(Deserialize)]
    struct Parts {
        tour: Option<Tour>,
    }
    route(embedded::<Parts>(html)?.tour.ok_or(Miss::Changed("a page without a tour"))?)
}

/// The collection of a page.
pub(crate) fn collection(html: &[u8]) -> Result<Collection, Miss> {
    #[derive(Deserialize)]
    struct Parts {
        #[serde(rename = "collectionHal")]
        collection: Option<HalCollection>,
    }
    let collection = embedded::<Parts>(html)?.collection.ok_or(Miss::Changed("a page without a collection"))?;
    let list = collection.embedded.and_then(|parts| parts.compilation?.listing());
    let list = list.ok_or(Miss::Changed("a collection without a list"))?;
    Ok(Collection { name: collection.name, left_out: list.left_out(), tours: list.tours })
}

/// A tour of the API.
pub(super) fn api_tour(json: &[u8]) -> Result<FetchedRoute, Miss> {
    route(document(json)?)
}

/// The line of a smart tour, of the API.
pub(super) fn api_coordinates(json: &[u8]) -> Result<FetchedRoute, Miss> {
    route(Tour { name: None, embedded: Some(TourParts { coordinates: Some(document(json)?) }) })
}

/// The name of whatever the API answers with.
pub(super) fn api_name(json: &[u8]) -> Result<Option<String>, Miss> {
    document::<Named>(json).map(|named| named.name)
}

/// A page of a collection's list, of the API.
pub(super) fn api_listing(json: &[u8]) -> Result<Listing, Miss> {
    document::<Compilation>(json)?.listing().ok_or(Miss::Changed("a list without entries"))
}

fn document<T: DeserializeOwned>(json: &[u8]) -> Result<T, Miss> {
    serde_json::from_slice(json).map_err(|_| Miss::Changed("the API's JSON"))
}

fn route(tour: Tour) -> Result<FetchedRoute, Miss> {
    let coordinates = tour.embedded.and_then(|parts| parts.coordinates?.items);
    let coordinates = coordinates.ok_or(Miss::Changed("a tour without coordinates"))?;
    let (track, warnings) = points::line(coordinates.iter().map(|at| point(at.lat, at.lng, at.alt)))?;
    Ok(FetchedRoute { title: title(tour.name), line: Line { tracks: vec![track] }, warnings })
}

/// The data of a page.
fn embedded<T: DeserializeOwned>(html: &[u8]) -> Result<T, Miss> {
    #[derive(Deserialize)]
    struct Props<T> {
        page: Page<T>,
    }
    #[derive(Deserialize)]
    struct Page<T> {
        #[serde(rename = "_embedded")]
        embedded: T,
    }
    let html = String::from_utf8_lossy(html);
    let json = literal(&html).and_then(|literal| serde_json::from_str::<String>(literal).ok());
    match json.and_then(|json| serde_json::from_str::<Props<T>>(&json).ok()) {
        Some(props) => Ok(props.page.embedded),
        None if is_login_page(&html) => Err(Miss::Login),
        None => Err(Miss::Changed("a page without its data")),
    }
}

/// The argument of the call as it is written, quotes included. It is megabytes long: scanned by hand, once.
fn literal(html: &str) -> Option<&str> {
    let argument = html.split_once("kmtBoot.setProps(")?.1.trim_start();
    let mut escaped = false;
    let end = argument.bytes().enumerate().skip(1).find_map(|(at, byte)| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends.then_some(at)
    })?;
    argument.starts_with('"').then(|| &argument[..=end])
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn the_literal_ends_at_its_own_quote() {
        assert_eq!(literal(r#"x kmtBoot.setProps( "a\"b\\" ); "c""#), Some(r#""a\"b\\""#));
        assert_eq!(literal(r#"kmtBoot.setProps("")"#), Some(r#""""#));
        for broken in ["", "kmtBoot.setProps(", r#"kmtBoot.setProps("a\""#, "kmtBoot.setProps({a: \"b\"})"] {
            assert_eq!(literal(broken), None, "{broken}");
        }
    }
}
