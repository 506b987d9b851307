//! The index as a source of places.

use std::{
    io::Read,
    sync::{Arc, OnceLock},
};

use async_trait::async_trait;
use btp_domain::places::{FoundPlaces, Place, PlaceQuery, Places, PlacesBusy};
use flate2::read::GzDecoder;
use tokio::task::spawn_blocking;

use crate::index::Index;

/// What must be shown with the places of this index.
pub const ATTRIBUTION: &str = "Places: GeoNames (https://www.geonames.org), CC BY 4.0";

static PACK: &[u8] = include_bytes!("../data/places.gz");

/// The places of the pack. Cheap to clone; unpacked once, when it is first asked.
#[derive(Clone, Default)]
pub struct Gazetteer {
    index: Arc<OnceLock<Index>>,
}

impl Gazetteer {
    /// The best `limit` places for a text, best first. The first call unpacks the index.
    pub fn find(&self, text: &str, limit: usize) -> Vec<Place> {
        self.index().find(text, limit)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(unpacked)
    }
}

/// The index of the pack.
pub(crate) fn unpacked() -> Index {
    let mut text = String::new();
    GzDecoder::new(PACK).read_to_string(&mut text).expect("the pack is a gzip file of text");
    Index::read(&text).expect("the pack has the form that data-pack gives it")
}

#[async_trait]
impl Places for Gazetteer {
    async fn search(&self, query: &PlaceQuery) -> Result<FoundPlaces, PlacesBusy> {
        if self.index.get().is_none() {
            let unpacked = self.clone();
            let unpack = move || {
                unpacked.index();
            };
            spawn_blocking(unpack).await.map_err(|_| PlacesBusy { retry_after: 1 })?;
        }
        Ok(FoundPlaces { places: self.find(&query.text, query.limit), attribution: ATTRIBUTION })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold::fold;

    #[test]
    fn the_pack_is_folded_as_questions_are() {
        let mut text = String::new();
        GzDecoder::new(PACK).read_to_string(&mut text).unwrap();
        let count: usize = text.split(' ').nth(2).unwrap().parse().unwrap();
        let mut others = 0;
        for other in text.lines().skip(1 + count).take(count).flat_map(|line| line.split('|')) {
            assert_eq!(fold(other), other);
            others += usize::from(!other.is_empty());
        }
        assert!(count > 200_000 && others > 300_000 && PACK.len() <= 6_000_000, "{count} places, {others} other names");
    }
}
