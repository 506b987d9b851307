//! What is said in mails.

use btp_accounts::{Email, Letter, Locale, Mail};

use crate::house::BASE;

/// Who lost an account cannot sign in to do anything about it: the mail must say who can, and with what.
#[test]
fn a_change_that_was_not_asked_for_can_be_acted_on() {
    let (to, now): (Email, Email) = ("ann@example.org".parse().unwrap(), "eve@example.org".parse().unwrap());
    for (locale, steps) in [
        (
            Locale::En,
            ["no longer signs you in", "Whoever runs the server can", "forward them this mail", "from this address"],
        ),
        (
            Locale::Fr,
            [
                "ne permet plus",
                "La personne qui gère le serveur peut",
                "transférez-lui ce message",
                "depuis cette adresse",
            ],
        ),
    ] {
        let text = Mail { to: &to, locale, letter: Letter::AddressChanged { now: &now }, base: BASE }.text();
        assert!(steps.iter().all(|step| text.contains(step)), "{text}");
        assert!(text.contains("eve@example.org") && text.contains(BASE), "{text}");
    }
}

#[test]
fn every_letter_is_said_in_both_languages() {
    let (to, now): (Email, Email) = ("ann@example.org".parse().unwrap(), "anna@example.org".parse().unwrap());
    let link = "https://www.example.org/auth/verify?token=btl_x";
    let letters = [
        (Letter::SignIn { link }, link),
        (Letter::SignUp { link }, link),
        (Letter::ConfirmAddress { link }, link),
        (Letter::AddressChanged { now: &now }, "anna@example.org"),
        (Letter::AccountDeleted, "Bike Trip Planner"),
    ];
    let mut subjects = std::collections::BTreeSet::new();
    for (letter, names) in letters {
        let [en, fr] = [Locale::En, Locale::Fr].map(|locale| Mail { to: &to, locale, letter, base: BASE });
        assert_ne!(en.text(), fr.text());
        for mail in [en, fr] {
            assert!(subjects.insert(mail.subject()), "{}", mail.subject());
            assert!(mail.text().contains(names) && mail.text().ends_with("\nhttps://www.example.org\n"));
            // quoted-printable copes with any line, people do not
            assert!(!mail.subject().contains("btl_") && !mail.text().contains("  "));
            assert!(mail.text().lines().filter(|line| *line == link).count() <= 1);
            assert_eq!(letter.link().is_some(), mail.text().lines().any(|line| line == link), "alone on its line");
        }
    }
}
