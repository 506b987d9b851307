//! The largest file there may be, and hostile ones, while an agent goes on reading.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};

use crate::{
    sender::{MAX, Sender, gpx, hostile},
    server::Installation,
};

#[tokio::test(flavor = "multi_thread")]
async fn others_are_served_while_large_and_hostile_files_are_read() {
    let mut installation = Installation::new(&[("NOMINATIM_URL", "off")]);
    installation.raise_limits();
    let server = installation.serve();
    let session = installation.agent(&server, "bob@example.org").await;
    let ann = Arc::new(Sender::new(&installation, &server, "ann@example.org").await);

    let files = std::iter::once(("the largest", gpx(MAX), 202, "\"days\"")).chain(hostile());
    for (_, file, status, says) in files {
        let ann = Arc::clone(&ann);
        let upload = tokio::spawn(async move { ann.send(&file).await });
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
