//! The unpacked index: all names in one text, and where in it names and words begin, in alphabetical order.
//!
//! The text has a line a place, most populous first, with its names between bars: `|basel|bale|basle|`. So of several
//! beginnings that fit, the first in the text is the best.

use std::fmt::Write;

use btp_domain::places::Place;

use crate::{fold::fold, order::Order};

/// Inhabitants from which on a place is called a city, or a town.
const CITY: u32 = 100_000;
const TOWN: u32 = 10_000;

pub(crate) struct Index {
    /// Folded names, a line a place.
    names: String,
    /// Where each line starts.
    starts: Vec<u32>,
    /// Where names begin, and where the words within them do.
    begins: Order,
    words: Order,
    /// Names as they are written, one after the other, and where each ends.
    shown: String,
    ends: Vec<u32>,
    spots: Vec<Spot>,
    regions: Vec<Region>,
}

/// Ten-thousandths of a degree, the number of a region, inhabitants.
struct Spot {
    lat: i32,
    lon: i32,
    region: u16,
    population: u32,
}

/// A country, or a state of the United States.
struct Region {
    /// As it is written after the name of a place.
    name: String,
    /// What it is asked for by: code, own name, and the country's.
    folded: Vec<String>,
}

impl Index {
    /// Reads what `xtask/data_pack/places.py` wrote; `None` when it has another form.
    pub(crate) fn read(pack: &str) -> Option<Self> {
        let mut lines = pack.lines();
        let mut head = lines.next()?.strip_prefix("places 1 ")?.split(' ');
        let (count, regions): (usize, usize) = (head.next()?.parse().ok()?, head.next()?.parse().ok()?);
        let lines: Vec<_> = lines.collect();
        let column = |number: usize| lines.get(number * count..(number + 1) * count);
        let mut codes = Vec::with_capacity(regions);
        for line in lines.get(6 * count..).filter(|rest| rest.len() == regions)? {
            codes.push(line.split_once('\t')?);
        }
        let mut index = Self {
            names: String::with_capacity(pack.len() / 2),
            starts: Vec::with_capacity(count),
            begins: Order::default(),
            words: Order::default(),
            shown: String::with_capacity(count * 12),
            ends: Vec::with_capacity(count),
            spots: Vec::with_capacity(count),
            regions: codes.iter().map(|(code, name)| Region::new(code, name, &codes)).collect(),
        };
        let columns = [column(0)?, column(1)?, column(2)?, column(3)?, column(4)?, column(5)?];
        for row in 0..count {
            let [name, others, lat, lon, region, population] = columns.map(|column| column[row]);
            index.starts.push(u32::try_from(index.names.len()).ok()?);
            let bar = if others.is_empty() { "" } else { "|" };
            writeln!(index.names, "|{}|{others}{bar}", fold(name)).ok()?;
            index.shown.push_str(name);
            index.ends.push(u32::try_from(index.shown.len()).ok()?);
            let region = codes.binary_search_by_key(&region, |(code, _)| code).ok()?;
            index.spots.push(Spot {
                lat: lat.parse().ok()?,
                lon: lon.parse().ok()?,
                region: u16::try_from(region).ok()?,
                population: population.parse().ok()?,
            });
        }
        index.begins = Order::of(&index.names, b'|')?;
        index.words = Order::of(&index.names, b' ')?;
        Some(index)
    }

    pub(crate) fn find(&self, text: &str, limit: usize) -> Vec<Place> {
        let mut parts = text.split(',').map(fold).filter(|part| !part.is_empty());
        let Some(name) = parts.next() else { return Vec::new() };
        let mut inside = vec![true; self.regions.len()];
        for within in parts {
            self.narrow(&mut inside, &within);
        }
        let mut rows = self.named(&name, &inside, limit);
        let full = written_out(&name);
        if rows.is_empty() && full != name {
            rows = self.named(&full, &inside, limit);
        }
        rows.into_iter().map(|row| self.place(row)).collect()
    }

