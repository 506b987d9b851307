//! A whole server without socket, and requests to it.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use btp_accounts::{Accounts, Apps, Locale, SignUp, User};
use btp_domain::{AtOnce, CreateTrip, Planner, Ports, TripId, store::Job};
use btp_kernel::{Clock, Limiter, Principal, UserId, Windows};
use btp_mcp_kit::Catalogue;
use btp_oauth::{AuthorizationServer, Issuer, Keys, Policy, ProtectedResource, ScopeWords, keys};
use btp_testkit::{
    ManualClock, SeededEntropy,
    conformance::Stores,
    memory::{MemoryAccounts, MemoryDocuments, MemoryGrants},
};
use btp_transport::{Check, Parts, Resource, Services, Settings, router};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::doubles::{HILLS, Letters, Nowhere, SessionKeys, Tokens, odd_tools};

/// Where the server is.
pub(crate) const BASE: &str = "https://www.example.org";
/// Its host.
pub(crate) const HOST: &str = "www.example.org";
/// Headers of a form.
pub(crate) const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
/// Headers of a browser that wants a page.
pub(crate) const HTML: (&str, &str) = ("accept", "text/html");
/// Headers of a browser that comes from a page of ours.
pub(crate) const OURS: (&str, &str) = ("origin", BASE);
/// Revision of the stateless era.
pub(crate) const MODERN: &str = "2026-07-28";

/// A server.
pub(crate) struct World {
    pub(crate) router: Router,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) accounts: Accounts,
    pub(crate) letters: Arc<Letters>,
    pub(crate) planner: Planner,
    pub(crate) stores: Stores,
    pub(crate) authorization: AuthorizationServer,
    pub(crate) grants: Arc<MemoryGrants>,
    pub(crate) documents: Arc<MemoryDocuments>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    /// A header.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of the JSON-RPC error, 0 when there is none.
    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or(0)
    }
}

impl World {
    /// A server with the published limits.
    pub(crate) async fn new() -> Self {
        Self::with(BTreeMap::new(), &[]).await
    }

    /// A server with other limits and trusted proxies.
    pub(crate) async fn with(limits: BTreeMap<&'static str, (u32, u32)>, proxies: &[&str]) -> Self {
        Self::build(limits, proxies, SignUp::Invite).await
    }

    /// A server where everyone may sign up.
    pub(crate) async fn open() -> Self {
        Self::build(BTreeMap::new(), &[], SignUp::Open).await
    }

    async fn build(limits: BTreeMap<&'static str, (u32, u32)>, proxies: &[&str], sign_up: SignUp) -> Self {
        let (stores, clock) = (Stores::memory(), Arc::new(ManualClock::default()));
        let entropy = Arc::new(SeededEntropy::new(7));
        let limiter: Arc<dyn Limiter> = Arc::new(Windows::new(limits));
        let planner = Planner::new(Ports {
            trips: Arc::clone(&stores.trips),
            confirmations: Arc::clone(&stores.confirmations),
            limiter: Arc::clone(&limiter),
            sources: Arc::new(Nowhere),
            zones: Arc::new(Nowhere),
            places: Vec::new(),
            aside: Arc::new(AtOnce),
            clock: Arc::clone(&clock) as _,
            entropy: Arc::clone(&entropy) as _,
        });
        let people = Arc::new(MemoryAccounts::default());
        let letters = Arc::new(Letters::default());
        let accounts = Accounts::new(btp_accounts::Parts {
            store: Arc::clone(&people) as _,
            mailer: Arc::clone(&letters) as _,
            limiter: Arc::clone(&limiter),
            clock: Arc::clone(&clock) as _,
            entropy: Arc::clone(&entropy) as _,
            base: BASE.to_owned(),
            sign_up,
        });
        let new_keys = || Keys::load(&[keys::generate(&*entropy).unwrap()]).unwrap();
        let apps = Apps::new(accounts.clone(), Arc::new(SessionKeys(new_keys())));
        let grants = Arc::new(MemoryGrants::new(people));
        let documents = Arc::new(MemoryDocuments::default());
        let trips = resource("/mcp", &["trips:read", "trips:write"]);
        let tests = resource("/tests/mcp", &["tests:run"]);
        let authorization = AuthorizationServer::new(btp_oauth::Parts {
            issuer: Issuer::parse(BASE).unwrap(),
            resources: vec![trips.clone(), tests.clone()],
            keys: new_keys(),
            store: Arc::clone(&grants) as _,
            documents: Arc::clone(&documents) as _,
            policy: Policy::default(),
            limiter: Arc::clone(&limiter),
            clock: Arc::clone(&clock) as _,
            entropy: Arc::clone(&entropy) as _,
        });
        let catalogue = btp_mcp_tools::catalogue(planner.clone(), BASE, Arc::clone(&limiter), Arc::clone(&clock) as _);
        let odd = Catalogue::new(odd_tools(), Arc::clone(&limiter), Arc::clone(&clock) as _);
        let instructions = btp_mcp_tools::INSTRUCTIONS;
        let services = Services::new(Parts {
            settings: Settings::new(
                BASE,
                &["https://app.example.org".to_owned()],
                proxies.iter().map(|net| net.parse().unwrap()).collect(),
            )
            .unwrap(),
            planner: planner.clone(),
            authorization: authorization.clone(),
            authenticate: Arc::new(Tokens::of(authorization.clone())),
            accounts: accounts.clone(),
            apps,
            resources: vec![
                endpoint(trips, catalogue, "bike-trip-planner", instructions),
                endpoint(tests, odd, "odd-tools", "Tools that misbehave."),
            ],
            limiter,
            clock: Arc::clone(&clock) as _,
            readiness: Arc::new(|| Box::pin(async { vec![Check { name: "database", problem: None, vital: true }] })),
            contexts: btp_mcp_tools::contexts(BASE),
        });
        Self { router: router(services), clock, accounts, letters, planner, stores, authorization, grants, documents }
    }

