//! A page that calls itself a Komoot tour.
#![no_main]

libfuzzer_sys::fuzz_target!(|html: &[u8]| {
    if let Ok(route) = btp_outbound::read::komoot_tour_page(html) {
        btp_fuzz::can_be_followed(&route);
    }
});
