//! An authorization server with ann, bob and three clients.

use std::{sync::Arc, time::Duration};

use btp_accounts::{Locale, User, store::AccountStore};
use btp_kernel::{Timestamp, UserId, Windows};
use btp_oauth::{
    AuthorizationServer, AuthorizeError, Issuer, Keys, Next, Parts, Person, Policy, ProtectedResource, ScopeWords,
    TokenError, Tokens, keys,
    store::{Client, Decision, GrantStore},
};
use btp_testkit::{
    ManualClock, SeededEntropy,
    memory::{MemoryAccounts, MemoryDocuments, MemoryGrants},
};
use url::{Url, form_urlencoded};

pub(crate) const BASE: &str = "https://www.example.org";
pub(crate) const TRIPS: &str = "https://www.example.org/mcp";
pub(crate) const GEAR: &str = "https://www.example.org/gear";
/// Challenge and verifier of RFC 7636 appendix B.
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const NOW: Timestamp = Timestamp::from_seconds(1_780_300_800);
/// How long a refresh can be repeated.
pub(crate) const GRACE: Duration = Duration::from_secs(30);
/// Redirect of the client `agent`.
pub(crate) const CALLBACK: &str = "http://127.0.0.1:4711/callback";

pub(crate) struct House {
    pub(crate) server: AuthorizationServer,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) people: Arc<MemoryAccounts>,
    pub(crate) grants: Arc<MemoryGrants>,
    /// What clients publish.
    pub(crate) documents: Arc<MemoryDocuments>,
    /// PEM of the signing key, to forge with.
    pub(crate) pem: String,
}

impl House {
    pub(crate) async fn new() -> Self {
        Self::with(Policy::default()).await
    }

    /// A house whose operator decided otherwise.
    pub(crate) async fn with(policy: Policy) -> Self {
        let clock = Arc::new(ManualClock::default());
        let people = Arc::new(MemoryAccounts::default());
        let grants = Arc::new(MemoryGrants::new(Arc::clone(&people)));
        for name in ["ann", "bob"] {
            let email = format!("{name}@example.org").parse().unwrap();
            let user = User { id: name.into(), email, locale: Locale::En, created_at: NOW };
            people.add_user(&user).await.unwrap();
        }
        let pem = keys::generate(&SeededEntropy::new(1)).unwrap();
        let documents = Arc::new(MemoryDocuments::default());
        let server = server(Keys::load(&[&pem]).unwrap(), &grants, &documents, policy, &clock);
        let house = Self { server, clock, people, grants, documents, pem };
        house.client("agent", &["http://127.0.0.1/callback"]).await;
        house.client("other", &["http://127.0.0.1/callback"]).await;
        house.client("web", &["https://web.example.org/cb?keep=1", "https://web.example.org/other"]).await;
        house
    }

    /// Another server over the same stores, with other keys.
    pub(crate) fn with_keys(&self, keys: Keys) -> AuthorizationServer {
        server(keys, &self.grants, &self.documents, Policy::default(), &self.clock)
    }

    /// Another server over the same stores, whose operator decided otherwise.
    pub(crate) fn with_policy(&self, policy: Policy) -> AuthorizationServer {
        server(Keys::load(&[&self.pem]).unwrap(), &self.grants, &self.documents, policy, &self.clock)
    }

    pub(crate) async fn client(&self, id: &str, redirects: &[&str]) {
        let client = Client {
            id: id.into(),
            name: format!("The {id}"),
            redirect_uris: redirects.iter().map(|&uri| uri.to_owned()).collect(),
            disabled: false,
            created_at: NOW,
            document: None,
        };
        self.grants.put_client(&client).await.unwrap();
    }

    pub(crate) async fn authorize(&self, who: &str, query: &str) -> Result<Next, AuthorizeError> {
        let (id, email) = (UserId::from(who), format!("{who}@example.org"));
        self.server.authorize(Person { id: &id, email: &email }, query).await
    }

