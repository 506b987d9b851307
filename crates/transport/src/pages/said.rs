//! What the engine says in English, in the visitor's language.

use btp_accounts::Locale;
use btp_domain::{Alert, Failure, FailureCode, Warning};

/// A sentence for the page.
pub(super) struct Said {
    pub(super) text: String,
    /// It is English on a page in another language.
    pub(super) foreign: bool,
}

impl Said {
    fn new(locale: Locale, english: &str, french: Option<&str>) -> Self {
        match (locale, french) {
            (Locale::Fr, Some(french)) => Self { text: french.to_owned(), foreign: false },
            _ => Self { text: english.to_owned(), foreign: locale != Locale::En },
        }
    }

    /// A sentence of the page's own.
    pub(super) fn here(text: &str) -> Self {
        Self { text: text.to_owned(), foreign: false }
    }

    /// Why there is no route.
    pub(super) fn failure(failure: &Failure, locale: Locale) -> Self {
        Self::new(locale, &failure.message, Some(&french_failure(failure.code)))
    }

    /// What was not perfect.
    pub(super) fn warning(warning: &Warning, locale: Locale) -> Self {
        Self::new(locale, &warning.message, french_warning(&warning.code))
    }

    /// What a rider should know.
    pub(super) fn alert(alert: &Alert, locale: Locale) -> Self {
        let french = (alert.code == "pacing_over_cap")
            .then_some("Avec sa montée, ce jour dépasse le maximum\u{a0}: les dates laissent trop peu de jours.");
        Self::new(locale, &alert.message, french)
    }
}

/// Why, and what to do first; as in English each sentence ends with making a new trip.
fn french_failure(code: FailureCode) -> String {
    const WAIT: &str = "Attendez quelques minutes";
    const OTHER: &str = "Choisissez un itinéraire d’un autre site";
    let (what, first) = match code {
        FailureCode::NotFound => ("Cet itinéraire n’existe pas à cette adresse.", "Vérifiez l’adresse"),
        FailureCode::PrivateOrLoginRequired => (
            "Cet itinéraire n’est visible qu’après connexion à son site.",
            "Rendez-le public ou utilisez son lien de partage",
        ),
        FailureCode::Gone => ("Cet itinéraire a été retiré de son site.", "Choisissez-en un autre"),
        FailureCode::RateLimited => ("Le site de l’itinéraire reçoit trop de demandes.", WAIT),
        FailureCode::UpstreamChanged => (
            "Le site de l’itinéraire répond sous une forme que ce serveur ne connaît pas encore\u{a0}; la personne qui le gère doit s’en occuper.",
            OTHER,
        ),
        FailureCode::TooLarge => {
            ("Cet itinéraire est plus grand que ce que ce serveur sait lire.", "Divisez-le sur son site")
        }
        FailureCode::NoTrackPoints => {
            ("Cet itinéraire n’a pas de tracé.", "Vérifiez sur son site qu’il va jusqu’à son arrivée")
        }
        FailureCode::Timeout => ("Le site de l’itinéraire n’a pas répondu à temps.", WAIT),
        FailureCode::RedirectedElsewhere => {
            ("Le site de l’itinéraire renvoie vers une adresse que ce serveur ne suit pas.", "Vérifiez l’adresse")
        }
        FailureCode::BlockedAddress => (
            "Le nom du site mène à une adresse que ce serveur n’interroge pas\u{a0}; la personne qui le gère doit s’en occuper.",
            OTHER,
        ),
        FailureCode::SourceUnavailable => ("Le site de l’itinéraire n’est pas disponible actuellement.", WAIT),
        FailureCode::TooManyDays => {
            ("Cet itinéraire demande trop de jours.", "Choisissez des jours plus longs ou un tracé plus court")
        }
        FailureCode::Internal => ("L’itinéraire n’a pas pu être traité, malgré plusieurs tentatives.", WAIT),
    };
    format!("{what} {first}, puis supprimez le voyage et créez-le à nouveau.")
}

fn french_warning(code: &str) -> Option<&'static str> {
    Some(match code {
        "dates_too_short" => "Les dates laissent trop peu de jours pour respecter le maximum par jour.",
        "elevation_unknown" => {
            "L’altitude manque sur plus de la moitié du tracé\u{a0}: la montée est inconnue, les jours sont coupés selon la distance."
        }
        "elevation_incomplete" => "L’altitude manque sur une partie du tracé\u{a0}: la montée n’y est pas comptée.",
        "collection_days" => "Les jours sont les étapes de la collection, telles que son auteur les a coupées.",
        "tours_missing" => "Des étapes de la collection n’ont pas pu être lues et manquent dans le plan.",
        "points_dropped" => "Des points sans position utilisable ont été écartés.",
        _ => return None,
    })
}
