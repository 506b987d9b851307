//! The settings in the fields of a form, by the names that the tools publish.

use std::str::FromStr;

use btp_domain::{AccommodationType, Settings, parse_date};
use btp_mcp_kit::quoted;

use super::UploadError;

/// Characters of the longest title.
const LONGEST_TITLE: usize = 255;

/// Title and settings; what is not said has its default. Ranges are the planner's business.
pub(super) fn settings(fields: &[(String, String)]) -> Result<(Option<String>, Settings), UploadError> {
    let (mut title, mut settings, mut beds) = (None, Settings::default(), Vec::new());
    for (name, value) in fields {
        let value = value.trim();
        let bad = |wants: &str| UploadError::BadForm(format!("\"{name}\" {wants}."));
        let date = || parse_date(value).map(Some).map_err(|err| bad(&err.to_string()));
        match name.as_str() {
            "title" if value.chars().count() > LONGEST_TITLE => {
                return Err(bad(&format!("must have at most {LONGEST_TITLE} characters")));
            }
            "title" => title = Some(value.to_owned()),
            "startDate" => settings.start_date = date()?,
            "endDate" => settings.end_date = date()?,
            "fatigueFactor" => settings.fatigue_factor = number(value).ok_or_else(|| bad("must be a number"))?,
            "elevationPenalty" => settings.elevation_penalty = number(value).ok_or_else(|| bad("must be a number"))?,
            "maxDistancePerDay" => {
                settings.max_distance_per_day = number(value).ok_or_else(|| bad("must be a number"))?;
            }
            "averageSpeed" => settings.average_speed = number(value).ok_or_else(|| bad("must be a number"))?,
            "departureHour" => {
                settings.departure_hour = number(value).ok_or_else(|| bad("must be a whole number from 0 to 23"))?;
            }
            "ebikeMode" => {
                settings.ebike_mode = match value {
                    "true" | "on" | "1" => true,
                    "false" | "off" | "0" => false,
                    _ => return Err(bad("must be true or false")),
                };
            }
            "enabledAccommodationTypes" => {
                for kind in value.split(',').map(str::trim) {
                    beds.push(AccommodationType::from_name(kind).ok_or_else(|| bad("names an unknown kind"))?);
                }
            }
            _ => return Err(UploadError::BadForm(format!("There is no field \"{}\".", quoted(name)))),
        }
    }
    if !beds.is_empty() {
        settings.accommodation_types.retain(|kind| beds.contains(kind));
    }
    Ok((title, settings))
}

/// The same text for the same fields, in whatever order they were sent.
pub(super) fn canonical(fields: &[(String, String)]) -> String {
    let mut sorted: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.trim())).collect();
    sorted.sort_unstable();
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(sorted).finish()
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn read(fields: &[(&str, &str)]) -> Result<(Option<String>, Settings), String> {
        let fields: Vec<_> = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        settings(&fields).map_err(|err| err.sentence().unwrap())
    }

    #[test]
    fn every_setting_by_its_published_name() {
        let (title, settings) = read(&[
            ("title", " Loire "),
            ("startDate", "2027-05-03"),
            ("endDate", "2027-05-09T00:00:00+02:00"),
            ("fatigueFactor", "0.8"),
            ("elevationPenalty", "40"),
            ("maxDistancePerDay", "90"),
            ("averageSpeed", "18"),
            ("departureHour", "7"),
            ("ebikeMode", "on"),
            ("enabledAccommodationTypes", "hotel"),
            ("enabledAccommodationTypes", "camp_site,hotel"),
        ])
        .unwrap();
        let expected = Settings {
            start_date: Some(date(2027, 5, 3)),
            end_date: Some(date(2027, 5, 9)),
            fatigue_factor: 0.8,
            elevation_penalty: 40.0,
            max_distance_per_day: 90.0,
            average_speed: 18.0,
            departure_hour: 7,
            ebike_mode: true,
            accommodation_types: vec![AccommodationType::CampSite, AccommodationType::Hotel],
        };
        assert_eq!((title.as_deref(), settings), (Some("Loire"), expected));
        assert_eq!(read(&[]), Ok((None, Settings::default())));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let long = "x".repeat(256);
        for (name, value, sentence) in [
            ("title", long.as_str(), "\"title\" must have at most 255 characters."),
            ("startDate", "soon", "\"startDate\" is not a date"),
            ("fatigueFactor", "much", "\"fatigueFactor\" must be a number."),
            ("departureHour", "7.5", "\"departureHour\" must be a whole number"),
            ("ebikeMode", "perhaps", "\"ebikeMode\" must be true or false."),
            ("enabledAccommodationTypes", "tent", "\"enabledAccommodationTypes\" names an unknown kind."),
            ("stages\u{1b}", "1", "There is no field \"stages\"."),
        ] {
            let found = read(&[(name, value)]).unwrap_err();
            assert!(found.starts_with(sentence), "{found}");
        }
    }

    #[test]
    fn order_does_not_matter() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let (a, b) = (pair("title", " a&b"), pair("averageSpeed", "18"));
        assert_eq!(canonical(&[a.clone(), b.clone()]), canonical(&[b, a]));
    }
}
