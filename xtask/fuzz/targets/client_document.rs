//! The document of a client.
#![no_main]

use btp_oauth::{
    Issuer, Policy,
    document::{ClientAddress, ClientDocument},
    redirect::matches,
};

libfuzzer_sys::fuzz_target!(|body: &[u8]| {
    let issuer = Issuer::parse("https://trips.example.org").expect("an issuer");
    let address = ClientAddress::parse("https://agent.example.org/client.json", &issuer).expect("an address");
    for localhost_redirects in [false, true] {
        let policy = Policy { localhost_redirects, ..Policy::default() };
        if let Ok(document) = ClientDocument::parse(body, &address, &issuer, policy) {
            assert!(!document.name.is_empty() && document.name.chars().count() <= 128);
            assert!((1..=10).contains(&document.redirect_uris.len()));
            assert!(document.redirect_uris.iter().all(|uri| matches(uri, uri)));
        }
    }
});
