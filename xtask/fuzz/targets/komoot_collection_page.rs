//! A page that calls itself a Komoot collection.
#![no_main]

libfuzzer_sys::fuzz_target!(|html: &[u8]| {
    if let Ok((tours, _)) = btp_outbound::read::komoot_collection_page(html) {
        assert!(tours.iter().all(|tour| !tour.is_empty()));
    }
});
