//! The largest file there may be, and hostile ones, while an agent goes on reading.

use std::{fmt::Write, time::Duration};

use btp_server::agent::Browser;
use reqwest::{Client, Response, redirect::Policy};
use serde_json::{Value, json};

use crate::server::Installation;

/// Bytes of the largest file.
const MAX: usize = 30_000_000;

async fn send(http: &Client, address: &str, cookie: &str, file: &[u8]) -> Response {
    let head = b"--edge\r\nContent-Disposition: form-data; name=\"gpxFile\"; filename=\"a.gpx\"\r\n\r\n";
    let body = [&head[..], file, b"\r\n--edge--\r\n"].concat();
    let request =
        http.post(address).header("cookie", cookie).header("content-type", "multipart/form-data; boundary=edge");
    request.body(body).send().await.unwrap()
}

/// 600,000 points, filled up to so many bytes.
fn gpx(bytes: usize) -> Vec<u8> {
    let mut file = "<gpx><trk><trkseg>".to_owned();
    for at in 0..600_000 {
        let lon = 6.0 + f64::from(at) * 0.000_01;
        write!(file, "<trkpt lat=\"46.5\" lon=\"{lon:.5}\"/>").unwrap();
    }
    file.push_str("</trkseg></trk>");
    file.push_str(&" ".repeat(bytes - file.len() - "</gpx>".len()));
    (file + "</gpx>").into_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn others_are_served_while_large_and_hostile_files_are_read() {
    let mut installation = Installation::new(&[("NOMINATIM_URL", "off")]);
    installation.raise_limits();
    let server = installation.serve();
    let session = installation.agent(&server, "bob@example.org").await;
    installation.ok(&["user", "add", "ann@example.org"]);
    let http = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let mut browser = Browser::new(http.clone());
    browser.open(installation.link(&server, "ann@example.org").parse().unwrap()).await.unwrap();
    browser.submit(&[]).await.unwrap();
    let (address, cookie) = (format!("{}/api/trips/gpx-upload", server.base), browser.cookie());

    let deep = format!("<gpx>{}{}</gpx>", "<x>".repeat(10_000), "</x>".repeat(10_000));
    let entity = r#"<!DOCTYPE gpx [<!ENTITY x SYSTEM "file:///etc/hostname">]><gpx><trk><name>&x;</name></trk></gpx>"#;
    let files: [(Vec<u8>, u16, &str); 5] = [
        (gpx(MAX), 202, "\"days\""),
        (gpx(MAX + 1), 413, "more than 30 MB"),
        (b"\x1f\x8b\x08\0bomb".to_vec(), 422, "compressed"),
        (entity.into(), 422, "document type"),
        (deep.into(), 422, "nested too deeply"),
    ];
    for (file, status, says) in files {
        let upload = tokio::spawn({
            let (http, address, cookie) = (http.clone(), address.clone(), cookie.clone());
            async move { send(&http, &address, &cookie, &file).await }
        });
        let mut reads = 0;
        while !upload.is_finished() {
            tokio::time::timeout(Duration::from_secs(5), session.call("list_trips", json!({}))).await.unwrap().unwrap();
            reads += 1;
        }
        let answer = upload.await.unwrap();
        assert_eq!(answer.status().as_u16(), status, "{says}");
        let body = String::from_utf8(answer.bytes().await.unwrap().to_vec()).unwrap();
        assert!(body.contains(says), "{body}");
        if status == 202 {
            let trip: Value = serde_json::from_str(&body).unwrap();
            assert!(reads > 3, "the upload kept an agent from reading: {reads}");
            assert_eq!(trip["status"], "analyzed");
        }
    }
}
