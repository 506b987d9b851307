//! Which of a track's elevations can be used.

use crate::Point;

/// Metres without elevation that are bridged by a straight line.
pub(super) const LONGEST_HOLE: f64 = 2_000.0;
/// Metres two neighbouring elevations may differ whatever their distance: the noise of bad recordings…
const NOISE: f64 = 30.0;
/// …and by how much more for each metre between them: no road is that steep.
const STEEPEST: f64 = 0.5;
/// Elevations in metres of places that can be ridden to; devices write others for "unknown" (9999, −32768, …).
const RIDEABLE: std::ops::RangeInclusive<f64> = -500.0..=9000.0;

/// A usable elevation, in metres, so many metres from the start of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) at: f64,
    pub(super) ele: f64,
    index: usize,
}

/// What is usable of one track.
pub(super) struct Usable {
    /// Stretches without a long hole, none empty.
    pub(super) runs: Vec<Vec<Sample>>,
    /// Metres of the track whose elevation was measured: holes that are bridged do not count.
    pub(super) measured: f64,
}

/// The elevation in metres, or `None` when it lies where nobody rides: a device's way to say "unknown".
pub fn known_elevation(metres: f64) -> Option<f64> {
    RIDEABLE.contains(&metres).then_some(metres)
}

pub(super) fn usable(points: &[Point], along: &[f64]) -> Usable {
    let all = points.iter().zip(along).enumerate();
    let measured = all
        .filter_map(|(index, (point, &at))| point.ele.and_then(known_elevation).map(|ele| Sample { at, ele, index }));
    let runs = without_jumps(measured);
    // Each point stands for the half of the way to either neighbour.
    let last = along.len().saturating_sub(1);
    let share = |i: usize| (along[(i + 1).min(last)] - along[i.saturating_sub(1)]) / 2.0;
    let measured = runs.iter().flatten().map(|sample| share(sample.index)).sum();
    Usable { runs: runs.into_iter().flat_map(split_at_holes).collect(), measured }
}

/// The points of a track, each with its elevation only when that can be used.
pub(crate) fn cleaned(points: &[Point], along: &[f64]) -> Vec<Point> {
    let mut cleaned: Vec<_> = points.iter().map(|point| Point { ele: None, ..*point }).collect();
    for sample in usable(points, along).runs.iter().flatten() {
        cleaned[sample.index].ele = Some(sample.ele);
    }
    cleaned
}

/// Runs of samples that a road can join. Of two that contradict each other, the one with fewer samples is an error when
/// it is short; two long ones stay apart.
fn without_jumps(known: impl Iterator<Item = Sample>) -> Vec<Vec<Sample>> {
    let mut runs: Vec<Vec<Sample>> = Vec::new();
    for sample in known {
        match runs.last_mut() {
            Some(run) if rideable(run, sample) => run.push(sample),
            _ => runs.push(vec![sample]),
        }
    }
    let mut kept: Vec<Vec<Sample>> = Vec::new();
    for run in runs {
        loop {
            match kept.last_mut() {
                Some(last) if rideable(last, run[0]) => last.extend(run),
                Some(last) if is_short(&run) && run.len() <= last.len() => {}
                Some(last) if is_short(last) && last.len() < run.len() => {
                    kept.pop();
                    continue;
                }
                _ => kept.push(run),
            }
            break;
        }
    }
    kept
}

fn rideable(run: &[Sample], next: Sample) -> bool {
    run.last().is_some_and(|last| (next.ele - last.ele).abs() <= NOISE + STEEPEST * (next.at - last.at))
}

fn is_short(run: &[Sample]) -> bool {
    run[run.len() - 1].at - run[0].at < LONGEST_HOLE
}

/// The stretches of a run; most have a single one, which is not copied.
fn split_at_holes(run: Vec<Sample>) -> Vec<Vec<Sample>> {
    // Points far apart that are neighbours in the track are no hole: the source says that it is straight in between.
    let joined = |a: &Sample, b: &Sample| b.index == a.index + 1 || b.at - a.at <= LONGEST_HOLE;
    if run.is_sorted_by(joined) {
        return vec![run];
    }
    run.chunk_by(joined).map(<[Sample]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points every `spacing` metres with these elevations.
    fn read(spacing: f64, elevations: &[Option<f64>]) -> Usable {
        let points: Vec<_> = elevations.iter().map(|&ele| Point { lat: 0.0, lon: 0.0, ele }).collect();
        let along: Vec<_> = (0..points.len()).map(|index| index as f64 * spacing).collect();
        usable(&points, &along)
    }

    fn values(usable: &Usable) -> Vec<Vec<f64>> {
        usable.runs.iter().map(|run| run.iter().map(|sample| sample.ele).collect()).collect()
    }

    #[test]
    fn sentinels_and_spikes_are_no_measurements() {
        let spiked = [100.0, 9999.0, 101.0, f64::NAN, 102.0, -32768.0, 900.0, 103.0, f64::INFINITY, 2.0, 3.0, 104.0];
        let usable = read(10.0, &spiked.map(Some));
        assert_eq!(values(&usable), [[100.0, 101.0, 102.0, 103.0, 104.0]]);
        let first = read(10.0, &[Some(700.0), Some(100.0), Some(101.0)]);
        assert_eq!(values(&first), [[100.0, 101.0]], "a spike at the start, too");
    }

    #[test]
    fn what_devices_write_for_unknown() {
        for unknown in [9999.0, -9999.0, -32768.0, 32767.0, 65535.0, -999.0, f64::NAN, f64::INFINITY] {
            assert_eq!(known_elevation(unknown), None, "{unknown}");
        }
        for known in [0.0, -430.0, 5883.0, 8848.9] {
            assert_eq!(known_elevation(known), Some(known));
        }
    }

    #[test]
    fn a_wrong_plateau_gives_way_and_two_long_levels_stay_apart() {
        let level = |count: usize, ele: f64| std::iter::repeat_n(Some(ele), count);
        let bridge: Vec<_> = level(50, 500.0).chain(level(5, 300.0)).chain(level(50, 505.0)).collect();
        assert_eq!(values(&read(20.0, &bridge)).concat().iter().filter(|&&ele| ele < 400.0).count(), 0);
        let lift: Vec<_> = level(200, 500.0).chain(level(300, 1500.0)).collect();
        assert_eq!(values(&read(20.0, &lift)).iter().map(Vec::len).collect::<Vec<_>>(), [200, 300]);
    }

    #[test]
    fn long_holes_split_and_short_ones_do_not() {
        let holed = |missing: usize| {
            let mut elevations = vec![Some(100.0); 50];
            elevations.extend(vec![None; missing]);
            elevations.extend(vec![Some(100.0); 50]);
            read(100.0, &elevations)
        };
        assert_eq!(holed(19).runs.len(), 1, "2,000 m");
        assert_eq!(holed(20).runs.len(), 2, "2,100 m");
        assert!((holed(20).measured - 10_000.0).abs() < 101.0);
        assert_eq!(read(5_000.0, &[Some(1.0); 4]).runs.len(), 1, "sparse is not unknown");
        assert!(read(10.0, &[None; 5]).runs.is_empty());
    }
}
