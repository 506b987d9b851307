//! A registered and a requested redirect address, one a line.
#![no_main]

use btp_oauth::redirect::{check_registered, matches};
use url::Url;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (registered, requested) = text.split_once('\n').unwrap_or((text, text));
    if check_registered(registered).is_ok() {
        assert!(matches(registered, registered), "an address matches itself");
        if matches(registered, requested) {
            let [mut one, mut other] = [registered, requested].map(|address| Url::parse(address).expect("an address"));
            if one.scheme() == "http" {
                let _ = (one.set_port(None), other.set_port(None));
            }
            assert_eq!(one, other, "nothing but the port of this machine differs");
        }
    }
});
