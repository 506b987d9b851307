//! What calls itself a client by an address.
#![no_main]

use btp_oauth::{Issuer, document::ClientAddress};

libfuzzer_sys::fuzz_target!(|id: &str| {
    let issuer = Issuer::parse("https://trips.example.org").expect("an issuer");
    if let Ok(address) = ClientAddress::parse(id, &issuer) {
        assert_eq!(address.url().as_str(), id, "in its one spelling");
        assert!(!address.host().ends_with("trips.example.org"), "never ourselves");
    }
});
