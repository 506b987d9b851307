//! Lines as bytes: exact, and a few bytes a point for the coordinates that sources give.
//!
//! A format byte, the number of tracks, then each track: its number of points and three columns (latitude, longitude,
//! elevation). A column begins with the number of decimals that all its values have, or [`BITS`] when they have more than
//! [`MOST`]; then it holds the values as whole multiples of that decimal (or as their 64 bits), each as its difference
//! from the one before: zigzag, LEB128. Elevations are preceded by a bit set of the known ones.

use btp_domain::{Line, Point};
use tokio::task::spawn_blocking;

use crate::Error;

const FORMAT: u8 = 1;
const MOST: u8 = 9;
const BITS: u8 = 255;
/// Points, and bytes, from which on the work is worth a thread of its own.
const LONG: usize = 5_000;
const LONG_BYTES: usize = 4 * LONG;

/// The line as bytes; a long one is written where no other call waits for the thread.
pub(crate) async fn pack(line: Line) -> Result<Vec<u8>, Error> {
    if line.points() < LONG {
        return Ok(encode(&line));
    }
    spawn_blocking(move || encode(&line)).await.map_err(|_| Error::Row("tracks"))
}

/// The line of these bytes; a long one is read where no other call waits for the thread.
pub(crate) async fn unpack(bytes: Vec<u8>) -> Result<Line, Error> {
    if bytes.len() < LONG_BYTES {
        return decode(&bytes);
    }
    spawn_blocking(move || decode(&bytes)).await.map_err(|_| Error::Row("tracks"))?
}

fn encode(line: &Line) -> Vec<u8> {
    let points: usize = line.tracks.iter().map(Vec::len).sum();
    let mut out = Vec::with_capacity(16 + points * 6);
    out.push(FORMAT);
    put(&mut out, line.tracks.len() as u64);
    for track in &line.tracks {
        put(&mut out, track.len() as u64);
        column(&mut out, &track.iter().map(|point| point.lat).collect::<Vec<_>>());
        column(&mut out, &track.iter().map(|point| point.lon).collect::<Vec<_>>());
        let known =
            |octet: &[Point]| octet.iter().rev().fold(0, |bits, point| bits << 1 | u8::from(point.ele.is_some()));
        out.extend(track.chunks(8).map(known));
        column(&mut out, &track.iter().filter_map(|point| point.ele).collect::<Vec<_>>());
    }
    out
}

fn decode(bytes: &[u8]) -> Result<Line, Error> {
    let mut input = Input(bytes);
    (input.byte() == Some(FORMAT)).then(|| input.line()).flatten().ok_or(Error::Row("tracks"))
}

fn column(out: &mut Vec<u8>, values: &[f64]) {
    let decimals = (0..=MOST).find(|&decimals| {
        values.iter().all(|value| unscale(scale(*value, decimals), decimals).to_bits() == value.to_bits())
    });
    out.push(decimals.unwrap_or(BITS));
    let mut before = 0_i64;
    for value in values {
        let whole = decimals.map_or(value.to_bits().cast_signed(), |decimals| scale(*value, decimals));
        let step = whole.wrapping_sub(before);
        put(out, ((step << 1) ^ (step >> 63)).cast_unsigned());
        before = whole;
    }
}

fn scale(value: f64, decimals: u8) -> i64 {
    (value * 10_f64.powi(decimals.into())).round() as i64
}

