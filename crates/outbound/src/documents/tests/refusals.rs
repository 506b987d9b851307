//! What a document server may do to us, and what we do to it.

use std::{io::Write, sync::Mutex};

use btp_oauth::{Issuer, document::ClientAddress};
use flate2::{Compression, write::GzEncoder};

use super::*;
use crate::documents::stand_in::Answer;

const ADDRESS: &str = "https://agent.example.org/client.json";
/// Less than production's, so that a test that waits for it ends soon.
const SHORT: Patience = Patience { total: Duration::from_millis(400), ..PATIENCE };

async fn answered(head: &'static str, body: Vec<u8>) -> Result<Fetched, NoDocument> {
    let server = Server::start(move |_| Answer::whole(head, &body)).await;
    let outcome = fetch(&server, ADDRESS).await;
    assert_eq!(server.accepted(), 1, "asked once, whatever it says");
    outcome
}

#[tokio::test]
async fn a_document_with_how_long_it_may_be_kept() {
    let head = "200 OK\r\ncontent-type: text/plain\r\ncache-control: public\r\ncache-control: max-age=600\r\nage: 7";
    let server = Server::start(move |_| Answer::whole(head, "{}")).await;
    let fetched = fetch(&server, &format!("{ADDRESS}?a=1")).await.unwrap();
    assert_eq!(fetched, Fetched { body: b"{}".to_vec(), cache_control: "public, max-age=600".to_owned(), age: 7 });
    let expected = "GET /client.json?a=1 HTTP/1.1\r\naccept: application/json\r\naccept-encoding: gzip\r\n\
        user-agent: BikeTripPlanner/1.0\r\nhost: agent.example.org\r\n\r\n";
    assert_eq!(server.heads(), [expected], "nothing of the person who waits");
}

// attack: 44
#[tokio::test]
async fn only_status_200_is_a_document() {
    for status in ["404 Not Found", "410 Gone"] {
        assert!(matches!(answered(status, b"{}".to_vec()).await, Err(NoDocument::Withdrawn)), "{status}");
    }
    for status in [
        "201 Created",
        "204 No Content",
        "206 Partial Content",
        "304 Not Modified",
        "403 Forbidden",
        "429 Busy",
        "500 Oh",
    ] {
        assert!(matches!(answered(status, Vec::new()).await, Err(NoDocument::Failed(_))), "{status}");
    }
    for status in [301, 302, 303, 307, 308] {
        let away =
            move |_: &str| Answer::whole(&format!("{status} Away\r\nlocation: https://agent.example.org/other"), "");
        let server = Server::start(away).await;
        assert!(reason(fetch(&server, ADDRESS).await).contains("redirected"), "{status}");
        assert_eq!(server.accepted(), 1, "never followed, not even to the same host");
    }
}

// attack: 45
#[tokio::test]
async fn a_body_is_cut_at_64_kib() {
    let exact = answered("200 OK", vec![b' '; DOCUMENT_MAX]).await.unwrap();
    assert_eq!(exact.body.len(), DOCUMENT_MAX);
    let large = "the document could not be fetched: the body is too large";
    assert_eq!(reason(answered("200 OK", vec![b' '; DOCUMENT_MAX + 1]).await), large, "without a length");
    assert_eq!(
        reason(answered("200 OK\r\ncontent-length: 10000000000", Vec::new()).await),
        large,
        "by its length alone"
    );
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    bomb.write_all(&vec![b' '; 10_000_000]).unwrap();
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < DOCUMENT_MAX, "small on the wire");
    assert_eq!(reason(answered("200 OK\r\ncontent-encoding: gzip", bomb).await), large);
    let lying = answered("200 OK\r\ncontent-length: 100", b"{}".to_vec()).await;
    assert!(matches!(lying, Err(NoDocument::Failed(_))), "shorter than it said");
}

