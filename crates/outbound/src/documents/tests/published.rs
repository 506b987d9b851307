//! Clients as they are published, through the whole authorization server.

use btp_accounts::{Locale, User, store::AccountStore};
use btp_kernel::{Timestamp, UserId, Windows};
use btp_oauth::{
    AuthorizationServer, AuthorizeError, Clients, Issuer, Keys, Next, Parts, Person, Policy, ProtectedResource,
    ScopeWords, keys, presets::PRESETS,
};
use btp_testkit::{
    ManualClock, SeededEntropy,
    memory::{MemoryAccounts, MemoryGrants},
};
use serde_json::{Value, json};
use url::form_urlencoded;

use super::*;
use crate::documents::stand_in::Answer;

/// A client, what it publishes, and where it wants its codes.
struct Published {
    id: &'static str,
    document: Value,
    sends: &'static str,
    /// Accepted by the published rules.
    strict: bool,
    /// Accepted where the operator allows `http://localhost`.
    switched: bool,
}

/// As seen in September 2026.
fn published() -> Vec<Published> {
    let both = json!(["http://localhost/callback", "http://127.0.0.1/callback"]);
    let ports: Vec<_> = (0..10)
        .flat_map(|n| {
            [format!("http://127.0.0.1:{}/callback", 13316 + n), format!("http://localhost:{}/callback", 13316 + n)]
        })
        .collect();
    let client = |id, redirects: Value, sends, strict, switched| Published {
        id,
        document: json!({
            "client_id": id, "client_name": "As published", "redirect_uris": redirects,
            "token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"],
        }),
        sends,
        strict,
        switched,
    };
    let mut all = vec![
        client(
            "https://claude.ai/oauth/mcp-oauth-client-metadata",
            json!(["https://claude.ai/api/mcp/auth_callback"]),
            "https://claude.ai/api/mcp/auth_callback",
            true,
            true,
        ),
        client(
            "https://claude.ai/oauth/claude-code-client-metadata",
            both.clone(),
            "http://localhost:53682/callback",
            false,
            true,
        ),
        client(
            "https://chatgpt.com/oauth/client.json",
            json!(["https://chatgpt.com/connector_platform_oauth_redirect"]),
            "https://chatgpt.com/connector_platform_oauth_redirect",
            true,
            true,
        ),
        client(
            "https://chatgpt.com/oauth/codex/client.json",
            both.clone(),
            "http://127.0.0.1:1455/callback",
            false,
            true,
        ),
        client(
            "https://vscode.dev/oauth/client-metadata.json",
            json!(["http://127.0.0.1:33418/", "https://vscode.dev/redirect"]),
            "http://127.0.0.1:49152/",
            true,
            true,
        ),
        client(
            "https://zed.dev/oauth/client-metadata.json",
            json!(["http://127.0.0.1/callback"]),
            "http://127.0.0.1:9/callback",
            true,
            true,
        ),
        client("https://opencode.ai/oauth/opencode/client.json", both, "http://127.0.0.1:19876/callback", false, true),
        client(
            "https://apify.github.io/mcpc/client-metadata.json",
            json!(ports),
            "http://127.0.0.1:13316/callback",
            false,
            false,
        ),
    ];
    all[0].document["grant_types"] = json!(["authorization_code", "urn:ietf:params:oauth:grant-type:jwt-bearer"]);
    all[2].document["token_endpoint_auth_method"] = json!("private_key_jwt");
    all[2].document["token_endpoint_auth_methods_supported"] = json!(["private_key_jwt", "none"]);
    all[4].document["grant_types"] = json!(["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"]);
    all
}

/// Where the documents are.
async fn internet() -> Server {
    let pages: Vec<_> = published()
        .into_iter()
        .map(|client| (client.id["https://".len()..].to_owned(), client.document.to_string()))
        .collect();
    Server::start(move |target| match pages.iter().find(|(page, _)| page == target) {
        Some((_, document)) => Answer::whole("200 OK\r\ncache-control: max-age=3600", document),
        None => Answer::whole("404 Not Found", ""),
    })
    .await
}

