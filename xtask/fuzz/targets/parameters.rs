//! A query or a form of an OAuth endpoint.
#![no_main]

use btp_oauth::Params;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let params = Params::parse(text);
    let again = Params::parse(params.to_query().as_bytes());
    assert!(params == again, "one spelling");
    if params.repeated().is_none() {
        assert!(params.all("client_id").count() <= 1);
    }
});
