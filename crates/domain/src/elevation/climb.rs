//! What counts as climbing in one stretch of known elevations.

use super::{Node, samples::Sample};

/// Metres between the places that are looked at…
const STEP: f64 = 10.0;
/// …but never more of them than this.
const MOST_STEPS: f64 = 500_000.0;
/// Metres each of the three running means covers. Together they are nearly a Gaussian with σ = 75 m: a bump a kilometre
/// long keeps nine tenths of its height, the noise of a recording loses most of it.
const WINDOW: f64 = 150.0;
const SIGMA: f64 = WINDOW / 2.0;
/// Reversals smaller than this many metres never count, greater than that always do; in between the noise decides.
const REVERSAL: (f64, f64) = (3.0, 10.0);

/// Metres between two looks on a line of this length.
pub(super) fn step(length: f64) -> f64 {
    STEP.max(length / MOST_STEPS)
}

/// What is climbed from the first sample on. Up minus down is last minus first, exactly.
pub(super) fn climb(run: &[Sample], step: f64) -> Vec<Node> {
    let (first, last) = (run[0], run[run.len() - 1]);
    let count = ((last.at - first.at) / step).ceil().max(1.0) as usize;
    let half = (WINDOW / step) as usize / 2;
    let step = (last.at - first.at) / count as f64;
    let elevations = smooth(&resample(run, count, step), half);
    let mut node = Node { at: first.at, ..Node::default() };
    let mut nodes = vec![node];
    for legs in turns(&elevations, reversal(run)).windows(2) {
        let leg = &elevations[legs[0]..=legs[1]];
        let height = leg[leg.len() - 1] - leg[0];
        let (mut reached, sign, start) = (0.0_f64, height.signum(), node);
        for (offset, elevation) in leg.iter().enumerate().skip(1) {
            // Within a leg only new ground on the way to its end counts: the wiggles are noise.
            reached = reached.max(((elevation - leg[0]) * sign).min(height.abs()));
            let (up, down) = if sign > 0.0 { (reached, 0.0) } else { (0.0, reached) };
            node = Node { at: first.at + (legs[0] + offset) as f64 * step, up: start.up + up, down: start.down + down };
            nodes.push(node);
        }
    }
    nodes
}

/// Elevations at `count + 1` places, `step` apart, straight between samples.
fn resample(run: &[Sample], count: usize, step: f64) -> Vec<f64> {
    let mut next = 1;
    let at = |index: usize| run[0].at + index as f64 * step;
    let mut elevations: Vec<f64> = (0..count)
        .map(|index| {
            while next + 1 < run.len() && run[next].at <= at(index) {
                next += 1;
            }
            let [from, to] = [run[next - 1], *run.get(next).unwrap_or(&run[next - 1])];
            let part = if to.at > from.at { ((at(index) - from.at) / (to.at - from.at)).min(1.0) } else { 0.0 };
            from.ele + (to.ele - from.ele) * part
        })
        .collect();
    elevations.push(run[run.len() - 1].ele);
    elevations
}

/// Three running means over `2 × half + 1` places. Both ends keep their value: beyond them the profile goes on mirrored
/// through the end.
fn smooth(elevations: &[f64], half: usize) -> Vec<f64> {
    let (last, reach) = (elevations.len() - 1, 3 * half);
    let mirrored = |place: isize| {
        let (mut place, mut sign, mut lift) = (place, 1.0, 0.0);
        while !(0..=last as isize).contains(&place) {
            let end = if place < 0 { 0 } else { last };
            lift += sign * 2.0 * elevations[end];
            sign = -sign;
            place = 2 * end as isize - place;
        }
        lift + sign * elevations[place as usize]
    };
    let mut out: Vec<f64> = (-(reach as isize)..=(last + reach) as isize).map(mirrored).collect();
    for _ in 0..3 {
        out = running_mean(&out, 2 * half + 1);
    }
    // Rounding must not leak into "up minus down".
    out[0] = elevations[0];
    out[last] = elevations[last];
    out
}

fn running_mean(values: &[f64], width: usize) -> Vec<f64> {
    let mut sum: f64 = values[..width].iter().sum();
    let mut means = vec![sum / width as f64];
    for (gone, come) in values.iter().zip(&values[width..]) {
        sum += come - gone;
        means.push(sum / width as f64);
    }
    means
}

/// The smallest reversal that counts: six times the noise that smoothing leaves.
fn reversal(run: &[Sample]) -> f64 {
    let spacing = (run[run.len() - 1].at - run[0].at) / run.len() as f64;
    let left = (spacing / (2.0 * std::f64::consts::PI.sqrt() * SIGMA)).sqrt().min(1.0);
    (6.0 * noise(run) * left).clamp(REVERSAL.0, REVERSAL.1)
}

/// Standard deviation of the elevations' noise, from how far the typical sample lies off the line between its neighbours.
fn noise(run: &[Sample]) -> f64 {
    let mut off: Vec<f64> = run
        .windows(3)
        .filter(|three| three[2].at > three[0].at)
        .map(|three| {
            let part = (three[1].at - three[0].at) / (three[2].at - three[0].at);
            let line = three[0].ele + (three[2].ele - three[0].ele) * part;
            // The variance of the difference is that of one sample times this.
            (three[1].ele - line).abs() / (1.0 + part * part + (1.0 - part) * (1.0 - part)).sqrt()
        })
        .collect();
    if off.is_empty() {
        return 0.0;
    }
    let middle = off.len() / 2;
    let (_, median, _) = off.select_nth_unstable_by(middle, f64::total_cmp);
    // Half of a normal distribution lies within 0.6745 standard deviations.
    *median / 0.6745
}

/// Indexes of the turning points, both ends included: between two of them the profile goes one way, but for reversals
/// smaller than `least`.
fn turns(elevations: &[f64], least: f64) -> Vec<usize> {
    let last = elevations.len() - 1;
    let (mut turns, mut low, mut high) = (vec![0], 0, 0);
    let mut rising = None;
    for (index, &elevation) in elevations.iter().enumerate() {
        if elevation > elevations[high] {
            high = index;
        }
        if elevation < elevations[low] {
            low = index;
        }
        if rising != Some(true) && elevation - elevations[low] >= least {
            turns.push(low);
            (rising, high) = (Some(true), index);
        } else if rising != Some(false) && elevations[high] - elevation >= least {
            turns.push(high);
            (rising, low) = (Some(false), index);
        }
    }
    match rising {
        Some(true) => turns.push(high),
        Some(false) => turns.push(low),
        None => {}
    }
    turns.push(last);
    turns.dedup();
    turns
}
