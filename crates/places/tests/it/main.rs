//! The index that is part of the binary: what riders look for is found, and found first.

use btp_places::Gazetteer;

fn first(index: &Gazetteer, text: &str) -> String {
    index.find(text, 5).first().map_or_else(String::new, |place| place.display_name.clone())
}

#[test]
fn towns_are_found_as_they_are_typed() {
    let index = Gazetteer::default();
    for (text, place) in [
        ("besancon", "Besançon, France"),
        ("Besançon", "Besançon, France"),
        ("besancon france", "Besançon, France"),
        ("saint brevin", "Saint-Brevin-les-Pins, France"),
        ("St-Brevin", "Saint-Brevin-les-Pins, France"),
        ("St. Brevin les Pins, France", "Saint-Brevin-les-Pins, France"),
        ("ste hermine france", "Sainte-Hermine, France"),
        ("geneve", "Geneva, Switzerland"),
        ("Genf", "Geneva, Switzerland"),
        ("Bâle", "Basel, Switzerland"),
        ("koeln", "Köln, Germany"),
        ("munchen", "Munich, Germany"),
        ("Lyon", "Lyon, France"),
        ("nantes", "Nantes, France"),
        ("orleans, france", "Orléans, France"),
        ("Springfield, Illinois", "Springfield, Illinois, United States"),
        ("Paris, Texas, US", "Paris, Texas, United States"),
        ("Москва", "Moscow, Russia"),
        ("chur", "Chur, Switzerland"),
        ("no such place anywhere", ""),
    ] {
        assert_eq!(first(&index, text), place, "{text}");
    }
    let besancon = &index.find("besancon", 1)[0];
    assert!((besancon.lat - 47.248).abs() < 0.01 && (besancon.lon - 6.018).abs() < 0.01, "{besancon:?}");
}
