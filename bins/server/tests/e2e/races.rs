//! Fifty at once over real connections: one code, one refresh token, and a refresh token that is being revoked.
//! `cargo xtask release-check` asks for a hundred rounds.

use std::collections::BTreeSet;

use btp_server::agent::Browser;
use futures_util::future::join_all;

use crate::{
    database::Database,
    flow::{Flow, Reply, VERIFIER},
    server::Installation,
};

const RACERS: usize = 50;

fn rounds() -> usize {
    std::env::var("BTP_TEST_ROUNDS").map_or(3, |rounds| rounds.parse().unwrap())
}

// oauth row: 3.2-15, 3.5-1
// attack: 16, 25, 26
#[tokio::test(flavor = "multi_thread")]
async fn sqlite() {
    run(&[]).await;
}

// oauth row: 3.2-15, 3.5-1
// attack: 16, 25, 26
#[tokio::test(flavor = "multi_thread")]
async fn postgresql() {
    let database = Database::new("races");
    run(&[("DATABASE_URL", &database.url)]).await;
}

async fn run(env: &[(&str, &str)]) {
    let mut installation = Installation::new(env);
    installation.set("LOG", "error");
    installation.raise_limits();
    for name in ["OAUTH_AUTHORIZE", "OAUTH_TOKEN"] {
        installation.set(&format!("LIMIT_{name}"), "100000000/60");
    }
    installation.ok(&["migrate"]);
    let server = installation.serve();
    let mut flow = Flow::signed_in(&installation, &server, "ann@example.org").await;
    let mut account = Browser::new(flow.http.clone());
    account.open(installation.link(&server, "ann@example.org").parse().unwrap()).await.unwrap();
    account.submit(&[]).await.unwrap();

    for round in 0..rounds() {
        one_redemption_a_code(&mut flow, round).await;
    }
    let mut token = new_token(&mut flow).await;
    for round in 0..rounds() {
        token = one_answer_a_refresh(&flow, &token, round).await;
    }
    for round in 0..rounds() {
        nothing_lives_after_a_revocation(&mut flow, &mut account, round).await;
    }
}

async fn one_redemption_a_code(flow: &mut Flow, round: usize) {
    let code = flow.code().await;
    let replies = join_all((0..RACERS).map(|_| flow.redeem(&flow.base, &code, VERIFIER))).await;
    let (won, lost): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!(won.len(), 1, "round {round}");
    assert!(lost.iter().all(|reply| is_refused(reply)), "round {round}");
    // A code that is shown twice is in two hands.
    assert_eq!(flow.call(&flow.base, &won[0].text("access_token")).await, 401, "round {round}");
    assert!(is_refused(&flow.refresh(&flow.base, &won[0].text("refresh_token")).await), "round {round}");
}

/// The refresh token that all of them were given.
async fn one_answer_a_refresh(flow: &Flow, token: &str, round: usize) -> String {
    let replies = join_all((0..RACERS).map(|_| flow.refresh(&flow.base, token))).await;
    assert!(replies.iter().all(|reply| reply.status == 200), "round {round}");
    let pairs: BTreeSet<_> =
        replies.iter().map(|reply| (reply.text("access_token"), reply.text("refresh_token"))).collect();
    assert_eq!(pairs.len(), 1, "round {round}");
    let (access, refresh) = pairs.into_iter().next().unwrap();
    assert_eq!(flow.call(&flow.base, &access).await, 200, "round {round}");
    refresh
}

/// By the person on the account page and by the application itself, in turn.
async fn nothing_lives_after_a_revocation(flow: &mut Flow, account: &mut Browser, round: usize) {
    let token = new_token(flow).await;
    account.open(format!("{}/account", flow.base).parse().unwrap()).await.unwrap();
    let revoke = async {
        if round.is_multiple_of(2) {
            account.submit(&[]).await.unwrap();
        } else {
            assert_eq!(flow.post(&flow.base, "/oauth/revoke", &[("token", &token)]).await.status, 200);
        }
    };
    let half = || join_all((0..RACERS / 2).map(|_| flow.refresh(&flow.base, &token)));
    let (before, (), after) = tokio::join!(half(), revoke, half());
    let replies = || before.iter().chain(&after);
    for reply in replies().filter(|reply| reply.status == 200) {
        assert_eq!(flow.call(&flow.base, &reply.text("access_token")).await, 401, "round {round}");
        assert!(is_refused(&flow.refresh(&flow.base, &reply.text("refresh_token")).await), "round {round}");
    }
    assert!(replies().all(|reply| reply.status == 200 || is_refused(reply)), "round {round}");
    assert!(is_refused(&flow.refresh(&flow.base, &token).await), "round {round}");
}

async fn new_token(flow: &mut Flow) -> String {
    let code = flow.code().await;
    flow.redeem(&flow.base, &code, VERIFIER).await.text("refresh_token")
}

fn is_refused(reply: &Reply) -> bool {
    reply.status == 400 && reply.json["error"] == "invalid_grant"
}