fn unscale(whole: i64, decimals: u8) -> f64 {
    whole as f64 / 10_f64.powi(decimals.into())
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn line(&mut self) -> Option<Line> {
        let tracks = self.count()?;
        let tracks = (0..tracks).map(|_| self.track()).collect::<Option<_>>()?;
        self.0.is_empty().then_some(Line { tracks })
    }

    fn track(&mut self) -> Option<Vec<Point>> {
        let points = self.count()?;
        let (lats, lons) = (self.column(points)?, self.column(points)?);
        let (octets, rest) = self.0.split_at_checked(points.div_ceil(8))?;
        self.0 = rest;
        let known = octets.iter().map(|octet| octet.count_ones() as usize).sum();
        let mut eles = self.column(known)?.into_iter();
        let ele = |index: usize| octets[index / 8] >> (index % 8) & 1 == 1;
        let point = |(index, (lat, lon))| Point { lat, lon, ele: ele(index).then(|| eles.next()).flatten() };
        Some(lats.into_iter().zip(lons).enumerate().map(point).collect())
    }

    fn column(&mut self, values: usize) -> Option<Vec<f64>> {
        let decimals = self.byte().filter(|decimals| *decimals <= MOST || *decimals == BITS)?;
        let mut before = 0_i64;
        let value = |_| {
            let step = self.number()?;
            before = before.wrapping_add((step >> 1).cast_signed() ^ -(step & 1).cast_signed());
            Some(if decimals == BITS { f64::from_bits(before.cast_unsigned()) } else { unscale(before, decimals) })
        };
        (0..values).map(value).collect()
    }

    /// A number of things that take at least a byte each.
    fn count(&mut self) -> Option<usize> {
        self.number().and_then(|number| usize::try_from(number).ok()).filter(|number| *number <= self.0.len())
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use proptest::prelude::*;

    use super::*;

    fn bits(line: &Line) -> Vec<Vec<(u64, u64, Option<u64>)>> {
        let point = |point: &Point| (point.lat.to_bits(), point.lon.to_bits(), point.ele.map(f64::to_bits));
        line.tracks.iter().map(|track| track.iter().map(point).collect()).collect()
    }

    fn track(value: impl Strategy<Value = f64> + Clone) -> impl Strategy<Value = Vec<Point>> {
        let point = (value.clone(), value.clone(), proptest::option::of(value));
        proptest::collection::vec(point.prop_map(|(lat, lon, ele)| Point { lat, lon, ele }), 0..40)
    }

    proptest! {
        #[test]
        fn any_line_comes_back_bit_by_bit(
            wild in track(proptest::num::f64::ANY),
            tame in track((-1_800_000_000_i64..=1_800_000_000).prop_map(|whole| whole as f64 / 1e7)),
        ) {
            let line = Line { tracks: vec![wild, tame] };
            prop_assert_eq!(bits(&decode(&encode(&line)).unwrap()), bits(&line));
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
            let _ = decode(&[&[FORMAT], &bytes[..]].concat());
        }
    }

    fn road(points: u32) -> Line {
        let point = |index: u32| Point {
            lat: f64::from(471_000_000 + index * 137) / 1e7,
            lon: f64::from(95_000_000 + (index % 911).pow(2) % 911) / 1e7,
            ele: Some(f64::from(4_300 + index % 60) / 10.0),
        };
        Line { tracks: vec![(0..points).map(point).collect()] }
    }

    /// Whether a future was not ready when it was first asked, and what it gave. Nothing else runs on this thread: what
    /// is not ready at once was handed over.
    async fn handed_over<T: Send>(work: impl Future<Output = Result<T, Error>> + Send) -> (bool, T) {
        let mut work = pin!(work);
        let first = work.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        match first {
            Poll::Ready(done) => (false, done.unwrap()),
            Poll::Pending => (true, work.await.unwrap()),
        }
    }

    #[tokio::test]
    async fn long_lines_keep_no_thread_busy() {
        for (line, is_long) in [(road(100), false), (road(200_000), true)] {
            let (handed, bytes) = handed_over(pack(line.clone())).await;
            assert_eq!(handed, is_long);
            assert_eq!(handed_over(unpack(bytes)).await, (is_long, line));
        }
    }

    #[test]
    fn a_road_takes_a_few_bytes_a_point() {
        let line = road(20_000);
        let bytes = encode(&line);
        assert!(bytes.len() <= 20_000 * 6, "{} bytes", bytes.len());
        assert_eq!(decode(&bytes).unwrap(), line);
        assert!(decode(&bytes[..bytes.len() - 1]).is_err(), "a torn line is no line");
    }
}
