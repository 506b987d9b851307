//! Headers of a request: one `name: value` a line, the first line the peer's address.
#![no_main]

use btp_transport::{Settings, fuzzing};
use http::{HeaderMap, HeaderName, HeaderValue};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut lines = data.split(|byte| *byte == b'\n');
    let peer = lines.next().and_then(|line| std::str::from_utf8(line).ok()?.parse().ok());
    let proxies = ["10.0.0.0/8", "2001:db8::/32"].map(|net| net.parse().expect("a network"));
    let settings = Settings::new("https://trips.example.org", &[], proxies.into()).expect("settings");
    let mut headers = HeaderMap::new();
    for line in lines {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (HeaderName::from_bytes(&line[..colon]), HeaderValue::from_bytes(&line[colon + 1..]));
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    fuzzing::headers(peer.unwrap_or([10, 0, 0, 1].into()), headers, &settings);
});
