//! What the guard of a call costs on SQLite: signature, liveness, scope, and the whole of it with and without the memory
//! of good signatures. The whole is less than the sum: signature and liveness of a new token go on at the same time.
//!
//! Bars in the median: 250 µs for a token that was never seen, 150 µs for one that was.

#![expect(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "it measures")]
#![expect(clippy::print_stdout, reason = "it prints figures")]

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use btp_accounts::{Locale, User};
use btp_kernel::{Clock, Scopes, Windows, secret};
use btp_oauth::{
    AuthorizationServer, Issuer, Keys, Parts, Policy, ProtectedResource, ScopeWords, keys,
    store::{Client, Code},
};
use btp_server::system::{SystemClock, SystemEntropy};
use btp_storage::Stores;
use btp_testkit::{conformance::authorized, memory::MemoryDocuments};
use serde_json::Value;

const TOKENS: usize = 500;
const CALLS: usize = 5000;
const WARM_UP: usize = 1000;
const RESOURCE: &str = "https://trips.example.org/mcp";
/// Challenge and verifier of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let stores = btp_storage::connect(&btp_storage::file_url(&folder.path().join("auth.sqlite"))).await.unwrap();
    stores.migrate().await.unwrap();
    let pem = keys::generate(&SystemEntropy).unwrap();
    let server = server(&stores, &pem);
    let tokens = tokens(&stores, &server).await;

    // By turns, so that a machine whose speed drifts is as fast for the one as for the other.
    let (mut fresh, mut known) = (Vec::new(), Vec::new());
    let timed = async |token| {
        let began = Instant::now();
        server.principal(token, RESOURCE).await.unwrap();
        began.elapsed()
    };
    for _ in 0..WARM_UP {
        timed(&tokens[0]).await;
    }
    for token in &tokens[1..] {
        fresh.push(timed(token).await);
        for _ in 0..10 {
            known.push(timed(token).await);
        }
    }
    let (grants, family) = (stores.grants(), family(&tokens[0]));
    let mut liveness = Vec::new();
    for _ in 0..CALLS {
        let began = Instant::now();
        grants.live(&family).await.unwrap().unwrap();
        liveness.push(began.elapsed());
    }
    // What is not for the resource is refused after its signature, without a question to the database.
    let forgetful = self::server(&stores, &pem);
    let mut signature = Vec::new();
    for token in &tokens {
        let began = Instant::now();
        forgetful.principal(token, "https://other.example.org").await.unwrap_err();
        signature.push(began.elapsed());
    }
    let principal = server.principal(&tokens[0], RESOURCE).await.unwrap();
    let began = Instant::now();
    let allowed = (0..CALLS).filter(|_| std::hint::black_box(&principal).scopes.has("trips:write")).count();
    let scope = began.elapsed() / u32::try_from(allowed).unwrap();

    let [fresh, known, liveness, signature] = [fresh, known, liveness, signature].map(|mut times| {
        times.sort();
        times[times.len() / 2]
    });
    println!("signature of a token that was never seen, with parsing: p50 {signature:?}");
    println!("liveness, one query: p50 {liveness:?}");
    println!("scope: {scope:?}");
    report("a token that was never seen", fresh, Duration::from_micros(250));
    report("a token that was seen before", known, Duration::from_micros(150));
}

fn report(what: &str, median: Duration, bar: Duration) {
    let verdict = if median <= bar { "within" } else { "OVER" };
    println!("{what}: p50 {median:?}; {verdict} the bar of {bar:?}");
}

/// Access tokens of one sign-in.
async fn tokens(stores: &Stores, server: &AuthorizationServer) -> Vec<String> {
    let now = SystemClock.now();
    let user =
        User { id: "ann".into(), email: "ann@example.org".parse().unwrap(), locale: Locale::En, created_at: now };
    stores.accounts().add_user(&user).await.unwrap();
    let client = Client {
        id: "agent".into(),
        name: "An agent".to_owned(),
        redirect_uris: vec!["http://127.0.0.1/callback".to_owned()],
        disabled: false,
        created_at: now,
        document: None,
    };
    stores.grants().put_client(&client).await.unwrap();
    let code = Code {
        digest: secret::digest("btc_code"),
        user: user.id,
        client: client.id,
        resource: RESOURCE.to_owned(),
        scopes: Scopes::parse("trips:read trips:write"),
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        challenge: CHALLENGE.to_owned(),
        expires: now.plus(Duration::from_secs(60)),
        used: false,
        details: None,
    };
    authorized(&*stores.grants(), &code).await;
    let redeem = format!("grant_type=authorization_code&client_id=agent&code=btc_code&code_verifier={VERIFIER}");
    let mut answer = server.token(redeem.as_bytes()).await.unwrap_or_else(|err| panic!("{err}"));
    let mut tokens = vec![answer.access_token];
    while tokens.len() < TOKENS {
        let form = format!("grant_type=refresh_token&client_id=agent&refresh_token={}", answer.refresh_token);
        answer = server.token(form.as_bytes()).await.unwrap_or_else(|err| panic!("{err}"));
        tokens.push(answer.access_token);
    }
    tokens
}

fn family(token: &str) -> String {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    claims["sid"].as_str().unwrap().to_owned()
}

fn server(stores: &Stores, pem: &str) -> AuthorizationServer {
    let words = |scope: &str| ScopeWords { scope: scope.parse().unwrap(), en: scope.to_owned(), fr: scope.to_owned() };
    AuthorizationServer::new(Parts {
        issuer: Issuer::parse("https://trips.example.org").unwrap(),
        resources: vec![ProtectedResource {
            path: "/mcp".to_owned(),
            scopes: vec![words("trips:read"), words("trips:write")],
        }],
        keys: Keys::load(&[pem]).unwrap(),
        store: stores.grants(),
        documents: Arc::new(MemoryDocuments::default()),
        policy: Policy::default(),
        limiter: Arc::new(Windows::default()),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(SystemEntropy),
    })
}
