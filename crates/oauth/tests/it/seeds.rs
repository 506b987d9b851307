//! The seeds of the fuzz targets say by their names how they are judged: `good-…` passes, `bad-…` does not.

use std::{fs, path::Path};

use btp_oauth::{
    Issuer, Params, Policy,
    document::{ClientAddress, ClientDocument},
    redirect,
};

use crate::house::BASE;

/// Judges each seed of a kind.
fn each(kind: &str, judge: impl Fn(&[u8]) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds").join(kind);
    let mut verdicts = [0, 0];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let good = path.file_name().unwrap().to_string_lossy().starts_with("good-");
        assert_eq!(judge(&fs::read(&path).unwrap()), good, "{}", path.display());
        verdicts[usize::from(good)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 0), "{kind}: {verdicts:?}");
}

fn issuer() -> Issuer {
    Issuer::parse(BASE).unwrap()
}

#[test]
fn client_addresses() {
    each("client_url", |seed| ClientAddress::parse(&String::from_utf8_lossy(seed), &issuer()).is_ok());
}

#[test]
fn client_documents() {
    let address = ClientAddress::parse("https://agent.example.org/client.json", &issuer()).unwrap();
    each("client_document", |seed| ClientDocument::parse(seed, &address, &issuer(), Policy::default()).is_ok());
}

#[test]
fn redirect_addresses() {
    each("redirect", |seed| {
        let text = String::from_utf8_lossy(seed);
        let (registered, requested) = text.split_once('\n').unwrap();
        redirect::matches(registered, requested)
    });
}

#[test]
fn parameters() {
    each("parameters", |seed| {
        let params = Params::parse(seed);
        assert!(Params::parse(params.to_query().as_bytes()) == params, "one spelling says the same");
        params.repeated().is_none()
    });
}
