//! A track file somebody uploads.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = btp_formats::read_gpx(data);
});
