//! Redirect addresses: which match, which may be registered, what is sent there.

use btp_oauth::{
    Next,
    redirect::{check_registered, host, matches},
    store::Decision,
};
use proptest::prelude::*;

use crate::house::{House, parameter, query};

// oauth row: 3.1-3
// attack: 2, 3
#[test]
fn byte_for_byte_but_any_port_on_a_loopback_literal() {
    let registered = "http://127.0.0.1/callback";
    for same in ["http://127.0.0.1/callback", "http://127.0.0.1:1/callback", "http://127.0.0.1:65535/callback"] {
        assert!(matches(registered, same), "{same}");
        assert!(matches(same, registered), "{same}");
    }
    assert!(matches("http://[::1]:8080/cb?x=1", "http://[::1]:9/cb?x=1"));
    assert!(matches("http://127.0.0.1", "http://127.0.0.1:80"));
    for other in [
        "http://127.0.0.1:0/callback",
        "http://127.0.0.1:65536/callback",
        "http://127.0.0.1:080/callback",
        "http://127.0.0.1:80x/callback",
        "http://127.0.0.1:/callback",
        "http://127.0.0.1.evil/callback",
        "http://127.0.0.1@evil/callback",
        "http://127.0.0.1:80@evil/callback",
        "http://127.1/callback",
        "http://0x7f.1/callback",
        "http://2130706433/callback",
        "http://[::ffff:127.0.0.1]/callback",
        "http://[::1]/callback",
        "http://localhost/callback",
        "http://127.0.0.2/callback",
        "https://127.0.0.1/callback",
        "HTTP://127.0.0.1/callback",
        "http://127.0.0.1/callback/",
        "http://127.0.0.1/Callback",
        "http://127.0.0.1/callback?x=1",
        "http://127.0.0.1/callback#x",
        "http://127.0.0.1/x/../callback",
        "http://127.0.0.1\\callback",
        "",
    ] {
        assert!(!matches(registered, other), "{other}");
    }
    let web = "https://ok.example/cb";
    for other in [
        "https://ok.example.evil/cb",
        "https://ok.example@evil/cb",
        "https://ok.example%2eevil/cb",
        "https://ok.example\\.evil/cb",
        "https://ok.example/x/../cb",
        "https://ok.example/cb?a=1",
        "https://ok.example/cb#a",
        "https://OK.example/cb",
        "https://ok.example:443/cb",
        "https://ok.example/cb/",
        "http://ok.example/cb",
    ] {
        assert!(!matches(web, other), "{other}");
    }
    let anywhere = "http://localhost/callback";
    for same in [anywhere, "http://localhost:4711/callback", "http://localhost:1/callback"] {
        assert!(matches(anywhere, same), "{same}");
    }
    for other in [
        "http://localhost:0/callback",
        "http://localhost:4711/other",
        "http://127.0.0.1:4711/callback",
        "http://localhost.evil/callback",
        "http://localhost@evil/callback",
        "http://LOCALHOST:4711/callback",
        "https://localhost:4711/callback",
    ] {
        assert!(!matches(anywhere, other), "{other}");
    }
    let fixed = "http://localhost:8787/callback";
    assert!(!matches(fixed, "http://localhost:8788/callback") && !matches(fixed, anywhere), "as registered");
}

// attack: 4
#[test]
fn what_may_be_registered() {
    for legal in [
        "https://a.example/cb",
        "https://a.example",
        "https://a.example/cb?x=1",
        "http://127.0.0.1/cb",
        "http://127.0.0.1:8080",
        "http://[::1]:8080/cb",
        "http://localhost:6274/oauth/callback",
    ] {
        assert!(check_registered(legal).is_ok(), "{legal}");
    }
    for illegal in [
        "http://a.example/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "app://callback",
        "https://u@a.example/cb",
        "https://a.example/cb#x",
        "https://a.example/x/../cb",
        "https://A.example/cb",
        "http://127.1/cb",
        "http://127.0.0.1.evil/cb",
        "http://localhost.evil/cb",
        "https://a.example/c b",
        "https://a.example/cb\r\nX: y",
        "/cb",
        "",
    ] {
        assert!(check_registered(illegal).is_err(), "{illegal}");
    }
}

#[test]
fn the_host_as_a_person_reads_it() {
    assert_eq!(host("http://127.0.0.1:4711/callback"), "127.0.0.1:4711");
    assert_eq!(host("https://web.example.org?x=1"), "web.example.org");
}

// oauth row: 3.1-12, 3.1-13
#[tokio::test]
async fn the_answer_keeps_the_address_and_its_own_query() {
    let house = House::new().await;
    house.client("odd", &["http://127.0.0.1?", "http://127.0.0.1/cb?a=%41&iss=evil&code=x&b"]).await;
    let ask = |address: &str| query(&[("client_id", "odd"), ("redirect_uri", address), ("response_type", "none")]);
    let sent = async |address: &str| match house.authorize("ann", &ask(address)).await {
        Ok(Next::Client(location)) => location,
        other => panic!("{address}: {other:?}"),
    };
    assert!(sent("http://127.0.0.1:8080?").await.starts_with("http://127.0.0.1:8080?error=unsupported"));
    let location = sent("http://127.0.0.1/cb?a=%41&iss=evil&code=x&b").await;
    assert!(location.starts_with("http://127.0.0.1/cb?a=%41&b&error="), "{location}");
    assert!(location.ends_with("&iss=https%3A%2F%2Fwww.example.org") && location.matches("iss=").count() == 1);
    let web = query(&[("client_id", "web"), ("redirect_uri", "https://web.example.org/cb?keep=1")]);
    let location = house.answered("ann", &web, Decision::Authorize).await;
    assert_eq!(parameter(&location, "keep").as_deref(), Some("1"));
}

proptest! {
    /// Whatever is sent, it matches a loopback registration only when a browser would take it to that very host.
    #[test]
    fn a_match_never_leaves_the_machine(tail in "[:0-9a-z@./?#\\\\\\[\\]%]{0,24}") {
        let requested = format!("http://127.0.0.1{tail}");
        for registered in ["http://127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1/cb"] {
            if matches(registered, &requested) {
                let url = url::Url::parse(&requested).unwrap();
                prop_assert_eq!(url.host_str(), Some("127.0.0.1"));
                prop_assert!(url.username().is_empty() && url.fragment().is_none());
            }
        }
    }
}
