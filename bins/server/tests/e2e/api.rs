//! The planner's second client: the REST API for people's apps.

use btp_server::agent::Browser;
use reqwest::{Client, StatusCode, redirect::Policy};
use serde_json::{Value, json};

use crate::{
    server::{Installation, settled},
    source::Source,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_person_reads_by_cookie_and_an_agent_token_is_refused() {
    let source = Source::start().await;
    let mut installation = Installation::new(&[("KOMOOT_URL", &source.base)]);
    installation.raise_limits();
    let server = installation.serve();
    let session = installation.agent(&server, "ann@example.org").await;
    let created = session.call("create_trip", json!({"sourceUrl": "https://www.komoot.com/tour/7"})).await.unwrap();
    let id = created["id"].as_str().unwrap();
    settled(&session, id, std::time::Duration::from_secs(20)).await;

    let http = Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    let list = format!("{}/api/trips", server.base);
    let refused = http.get(&list).bearer_auth(session.token()).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(refused.headers()["content-type"], "application/problem+json");

    let mut browser = Browser::new(http.clone());
    browser.open(installation.link(&server, "ann@example.org").parse().unwrap()).await.unwrap();
    browser.submit(&[]).await.unwrap();
    let get = async |address: String| -> Value {
        let answer = http.get(address).header("cookie", browser.cookie()).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap()
    };
    assert!(get(list.clone()).await.to_string().contains(id));
    assert!(get(format!("{list}/{id}")).await.to_string().contains("A quiet ride"));
    let absent = http.get(format!("{list}/none")).header("cookie", browser.cookie()).send().await.unwrap();
    assert_eq!(absent.status(), StatusCode::NOT_FOUND);
}
