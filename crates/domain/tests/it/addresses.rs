//! Addresses of routes: what they are read as, and what is shown of them.

use btp_domain::{Refusal, SourceKind, SourceRef};
use btp_testkit::addresses::{ADDRESSES, Reading};

fn refusal(address: &str) -> String {
    match SourceRef::parse(address) {
        Err(Refusal::Invalid(sentence)) => sentence,
        other => panic!("{address}: {other:?}"),
    }
}

fn names_the_four_forms(sentence: &str) -> bool {
    let forms = ["komoot.com/tour/", "komoot.com/collection/", "strava.com/routes/", "ridewithgps.com/routes/"];
    forms.iter().all(|form| sentence.contains(form))
}

#[test]
fn the_table() {
    for (address, reading) in ADDRESSES {
        match *reading {
            Reading::Route(kind, id, token) => {
                let expected = SourceRef { kind, id: id.to_owned(), token: token.map(str::to_owned) };
                assert_eq!(SourceRef::parse(address), Ok(expected.clone()), "{address}");
                let shown = expected.address().unwrap();
                assert!(token.is_none_or(|token| !shown.contains(token)), "{shown}");
                assert_eq!(SourceRef::parse(&shown), Ok(SourceRef { token: None, ..expected }), "{shown}");
            }
            Reading::Named(words) => {
                let sentence = refusal(address);
                assert!(sentence.contains(words) && !names_the_four_forms(&sentence), "{address}: {sentence}");
            }
            Reading::Unsupported => assert!(names_the_four_forms(&refusal(address)), "{address}"),
        }
    }
}

#[test]
fn an_address_has_an_end() {
    let address = |length: usize| format!("{:x<length$}", "https://www.komoot.com/tour/1?");
    assert!(SourceRef::parse(&address(2048)).is_ok());
    assert!(names_the_four_forms(&refusal(&address(2049))));
}

#[test]
fn a_token_has_an_end() {
    let token = |length: usize| {
        let token = "t".repeat(length);
        SourceRef::parse(&format!("https://www.komoot.com/tour/1?share_token={token}")).unwrap().token
    };
    assert_eq!(token(200).map(|token| token.len()), Some(200));
    assert_eq!(token(201), None);
}

#[test]
fn refusals_repeat_nothing_of_the_address() {
    let sentence = refusal("https://user:secret@www.komoot.com/tour/1?share_token=secret");
    assert!(!sentence.contains("secret"), "{sentence}");
}

#[test]
fn a_printed_source_hides_its_token() {
    let source = SourceRef { kind: SourceKind::KomootTour, id: "1".to_owned(), token: Some("secret".to_owned()) };
    let printed = format!("{source:?}");
    assert!(printed.contains("KomootTour") && !printed.contains("secret"), "{printed}");
}