    /// Both passes with an answer in between; where the client is sent.
    pub(crate) async fn answered(&self, who: &str, query: &str, decision: Decision) -> Url {
        let Next::Consent(handle) = self.authorize(who, query).await.unwrap() else { panic!("no consent: {query}") };
        let back = self.server.decide(&who.into(), &handle, decision).await.unwrap().expect("recorded");
        match self.authorize(who, &back).await.unwrap() {
            Next::Client(location) => location.parse().unwrap(),
            Next::Consent(_) => panic!("asked again"),
        }
    }

    /// A code of ann's for `agent`.
    pub(crate) async fn code(&self, scope: &str) -> String {
        let location = self.answered("ann", &query(&[("scope", scope)]), Decision::Authorize).await;
        parameter(&location, "code").expect("a code")
    }

    pub(crate) async fn token(&self, form: &[(&str, &str)]) -> Result<Tokens, TokenError> {
        self.server.token(encoded(form).as_bytes()).await
    }

    pub(crate) async fn redeem(&self, code: &str) -> Result<Tokens, TokenError> {
        self.token(&redemption(code)).await
    }

    pub(crate) async fn refresh(&self, token: &str) -> Result<Tokens, TokenError> {
        self.token(&refreshing(token)).await
    }

    /// Tokens of ann for `agent` with both scopes.
    pub(crate) async fn tokens(&self) -> Tokens {
        let code = self.code("trips:read trips:write").await;
        self.redeem(&code).await.unwrap_or_else(|err| panic!("{err}"))
    }

    /// The scopes of an access token on the trips, `None` when it is refused.
    pub(crate) async fn scopes(&self, bearer: &str) -> Option<String> {
        self.server.principal(bearer, TRIPS).await.ok().map(|principal| principal.scopes.to_string())
    }
}

/// A legal request of `agent` for ann's trips, with parameters replaced (an empty value removes one).
pub(crate) fn query(changes: &[(&str, &str)]) -> String {
    let mut pairs = vec![
        ("response_type", "code"),
        ("client_id", "agent"),
        ("redirect_uri", CALLBACK),
        ("scope", "trips:read trips:write"),
        ("state", "a&b%00é"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("resource", TRIPS),
    ];
    pairs.retain(|(name, _)| !changes.iter().any(|(other, _)| other == name));
    pairs.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
    encoded(&pairs)
}

pub(crate) fn redemption(code: &str) -> Vec<(&str, &str)> {
    vec![
        ("grant_type", "authorization_code"),
        ("client_id", "agent"),
        ("code", code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", CALLBACK),
        ("resource", TRIPS),
    ]
}

pub(crate) fn refreshing(token: &str) -> Vec<(&str, &str)> {
    vec![("grant_type", "refresh_token"), ("client_id", "agent"), ("refresh_token", token)]
}

/// `form` with one parameter replaced; an empty value removes it.
pub(crate) fn changed<'a>(mut form: Vec<(&'a str, &'a str)>, name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    form.retain(|(other, _)| *other != name);
    if !value.is_empty() {
        form.push((name, value));
    }
    form
}

pub(crate) fn encoded(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

pub(crate) fn parameter(url: &Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(other, _)| other == name).map(|(_, value)| value.into_owned())
}

fn server(
    keys: Keys,
    grants: &Arc<MemoryGrants>,
    documents: &Arc<MemoryDocuments>,
    policy: Policy,
    clock: &Arc<ManualClock>,
) -> AuthorizationServer {
    AuthorizationServer::new(Parts {
        issuer: Issuer::parse(BASE).unwrap(),
        resources: vec![resource("/mcp", &["trips:read", "trips:write"]), resource("/gear", &["gear:read"])],
        keys,
        store: Arc::clone(grants) as _,
        documents: Arc::clone(documents) as _,
        policy,
        limiter: Arc::new(Windows::default()),
        clock: Arc::clone(clock) as _,
        entropy: Arc::new(SeededEntropy::new(2)),
    })
}

fn resource(path: &str, scopes: &[&str]) -> ProtectedResource {
    let words = |scope: &&str| ScopeWords {
        scope: scope.parse().unwrap(),
        en: format!("Do {scope}"),
        fr: format!("Faire {scope}"),
    };
    ProtectedResource { path: path.to_owned(), scopes: scopes.iter().map(words).collect() }
}