    /// Rows of the places with this name, whose last words may say where: "besancon france".
    fn named(&self, name: &str, inside: &[bool], limit: usize) -> Vec<usize> {
        let mut rows = self.rows(name, inside, limit);
        for (at, _) in name.rmatch_indices(' ') {
            let mut inside = inside.to_vec();
            if rows.is_empty() && self.narrow(&mut inside, &name[at + 1..]) {
                rows = self.rows(&name[..at], &inside, limit);
            }
        }
        rows
    }

    /// Keeps the regions of this name; all of them when there are none, since it names something that is not known here
    /// (a county, a canton).
    fn narrow(&self, inside: &mut [bool], within: &str) -> bool {
        let is_it = |region: &Region| region.folded.iter().any(|name| name == within);
        let known = self.regions.iter().any(is_it);
        if known {
            self.regions.iter().zip(inside).for_each(|(region, inside)| *inside &= is_it(region));
        }
        known
    }

    /// Rows of the places with this whole name, then of those with a name that begins so, then of those with a word that
    /// does.
    fn rows(&self, name: &str, inside: &[bool], limit: usize) -> Vec<usize> {
        let mut found = Vec::with_capacity(limit);
        for (order, whole) in [(&self.begins, true), (&self.begins, false), (&self.words, false)] {
            let is_it = |rest: &str| !whole || rest.starts_with('|');
            let fits = |at: usize| self.names[at..].strip_prefix(name).is_some_and(is_it);
            let counts = |row: usize| inside[usize::from(self.spots[row].region)] && !found.contains(&row);
            let candidates = order.candidates(&self.names, name, whole);
            let rows = self.first(candidates, limit - found.len(), fits, counts);
            found.extend(rows);
        }
        found
    }

    /// The first rows that count and have a candidate that fits, in their order.
    fn first(
        &self,
        candidates: &[u32],
        limit: usize,
        fits: impl Fn(usize) -> bool,
        counts: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        if limit == 0 {
            return Vec::new();
        }
        // Most candidates are behind the worst row by then, and not looked at.
        let (mut rows, mut bound) = (Vec::with_capacity(limit + 1), u32::MAX);
        for &at in candidates {
            if at >= bound || !fits(at as usize) {
                continue;
            }
            let row = self.starts.partition_point(|&start| start <= at) - 1;
            if let Err(place) = rows.binary_search(&row)
                && counts(row)
            {
                rows.insert(place, row);
                rows.truncate(limit);
                if rows.len() == limit {
                    bound = self.starts[rows[limit - 1]];
                }
            }
        }
        rows
    }

    fn place(&self, row: usize) -> Place {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let name = &self.shown[start..self.ends[row] as usize];
        let Spot { lat, lon, region, population } = self.spots[row];
        let kind = match population {
            CITY.. => "city",
            TOWN.. => "town",
            _ => "village",
        };
        Place {
            name: name.to_owned(),
            lat: f64::from(lat) / 10_000.0,
            lon: f64::from(lon) / 10_000.0,
            display_name: format!("{name}, {}", self.regions[usize::from(region)].name),
            kind: kind.to_owned(),
        }
    }
}

