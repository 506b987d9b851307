//! Clients an operator makes.

use std::sync::Arc;

use btp_oauth::{ClientError, Clients};
use btp_testkit::SeededEntropy;

use crate::house::House;

async fn clients() -> (House, Clients) {
    let house = House::new().await;
    let clients = Clients::new(
        Arc::clone(&house.grants) as _,
        Arc::clone(&house.clock) as _,
        Arc::new(SeededEntropy::new(3)) as _,
    );
    (house, clients)
}

fn uris(uris: &[&str]) -> Vec<String> {
    uris.iter().map(|&uri| uri.to_owned()).collect()
}

#[tokio::test]
async fn added_listed_disabled() {
    let (_house, clients) = clients().await;
    let redirects = uris(&["https://a.example/cb", "http://localhost:6274/oauth/callback"]);
    let named = clients.add(Some("my-agent"), "  My agent\u{7} ", redirects.clone()).await.unwrap();
    assert_eq!((named.id.as_str(), named.name.as_str(), &named.redirect_uris), ("my-agent", "My agent", &redirects));
    let unnamed = clients.add(None, "Other", uris(&["https://a.example/cb"])).await.unwrap();
    assert!(unnamed.id.as_str().starts_with("client-") && unnamed.id.as_str().len() == 23);
    assert!(clients.list().await.unwrap().contains(&named));
    assert!(clients.disable("my-agent").await.unwrap());
    assert!(!clients.disable("nobody").await.unwrap());
    assert!(clients.list().await.unwrap().iter().any(|client| client.id == named.id && client.disabled));
    assert!(clients.enable("my-agent").await.unwrap());
    assert!(!clients.enable("nobody").await.unwrap());
    assert!(clients.list().await.unwrap().contains(&named));
}

// attack: 55
#[tokio::test]
async fn a_name_is_kept_without_what_misleads_the_eye() {
    let (_house, clients) = clients().await;
    for (name, expected) in [
        ("Cl\u{200b}au\u{ad}de\u{feff}", "Claude"),
        ("\u{202e}edualC\u{202c}", "edualC"),
        ("a\u{1b}[2J\nb\u{2066}\tc", "a[2J b c"),
    ] {
        assert_eq!(clients.add(None, name, uris(&["https://a.example/cb"])).await.unwrap().name, expected, "{name:?}");
    }
}

// oauth row: 3.4-11
// attack: 84
#[tokio::test]
async fn what_is_refused() {
    let (_house, clients) = clients().await;
    let good = || uris(&["https://a.example/cb"]);
    let add = async |id: Option<&str>, name: &str, redirects| clients.add(id, name, redirects).await.unwrap_err();
    let long = "x".repeat(65);
    for id in ["", "a b", "(person)", "https://a.example/x", "0197a000-0000-7000-8000-000000000001", "é", &long] {
        assert!(matches!(add(Some(id), "Name", good()).await, ClientError::Id), "{id}");
    }
    assert!(matches!(add(Some("agent"), "Name", good()).await, ClientError::Taken));
    for name in ["", "  ", "\u{1}", "\u{202e}\u{200b}", &"é".repeat(129)] {
        assert!(matches!(add(None, name, good()).await, ClientError::Name), "{name}");
    }
    assert!(matches!(add(None, "Name", Vec::new()).await, ClientError::Redirects));
    assert!(matches!(add(None, "Name", vec!["https://a.example/cb".to_owned(); 11]).await, ClientError::Redirects));
    assert!(matches!(add(None, "Name", uris(&["http://a.example"])).await, ClientError::Redirect(_)));
}
