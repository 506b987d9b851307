//! What calls itself a client by an address.
#![no_main]

use btp_oauth::{Issuer, document::ClientAddress};

libfuzzer_sys::fuzz_target!(|id: &str| {
    let issuer = Issuer::parse("https://trips.example.org").expect("an issuer");
    if let Ok(address) = ClientAddress::parse(id, &issuer) {
        assert_eq!(address.url().as_str(), id, "in its one spelling");
        let before = address.host().strip_suffix("trips.example.org");
        assert!(before.is_none_or(|before| !before.is_empty() && !before.ends_with('.')), "never ourselves");
    }
});