struct House {
    server: AuthorizationServer,
    clients: Clients,
}

async fn house(internet: &Server, policy: Policy) -> House {
    let (clock, entropy) = (Arc::new(ManualClock::default()), Arc::new(SeededEntropy::new(1)));
    let people = Arc::new(MemoryAccounts::default());
    let (id, email) = ("ann".into(), "ann@example.org".parse().unwrap());
    people.add_user(&User { id, email, locale: Locale::En, created_at: Timestamp::from_seconds(0) }).await.unwrap();
    let grants = Arc::new(MemoryGrants::new(people));
    let words = ScopeWords { scope: "trips:read".parse().unwrap(), en: String::new(), fr: String::new() };
    let server = AuthorizationServer::new(Parts {
        issuer: Issuer::parse("https://www.example.org").unwrap(),
        resources: vec![ProtectedResource { path: "/mcp".to_owned(), scopes: vec![words] }],
        keys: Keys::load(&[keys::generate(&*entropy).unwrap()]).unwrap(),
        store: Arc::clone(&grants) as _,
        documents: Arc::new(documents(internet, PATIENCE)),
        policy,
        limiter: Arc::new(Windows::default()),
        clock: Arc::clone(&clock) as _,
        entropy: Arc::clone(&entropy) as _,
    });
    House { server, clients: Clients::new(grants, clock, entropy) }
}

impl House {
    async fn authorize(&self, id: &str, redirect: &str) -> Result<Next, AuthorizeError> {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", id)
            .append_pair("redirect_uri", redirect)
            .append_pair("scope", "trips:read offline_access")
            .append_pair("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
            .append_pair("code_challenge_method", "S256")
            .finish();
        let ann = UserId::from("ann");
        self.server.authorize(Person { id: &ann, email: "ann@example.org" }, &query).await
    }

    async fn accepts(&self, client: &Published) -> bool {
        match self.authorize(client.id, client.sends).await {
            Ok(Next::Consent(handle)) => {
                let consent = self.server.consent(&"ann".into(), &handle).await.unwrap().unwrap();
                let host = client.id.split('/').nth(2);
                assert_eq!(consent.client_host.as_deref(), host);
                true
            }
            Err(AuthorizeError::UnknownClient) => false,
            other => panic!("{}: {other:?}", client.id),
        }
    }
}

#[tokio::test]
async fn by_the_published_rules() {
    let internet = internet().await;
    let house = house(&internet, Policy::default()).await;
    for client in published() {
        assert_eq!(house.accepts(&client).await, client.strict, "{}", client.id);
    }
    assert_eq!(internet.accepted(), 8);
    for client in published().iter().filter(|client| client.strict) {
        assert!(house.accepts(client).await, "{}", client.id);
    }
    assert_eq!(internet.accepted(), 8, "what was legal is kept for an hour");
}

#[tokio::test]
async fn with_localhost_allowed() {
    let internet = internet().await;
    let house = house(&internet, Policy { localhost_redirects: true, ..Policy::default() }).await;
    for client in published() {
        assert_eq!(house.accepts(&client).await, client.switched, "{}", client.id);
    }
}

#[tokio::test]
async fn by_preset_without_asking_anyone() {
    let internet = internet().await;
    let house = house(&internet, Policy::default()).await;
    for preset in PRESETS {
        house.clients.add_preset(preset).await.unwrap();
    }
    for client in published().iter().filter(|client| !client.strict) {
        assert!(house.accepts(client).await, "{}", client.id);
        for other in [
            "http://localhost.evil.test/callback",
            "http://127.0.0.1.nip.io/callback",
            "https://127.0.0.1/callback",
            "http://[::1]/callback",
            "http://u@127.0.0.1/callback",
            "http://127.0.0.1:1/other",
        ] {
            let refused = house.authorize(client.id, other).await;
            assert!(matches!(refused, Err(AuthorizeError::RedirectUri)), "{} {other}: {refused:?}", client.id);
        }
    }
    assert_eq!(internet.accepted(), 0);
}