// attack: 45
#[tokio::test]
async fn a_drip_feed_ends_with_the_deadline() {
    let slow = Duration::from_millis(20);
    let body = || (0..1_000).map(|_| b" ".to_vec());
    let head = || b"HTTP/1.1 200 OK\r\nconnection: close\r\n".to_vec();
    let drips: [Vec<Vec<u8>>; 3] = [
        [vec![[head(), b"\r\n".to_vec()].concat()], body().collect()].concat(),
        [vec![head()], (0..1_000).map(|n| format!("x-{n}: y\r\n").into_bytes()).collect()].concat(),
        std::iter::repeat_n(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec(), 1_000).collect(),
    ];
    for pieces in drips {
        let server = Server::start(move |_| Answer { pieces: pieces.clone(), gap: slow }).await;
        let began = Instant::now();
        let outcome = documents(&server, SHORT).fetch(&ADDRESS.parse().unwrap()).await;
        assert_eq!(reason(outcome), "the document could not be fetched: no answer in time");
        assert!(began.elapsed() < 5 * SHORT.total, "{:?}", began.elapsed());
    }
}

// attack: 46
#[tokio::test]
async fn a_certificate_must_be_of_the_name_and_trusted() {
    let server = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    let elsewhere = fetch(&server, "https://other.example.org/client.json").await;
    assert!(matches!(elsewhere, Err(NoDocument::Failed(_))), "another name");
    let other = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    let client = PublicClient::on_loopback(PATIENCE, Arc::new(Here), other.root(), server.port()).unwrap();
    let untrusted = Documents::over(client, PATIENCE).fetch(&ADDRESS.parse().unwrap()).await;
    assert!(matches!(untrusted, Err(NoDocument::Failed(_))), "signed by nobody we trust");
    assert!(server.heads().is_empty(), "nothing was asked");
}

/// Answers first with a public address, then with this machine; counts.
struct Rebinding(Mutex<Vec<&'static str>>);

#[async_trait]
impl Lookup for Rebinding {
    async fn lookup(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        Ok(vec![self.0.lock().unwrap().pop().expect("asked once more").parse().unwrap()])
    }
}

// attack: 41, 42
#[tokio::test]
async fn the_production_client_never_reaches_this_machine() {
    let server = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254", "168.63.129.16"] {
        let lookup = Arc::new(Rebinding(Mutex::new(vec![address])));
        let documents = Documents::with_lookup("BikeTripPlanner/1.0", lookup).unwrap();
        let address = format!("https://agent.example.org:{}/client.json", server.port()).parse().unwrap();
        let refused = reason(documents.fetch(&address).await);
        assert_eq!(refused, "the document could not be fetched: the address may not be asked", "{address}");
    }
    assert_eq!(server.accepted(), 0, "no socket was opened");
}

// attack: 42
#[tokio::test]
async fn a_name_is_looked_up_once_and_connected_where_that_led() {
    let server = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    // The second answer would be refused: it is never asked for.
    let lookup = Arc::new(Rebinding(Mutex::new(vec!["10.0.0.1", "127.0.0.1"])));
    let client = PublicClient::on_loopback(PATIENCE, lookup, server.root(), server.port()).unwrap();
    let fetched = Documents::over(client, PATIENCE).fetch(&ADDRESS.parse().unwrap()).await;
    assert!(fetched.is_ok() && server.accepted() == 1);
}

// attack: 40
#[tokio::test]
async fn literals_and_names_of_this_machine_open_no_socket() {
    let server = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    let documents = Documents::new("BikeTripPlanner/1.0").unwrap();
    let issuer = Issuer::parse("https://www.example.org").unwrap();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
        "localhost.",
        "u@127.0.0.1",
    ] {
        let id = format!("https://{host}:{}/client.json", server.port());
        assert!(ClientAddress::parse(&id, &issuer).is_err(), "{id}");
        // The guard holds without the judge in front of it, too.
        assert!(documents.fetch(&id.parse().unwrap()).await.is_err(), "{id}");
    }
    assert_eq!(server.accepted(), 0);
}

// attack: 47
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the environment is what is tested")]
async fn proxies_of_the_environment_are_ignored() {
    const BEHIND: &str = "BTP_TEST_BEHIND_A_PROXY";
    let server = Server::start(|_| Answer::whole("200 OK", "{}")).await;
    assert!(fetch(&server, ADDRESS).await.is_ok());
    if std::env::var_os(BEHIND).is_some() {
        return;
    }
    // Once more, in a process whose environment names a proxy.
    let proxy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "documents::tests::refusals::proxies_of_the_environment_are_ignored"]).env(BEHIND, "1");
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"] {
        again.env(name, &address);
    }
    let output = again.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
    assert_eq!(proxy.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "nobody asked the proxy");
}
