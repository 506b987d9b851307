//! Which elevations are measurements, and which only say that there was none.

/// Metres between the lowest and the highest road on Earth, with room to spare for noise.
const ON_EARTH: std::ops::RangeInclusive<f64> = -500.0..=9000.0;

/// The elevation in metres, or `None` when it is a device's way to say "unknown" (9999, −9999, −32768, 65535, NaN, …).
///
/// All of those lie where no road does, so a range tells them from measurements.
pub fn known_elevation(metres: f64) -> Option<f64> {
    ON_EARTH.contains(&metres).then_some(metres)
}

#[cfg(test)]
mod tests {
    use super::known_elevation;

    #[test]
    fn sentinels_are_unknown() {
        for unknown in [9999.0, -9999.0, -32768.0, 32767.0, 65535.0, -999.0, f64::NAN, f64::INFINITY] {
            assert_eq!(known_elevation(unknown), None, "{unknown}");
        }
        for known in [0.0, -430.0, 5883.0, 8848.9] {
            assert_eq!(known_elevation(known), Some(known));
        }
    }
}
