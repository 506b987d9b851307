//! Where the public client may and may not go.

use std::{
    io,
    net::{IpAddr, TcpListener},
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use btp_domain::{FailureCode, SourceKind, route::RouteSources};
use btp_outbound::{FetchError, Lookup, PublicClient, Request, Sources, SourcesConfig, is_public, user_agent};
use btp_testkit::ManualClock;
use tokio::time::Instant;

use crate::{PATIENT, source};

const PUBLIC: [&str; 10] = [
    "8.8.8.8",
    "160.79.104.10",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
];

const NOT_PUBLIC: [&str; 54] = [
    "0.0.0.0",
    "10.0.0.1",
    "10.0.0.5",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.168.1.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.5",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b::6440:1",
    "64:ff9b:1::1",
    "64:ff9b:1::808:808",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "2606:4700::5efe:a00:5",
    "2606:4700::200:5efe:808:808",
    "2620:4f:8000::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
];

/// Answers every name with these addresses, and writes the names down.
#[derive(Default)]
struct Fixed {
    addresses: Mutex<Vec<IpAddr>>,
    names: Mutex<Vec<String>>,
}

impl Fixed {
    fn new(addresses: &[&str]) -> Arc<Self> {
        let fixed = Self::default();
        fixed.set(addresses);
        Arc::new(fixed)
    }

    fn set(&self, addresses: &[&str]) {
        *self.addresses.lock().unwrap() = addresses.iter().map(|address| address.parse().unwrap()).collect();
    }
}

#[async_trait]
impl Lookup for Fixed {
    async fn lookup(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        self.names.lock().unwrap().push(host.to_owned());
        Ok(self.addresses.lock().unwrap().clone())
    }
}

fn client(lookup: Arc<Fixed>) -> PublicClient {
    PublicClient::with_lookup(&user_agent(None), PATIENT, lookup).unwrap()
}

fn request(url: &str) -> Request {
    let until = Instant::now() + Duration::from_secs(5);
    Request { url: url.parse().unwrap(), accept: "text/html", cap: 1_000, until }
}

#[test]
fn the_table() {
    for address in PUBLIC {
        assert!(is_public(address.parse().unwrap()), "{address}");
    }
    for address in NOT_PUBLIC {
        assert!(!is_public(address.parse().unwrap()), "{address}");
    }
}

#[tokio::test]
async fn a_name_that_leads_to_an_address_that_is_not_public() {
    let lookup = Fixed::new(&[]);
    let client = client(lookup.clone());
    for (count, address) in (1..).zip(NOT_PUBLIC) {
        lookup.set(&[address]);
        let refused = client.get(&request("https://rebind.example/"), &[]).await;
        assert!(matches!(refused, Err(FetchError::BlockedAddress)), "{address}: {refused:?}");
        assert_eq!(lookup.names.lock().unwrap().len(), count, "asked once, not tried again");
    }
}

#[tokio::test]
async fn the_hosts_file_is_judged_like_any_answer() {
    let client = PublicClient::new(&user_agent(None), PATIENT).unwrap();
    let refused = client.get(&request("https://localhost/"), &[]).await;
    assert!(matches!(refused, Err(FetchError::BlockedAddress)), "{refused:?}");
}

#[tokio::test]
async fn one_bad_address_refuses_the_name() {
    for mixed in [["8.8.8.8", "127.0.0.1"], ["10.0.0.5", "8.8.8.8"], ["2606:4700::1111", "::ffff:10.0.0.5"]] {
        let refused = client(Fixed::new(&mixed)).get(&request("https://mixed.example/"), &[]).await;
        assert!(matches!(refused, Err(FetchError::BlockedAddress)), "{mixed:?}: {refused:?}");
    }
}

#[tokio::test]
async fn a_name_without_addresses_is_merely_unreachable() {
    let failed = client(Fixed::new(&[])).get(&request("https://nothing.example/"), &[]).await;
    assert!(matches!(failed, Err(FetchError::Unreachable(_))), "{failed:?}");
}

#[tokio::test]
async fn literals_and_plain_http_open_no_socket() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let lookup = Fixed::new(&["127.0.0.1"]);
    for host in
        ["https://127.0.0.1", "https://2130706433", "https://0x7f.1", "https://[::1]", "https://[::ffff:127.0.0.1]"]
    {
        let refused = client(lookup.clone()).get(&request(&format!("{host}:{port}/")), &[]).await;
        assert!(matches!(refused, Err(FetchError::BlockedAddress)), "{host}: {refused:?}");
    }
    for url in ["http://www.komoot.com", "http://127.0.0.1", "https://user@www.komoot.com", "ftp://www.komoot.com"] {
        let refused = client(lookup.clone()).get(&request(&format!("{url}:{port}/")), &[]).await;
        assert!(matches!(refused, Err(FetchError::BlockedAddress)), "{url}: {refused:?}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "nobody connected");
    assert!(lookup.names.lock().unwrap().is_empty(), "no name was looked up");
}

/// The production configuration, but for what the resolver answers.
#[tokio::test]
async fn each_service_is_asked_at_its_own_name_and_never_at_a_private_address() {
    let cases = [
        (SourceKind::KomootTour, "www.komoot.com"),
        (SourceKind::KomootCollection, "www.komoot.com"),
        (SourceKind::RideWithGps, "ridewithgps.com"),
        (SourceKind::StravaRoute, "www.strava.com"),
    ];
    for (kind, name) in cases {
        let lookup = Fixed::new(&["10.0.0.5"]);
        let sources = Sources::with_lookup(
            SourcesConfig::default(),
            Arc::new(ManualClock::default()),
            &(lookup.clone() as Arc<dyn Lookup>),
        )
        .unwrap();
        let failure = sources.fetch(&source(kind)).await.unwrap_err();
        assert_eq!(failure.code, FailureCode::BlockedAddress);
        assert_eq!(*lookup.names.lock().unwrap(), [name]);
    }
}
