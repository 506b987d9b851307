//! What is said in mails.

use btp_accounts::{Email, Letter, Locale, Mail};

use crate::house::BASE;

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
