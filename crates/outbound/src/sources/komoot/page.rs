//! What a Komoot page carries: `kmtBoot.setProps("…")`, JSON in a string literal.

use serde::Deserialize;

use super::super::points::Number;

/// The part of a page that matters.
#[derive(Deserialize)]
pub(super) struct Embedded {
    pub(super) tour: Option<Tour>,
    #[serde(rename = "collectionHal")]
    pub(super) collection: Option<Collection>,
}

/// A tour, of a page or of the API.
#[derive(Deserialize)]
pub(super) struct Tour {
    pub(super) name: Option<String>,
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
pub(super) struct Coordinate {
    pub(super) lat: Number,
    pub(super) lng: Number,
    pub(super) alt: Number,
}

/// A collection.
#[derive(Deserialize)]
pub(super) struct Collection {
    pub(super) name: Option<String>,
    #[serde(rename = "_embedded")]
    embedded: Option<CollectionParts>,
}

#[derive(Deserialize)]
struct CollectionParts {
    compilation: Option<Compilation>,
}

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

impl Tour {
    /// Its points, when it says which.
    pub(super) fn take_items(&mut self) -> Option<Vec<Coordinate>> {
        self.embedded.take()?.coordinates?.items
    }
}

impl Collection {
    /// Ids of its tours in order, and how many entries the page leaves out.
    pub(super) fn tours(self) -> Option<(Vec<String>, usize)> {
        let compilation = self.embedded?.compilation?;
        let entries = compilation.embedded?.items?;
        let total = compilation.page.and_then(|page| page.total).unwrap_or(0);
        let left_out = total.saturating_sub(entries.len());
        // A collection may list places of interest between its tours.
        let tours = entries.into_iter().filter(|entry| entry.kind.as_ref().is_none_or(|kind| kind.starts_with("tour")));
        let ids = tours.map(|tour| match tour.id {
            Id::Number(id) => id.to_string(),
            Id::Text(id) => id,
        });
        Some((ids.collect(), left_out))
    }
}

/// The data of a page, when it is there in the known shape.
pub(super) fn embedded(html: &str) -> Option<Embedded> {
    #[derive(Deserialize)]
    struct Props {
        page: Page,
    }
    #[derive(Deserialize)]
    struct Page {
        #[serde(rename = "_embedded")]
        embedded: Embedded,
    }
    let json: String = serde_json::from_str(literal(html)?).ok()?;
    serde_json::from_str::<Props>(&json).ok().map(|props| props.page.embedded)
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
