//! A registered and a requested redirect address, one a line.
#![no_main]

use btp_oauth::redirect::{check_registered, matches};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (registered, requested) = text.split_once('\n').unwrap_or((text, text));
    if check_registered(registered).is_ok() {
        assert!(matches(registered, registered), "an address matches itself");
        if matches(registered, requested) {
            assert!(matches(requested, registered), "the port floats both ways");
        }
    }
});