/// A folded name without the abbreviations that signs and maps have for saints: "st brevin".
fn written_out(name: &str) -> String {
    let words = name.split(' ').map(|word| match word {
        "st" => "saint",
        "ste" => "sainte",
        word => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

impl Region {
    fn new(code: &str, name: &str, all: &[(&str, &str)]) -> Self {
        let country = code.split_once('.').and_then(|(country, _)| all.iter().find(|(code, _)| *code == country));
        let (country_code, country) = country.copied().unwrap_or_default();
        let own = code.rsplit('.').next().unwrap_or(code);
        let shown = if country.is_empty() { name.to_owned() } else { format!("{name}, {country}") };
        let mut folded: Vec<_> = [own, name, country_code, country].map(fold).into();
        folded.retain(|name| !name.is_empty());
        Self { name: shown, folded }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gazetteer::unpacked;

    const PACK: &str = "places 1 3 2\nBâle\nBaleville\nPont de Bale\nbasel|basle\n\n\n475584\n1\n2\n75878\n-1\n-2\nCH\nFR\nFR\n164000\n10000\n600\nCH\tSwitzerland\nFR\tFrance\n";

    fn names(text: &str, limit: usize) -> Vec<String> {
        let index = Index::read(PACK).unwrap();
        index.find(text, limit).into_iter().map(|place| place.name).collect()
    }

    #[test]
    fn whole_names_then_beginnings_then_words() {
        assert_eq!(names("BALE", 10), ["Bâle", "Baleville", "Pont de Bale"]);
        assert_eq!(names("bale", 2), ["Bâle", "Baleville"]);
        assert_eq!(names("basle", 10), ["Bâle"]);
        assert_eq!(names("Bale, France", 10), ["Baleville", "Pont de Bale"]);
        assert_eq!(names("bale france", 10), ["Baleville", "Pont de Bale"]);
        assert_eq!(names("Bale, Canton of Somewhere", 1), ["Bâle"]);
        for nothing in ["", ",", "| ", "\n", "ale", "|basle|", "bale\nbaleville"] {
            assert!(names(nothing, 10).len() <= usize::from(nothing == "|basle|"), "{nothing:?}");
        }
        assert_eq!(names("bale", 0), [""; 0]);
    }

    /// What `rows` means, said in the plainest way.
    fn plainly(index: &Index, name: &str, inside: &[bool], limit: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for pattern in [format!("|{name}|"), format!("|{name}"), format!(" {name}")] {
            for (at, _) in index.names.match_indices(&pattern) {
                let row = index.starts.partition_point(|&start| start as usize <= at) - 1;
                if found.len() == limit {
                    return found;
                }
                if inside[usize::from(index.spots[row].region)] && !found.contains(&row) {
                    found.push(row);
                }
            }
        }
        found
    }

    #[test]
    fn the_order_finds_what_reading_every_line_finds() {
        let index = unpacked();
        let everywhere = vec![true; index.regions.len()];
        let mut in_france = everywhere.clone();
        assert!(index.narrow(&mut in_france, "france"));
        let mut asked: Vec<String> = Vec::new();
        for line in index.names.lines().step_by(40_009) {
            for name in line.split('|').filter(|name| !name.is_empty()) {
                let letters = name.chars().count();
                let part = |letters: usize| name.chars().take(letters).collect::<String>().trim_end().to_owned();
                asked.extend([name.to_owned(), part(letters.div_ceil(2)), format!("{name} x")]);
                asked.extend(name.split(' ').skip(1).map(str::to_owned));
            }
        }
        asked.extend(["a", "s", "la", "st", "san", "saint", "saint je", "bad ", "de la", "ж", "9", "é"].map(fold));
        asked.retain(|name| !name.is_empty());
        assert!(asked.len() > 50, "{}", asked.len());
        for name in &asked {
            for inside in [&everywhere, &in_france] {
                let best = plainly(&index, name, inside, 10);
                for limit in [1, 10] {
                    assert_eq!(index.rows(name, inside, limit), best[..limit.min(best.len())], "{name}");
                }
            }
        }
    }

    #[test]
    fn a_place_as_it_is_shown() {
        let place = Index::read(PACK).unwrap().find("basel", 1).remove(0);
        let expected = Place {
            name: "Bâle".to_owned(),
            lat: 47.5584,
            lon: 7.5878,
            display_name: "Bâle, Switzerland".to_owned(),
            kind: "city".to_owned(),
        };
        assert_eq!(place, expected);
    }

    #[test]
    fn another_form_is_not_read() {
        for torn in [
            "",
            "places 2 0 0\n",
            &PACK[..PACK.len() - 10],
            &PACK.replace("475584", "x"),
            &PACK.replace("\nCH\n", "\nXX\n"),
        ] {
            assert!(Index::read(torn).is_none(), "{torn}");
        }
    }
}
