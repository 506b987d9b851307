//! The demo's route: the Loire by bike from the ocean up to Orléans, drawn through real towns and made finer by
//! arithmetic, so that it needs no network and no file.

/// Towns on the way: name, latitude, longitude, metres above sea level.
const TOWNS: [(&str, f64, f64, f64); 12] = [
    ("Saint-Brevin-les-Pins", 47.2466, -2.1665, 6.0),
    ("Paimboeuf", 47.2883, -2.0303, 5.0),
    ("Le Pellerin", 47.2008, -1.7556, 8.0),
    ("Nantes", 47.2124, -1.5544, 9.0),
    ("Ancenis", 47.3661, -1.1764, 17.0),
    ("Montjean-sur-Loire", 47.3922, -0.8586, 22.0),
    ("Les Ponts-de-Cé", 47.4238, -0.5240, 24.0),
    ("Saumur", 47.2600, -0.0769, 32.0),
    ("Langeais", 47.3247, 0.4061, 42.0),
    ("Tours", 47.3966, 0.6849, 51.0),
    ("Blois", 47.5866, 1.3317, 73.0),
    ("Orléans", 47.8974, 1.9040, 100.0),
];

/// Points between two towns.
const STEPS: usize = 480;

/// Title of the demo's tour.
pub(super) const TITLE: &str = "The Loire by bike, from the ocean to Orléans";

/// The line as `(latitude, longitude, metres)`: the river's bends as a sum of two waves across each leg, its banks as a
/// few gentle rises.
pub(super) fn points() -> Vec<(f64, f64, f64)> {
    let mut out = Vec::with_capacity((TOWNS.len() - 1) * STEPS + 1);
    for pair in TOWNS.windows(2) {
        let ((_, lat0, lon0, ele0), (_, lat1, lon1, ele1)) = (pair[0], pair[1]);
        let (dlat, dlon) = (lat1 - lat0, lon1 - lon0);
        for step in 0..STEPS {
            let t = step as f64 / STEPS as f64;
            let turn = t * std::f64::consts::TAU;
            // Both waves vanish at the towns, so the line passes through them.
            let bend = 0.035 * turn.sin() + 0.012 * (5.0 * turn).sin();
            let rise = 14.0 * (2.0 * turn).sin().powi(2) + 4.0 * (7.0 * turn).sin().powi(2);
            out.push((lat0 + dlat * t - dlon * bend, lon0 + dlon * t + dlat * bend, ele0 + (ele1 - ele0) * t + rise));
        }
    }
    let (_, lat, lon, ele) = TOWNS[TOWNS.len() - 1];
    out.push((lat, lon, ele));
    out
}
