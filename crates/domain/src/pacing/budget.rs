//! How much effort each day gets.

use super::LEAST_EFFORT as LEAST;

/// Rounding that must not decide.
const SLACK: f64 = 1e-12;

/// Efforts in km of `days` days that add up to `total`, never rising.
///
/// Equal days when there is too much or too little for anything else. Otherwise each day gets `f` times the one before,
/// but no day more than `cap` or less than [`LEAST`]: the first `k` days get the cap, the last `m` the least, those
/// between them a geometric row.
pub(super) fn budgets(total: f64, days: usize, cap: f64, fatigue: f64) -> Vec<f64> {
    let count = days as f64;
    if total >= count * cap || total <= LEAST * count {
        return vec![total / count; days];
    }
    let f = |exponent: usize| fatigue.powi(i32::try_from(exponent).unwrap_or(i32::MAX));
    let row = |length: usize| (0..length).map(f).sum::<f64>();
    let slack = total * SLACK;

    // The fewest days at the cap: with one less, even the greatest row behind them would leave something over.
    let room = |k: usize| k as f64 * cap + (0..days - k).map(|i| (cap * f(i)).max(LEAST)).sum::<f64>();
    let k = (0..days).find(|&k| room(k) >= total - slack).unwrap_or(days - 1);
    // The fewest days at the least: with one less, the row would end below it.
    let left = |m: usize| total - k as f64 * cap - m as f64 * LEAST;
    let ends_high = |m: usize| {
        let length = days - k - m;
        left(m) * f(length - 1) >= LEAST * row(length) - slack
    };
    let m = (0..days - k).find(|&m| ends_high(m)).unwrap_or(days - k - 1);

    let length = days - k - m;
    let first = left(m) / row(length);
    let middle = (0..length).map(|i| first * f(i));
    std::iter::repeat_n(cap, k).chain(middle).chain(std::iter::repeat_n(LEAST, m)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_published_examples() {
        for (total, days, cap, fatigue, expected) in [
            (300.0, 4, 80.0, 0.9, &[80.0, 80.0, 73.684, 66.316][..]),
            (321.0, 5, 80.0, 0.5, &[80.0, 80.0, 80.0, 51.0, 30.0]),
            (100.0, 10, 80.0, 0.9, &[10.0; 10]),
            (1000.0, 5, 80.0, 0.9, &[200.0; 5]),
            (400.0, 5, 80.0, 1.0, &[80.0; 5]),
            (300.0, 3, 300.0, 0.9, &[110.701, 99.631, 89.668]),
            (50.0, 1, 80.0, 0.5, &[50.0]),
        ] {
            let found = budgets(total, days, cap, fatigue);
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.001), "{total} km: {found:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn budgets_add_up_within_their_bounds(
            total in 0.1..60_000.0_f64, days in prop_oneof![9 => 1..=30_usize, 1 => 1..=366_usize], cap in 30.0..=300.0_f64, fatigue in 0.5..=1.0_f64,
        ) {
            let found = budgets(total, days, cap, fatigue);
            let slack = 1e-9 * total;
            prop_assert_eq!(found.len(), days);
            prop_assert!((found.iter().sum::<f64>() - total).abs() < 1e-6);
            prop_assert!(found.windows(2).all(|pair| pair[1] <= pair[0] + slack), "{:?}", found);
            if total > LEAST * days as f64 && total < cap * days as f64 {
                prop_assert!(found.iter().all(|&day| day <= cap + slack && day >= LEAST - slack), "{:?}", found);
                // Between the bounds the row is geometric.
                for pair in found.windows(2).filter(|pair| pair[0] < cap - 1e-6 && pair[1] > LEAST + 1e-6) {
                    prop_assert!((pair[1] / pair[0] - fatigue).abs() < 1e-6, "{:?}", found);
                }
            }
        }
    }
}
