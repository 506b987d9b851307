//! What the log says of a whole OAuth run at its finest level, and what it does not.

use crate::{
    flow::{Flow, VERIFIER},
    server::Installation,
};

const EMAIL: &str = "ann@example.org";

// oauth row: 3.5-7
// attack: 70
#[tokio::test]
async fn no_secret_is_logged_and_every_step_is() {
    let installation = Installation::new(&[("LOG", "trace")]);
    let log = installation.path("log");
    let server = installation.serve_logging_to(&log);
    let base = server.base.clone();
    let mut flow = Flow::signed_in(&installation, &server, EMAIL).await;
    let cookie = flow.browser.cookie().split_once('=').expect("a cookie").1.to_owned();

    let code = flow.code().await;
    let wrong = "x".repeat(43);
    assert_eq!(flow.redeem(&base, &code, &wrong).await.text("error"), "invalid_grant");
    let first = flow.redeem(&base, &code, VERIFIER).await;
    let [access, refresh] = ["access_token", "refresh_token"].map(|name| first.text(name));
    let second = flow.refresh(&base, &refresh).await;
    assert_eq!(flow.refresh(&base, &refresh).await.text("refresh_token"), second.text("refresh_token"));
    let successor = second.text("refresh_token");
    assert_eq!(flow.refresh(&base, "btr_guessed").await.status, 400);
    assert_eq!(flow.call(&base, &access).await, 200);
    assert_eq!(flow.call(&base, "eyJ.junk.token").await, 401);

    let csrf = flow.browser.html().split("name=\"csrf\" value=\"").nth(1).map(|rest| rest.split('"').next());
    let csrf = match csrf.flatten() {
        Some(csrf) => csrf.to_owned(),
        None => {
            flow.browser.open(base.parse().unwrap()).await.unwrap();
            let page = flow.browser.html();
            page.split("name=\"csrf\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned()
        }
    };
    let out = flow.http.post(format!("{base}/auth/logout")).header("cookie", flow.browser.cookie());
    let out = out.header("origin", &base).header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(out.body(format!("csrf={csrf}")).send().await.unwrap().status().as_u16(), 303);
    assert_eq!(flow.call(&base, &access).await, 200, "signing out of the pages ends no agent's access");

    assert_eq!(flow.post(&base, "/oauth/revoke", &[("token", &successor)]).await.status, 200);
    assert_eq!(flow.call(&base, &access).await, 401);
    assert_eq!(flow.redeem(&base, &code, VERIFIER).await.text("error"), "invalid_grant");
    drop(server);

    let text = std::fs::read_to_string(log).unwrap();
    for secret in [&code, &access, &second.text("access_token"), &refresh, &successor, &cookie, &csrf] {
        assert!(!text.contains(secret.as_str()), "a secret is in the log");
    }
    for line in text.lines() {
        for mark in ["btc_", "btr_", "bts_", "btl_", "eyJ", VERIFIER, wrong.as_str(), EMAIL, "PRIVATE KEY", "state="] {
            assert!(!line.contains(mark), "{mark}: {line}");
        }
    }
    let audit: Vec<_> = text.lines().filter(|line| line.contains(" audit: ")).collect();
    for (event, reason) in [
        ("code_issued", ""),
        ("tokens_refused", "wrong_verifier"),
        ("tokens_issued", ""),
        ("tokens_refreshed", ""),
        ("tokens_repeated", ""),
        ("tokens_refused", "unknown"),
        ("access_refused", "not_ours"),
        ("token_revoked", ""),
        ("access_refused", "revoked"),
        ("code_replayed", ""),
    ] {
        let said = |line: &&&str| line.contains(event) && line.contains(reason);
        assert!(audit.iter().any(|line| said(&line)), "no audit line of {event} {reason} in {audit:#?}");
    }
}
