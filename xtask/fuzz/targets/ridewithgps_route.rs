//! What calls itself a RideWithGPS route.
#![no_main]

libfuzzer_sys::fuzz_target!(|json: &[u8]| {
    if let Ok(route) = btp_outbound::read::ridewithgps_route(json) {
        btp_fuzz::can_be_followed(&route);
    }
});