    /// Does the jobs that are due.
    pub(crate) async fn work(&self) {
        let hold = Duration::from_secs(60);
        while let Some(job) = self.stores.jobs.claim("worker", self.clock.now(), hold).await.unwrap() {
            let Job::FetchRoute { owner, trip } = &job.job;
            self.planner.background().fetch_route(owner, trip, &job.lease).await.unwrap();
        }
    }

    /// Sends a request from 203.0.113.9 to our host, other headers as given.
    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.send_from("203.0.113.9", method, path, headers, body.to_owned()).await
    }

    /// The bytes at an address that anyone may read.
    pub(crate) async fn fetch(&self, path: &str) -> Vec<u8> {
        let request = Request::get(path).header("host", HOST).body(Body::empty()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.into_body().collect().await.unwrap().to_bytes().to_vec()
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    /// Sends a request from an address.
    pub(crate) async fn send_from(
        &self,
        peer: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("host", HOST);
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let mut request = request.body(body.into()).unwrap();
        let peer: SocketAddr = SocketAddr::new(peer.parse().unwrap(), 4711);
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Reply { status: parts.status, headers: parts.headers, text: String::from_utf8(body.to_vec()).unwrap() }
    }

    /// POSTs to the trips endpoint with a token, as JSON.
    pub(crate) async fn post(&self, token: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.post_to("/mcp", token, headers, body).await
    }

    pub(crate) async fn post_to(&self, path: &str, token: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let bearer = format!("Bearer {token}");
        let mut all = vec![("authorization", bearer.as_str()), ("content-type", "application/json")];
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        all.extend(headers);
        self.send("POST", path, &all, body).await
    }

    /// Calls a tool of the handshake era as ann with both scopes.
    pub(crate) async fn call(&self, tool: &str, arguments: &Value) -> Reply {
        self.call_as("rw", tool, arguments).await
    }

    pub(crate) async fn call_as(&self, token: &str, tool: &str, arguments: &Value) -> Reply {
        self.post(token, &[], &call(1, tool, arguments)).await
    }

    /// Sends a request of the stateless era.
    pub(crate) async fn modern(&self, token: &str, method: &str, name: &str, params: Value) -> Reply {
        let headers = [("mcp-protocol-version", MODERN), ("mcp-method", method), ("mcp-name", name)];
        self.post(token, &headers, &modern(7, method, params).to_string()).await
    }

    /// A trip of this person with days: 300 km over hills from 1 July 2099.
    pub(crate) async fn planned(&self, user: &UserId, title: &str) -> TripId {
        let start = Some("2099-07-01".parse().unwrap());
        let command = CreateTrip {
            source_url: format!("https://www.komoot.com/tour/{HILLS}"),
            title: Some(title.to_owned()),
            settings: btp_domain::Settings { start_date: start, ..Default::default() },
            key: None,
            arguments: title.to_owned(),
        };
        let trip = self.planner.create_trip(&self.person(user), command).await.unwrap().trip;
        self.work().await;
        trip
    }

    /// A person acting for themselves.
    pub(crate) fn person(&self, user: &UserId) -> Principal {
        let scopes = self.authorization.every_scope();
        Principal { user: user.clone(), client: Principal::PERSON.into(), scopes }
    }

    /// A signed-in person's session cookie.
    pub(crate) async fn cookie(&self, email: &str) -> (User, String) {
        self.cookie_in(email, Locale::En).await
    }

    /// The session cookie of a person who reads that language.
    pub(crate) async fn cookie_in(&self, email: &str, locale: Locale) -> (User, String) {
        let user = self.accounts.add(email, locale).await.unwrap();
        let link = self.accounts.sign_in_link(email).await.unwrap().unwrap();
        let token = link.rsplit_once('=').unwrap().1;
        let session = self.accounts.sign_in(token).await.unwrap().unwrap();
        (user, format!("other=1; refresh_token={}", session.token()))
    }
}

/// A request of the handshake era.
pub(crate) fn request(id: impl Into<Value>, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

/// A tool call of the handshake era.
pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: &Value) -> String {
    request(id, "tools/call", &json!({"name": tool, "arguments": arguments})).to_string()
}

/// A request of the stateless era.
pub(crate) fn modern(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(id, method, &params)
}

fn resource(path: &str, scopes: &[&str]) -> ProtectedResource {
    let words =
        |scope: &&str| ScopeWords { scope: scope.parse().unwrap(), en: "Do".to_owned(), fr: "Faire".to_owned() };
    ProtectedResource { path: path.to_owned(), scopes: scopes.iter().map(words).collect() }
}

fn endpoint(protected: ProtectedResource, catalogue: Catalogue, name: &str, instructions: &str) -> Resource {
    let (title, version) = ("Test".to_owned(), "1.0.0".to_owned());
    Resource { protected, catalogue, name: name.to_owned(), title, version, instructions: instructions.to_owned() }
}
