//! A person who sends files, and the files: the largest there may be, and hostile ones.

use std::fmt::Write;

use btp_server::agent::Browser;
use reqwest::{Client, Response, redirect::Policy};

use crate::server::{Installation, Server};

/// Bytes of the largest file.
pub(crate) const MAX: usize = 30_000_000;

/// A signed-in person.
pub(crate) struct Sender {
    http: Client,
    address: String,
    cookie: String,
}

impl Sender {
    /// A new person of this server.
    pub(crate) async fn new(installation: &Installation, server: &Server, email: &str) -> Self {
        installation.ok(&["user", "add", email]);
        // No connection outlives the runtime it was made in.
        let http = Client::builder().no_proxy().pool_max_idle_per_host(0).redirect(Policy::none()).build().unwrap();
        let mut browser = Browser::new(http.clone());
        browser.open(installation.link(server, email).parse().unwrap()).await.unwrap();
        browser.submit(&[]).await.unwrap();
        Self { http, address: format!("{}/api/trips/gpx-upload", server.base), cookie: browser.cookie() }
    }

    /// Sends a file as an app does.
    pub(crate) async fn send(&self, file: &[u8]) -> Response {
        let head = b"--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"; filename=\"a.gpx\"\r\n\r\n";
        let body = [&head[..], file, b"\r\n--edge--\r\n"].concat();
        let request = self.http.post(&self.address).header("cookie", &self.cookie);
        request.header("content-type", "multipart/form-data; boundary=edge").body(body).send().await.unwrap()
    }
}

/// 600,000 points, filled up to so many bytes.
pub(crate) fn gpx(bytes: usize) -> Vec<u8> {
    let mut file = "<gpx><trk><trkseg>".to_owned();
    for at in 0..600_000 {
        let lon = 6.0 + f64::from(at) * 0.000_01;
        write!(file, "<trkpt lat=\"46.5\" lon=\"{lon:.5}\"/>").unwrap();
    }
    file.push_str("</trkseg></trk>");
    file.push_str(&" ".repeat(bytes - file.len() - "</gpx>".len()));
    (file + "</gpx>").into_bytes()
}

/// Files that are refused, each with its status and a word of why.
pub(crate) fn hostile() -> [(&'static str, Vec<u8>, u16, &'static str); 4] {
    let deep = format!("<gpx>{}{}</gpx>", "<x>".repeat(10_000), "</x>".repeat(10_000));
    let entity = r#"<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/hostname">]><gpx><trk><name>&x;</name></trk></gpx>"#;
    [
        ("30 MB and a byte", gpx(MAX + 1), 413, "more than 30 MB"),
        ("a compressed bomb", b"\x1f\x8b\x08\0bomb".to_vec(), 422, "compressed"),
        ("an outer entity", entity.into(), 422, "document type"),
        ("10,000 levels", deep.into(), 422, "nested too deeply"),
    ]
}
