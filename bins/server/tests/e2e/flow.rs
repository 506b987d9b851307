//! The OAuth flow step by step, with every secret of it in hand.

use btp_server::agent::{self, Browser};
use reqwest::{Client, Url, redirect};
use serde_json::{Value, json};

use crate::server::{Installation, Server};

/// Challenge and verifier of RFC 7636 appendix B.
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CLIENT: &str = "test-agent";

/// A signed-in person at `base`, and their agent.
pub(crate) struct Flow {
    pub(crate) http: Client,
    pub(crate) base: String,
    pub(crate) browser: Browser,
}

/// What was answered.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) json: Value,
}

impl Reply {
    pub(crate) fn text(&self, name: &str) -> String {
        self.json[name].as_str().unwrap_or_else(|| panic!("no {name} in {}", self.json)).to_owned()
    }
}

impl Flow {
    pub(crate) async fn signed_in(installation: &Installation, server: &Server, email: &str) -> Self {
        installation.ok(&["user", "add", email]);
        let client = ["client", "add", "--name", "Test agent", "--id", CLIENT, "--redirect-uri", agent::REDIRECT];
        installation.ok(&client);
        let http = Client::builder().no_proxy().redirect(redirect::Policy::none()).build().unwrap();
        let mut browser = Browser::new(http.clone());
        browser.open(installation.link(server, email).parse().unwrap()).await.unwrap();
        browser.submit(&[]).await.unwrap();
        Self { http, base: server.base.clone(), browser }
    }

    /// A new code.
    pub(crate) async fn code(&mut self) -> String {
        let mut authorize: Url = format!("{}/oauth/authorize", self.base).parse().unwrap();
        authorize.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", CLIENT),
            ("redirect_uri", agent::REDIRECT),
            ("scope", "trips:read trips:write"),
            ("state", "a-state"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ]);
        self.browser.open(authorize).await.unwrap();
        let back = self.browser.submit(&[("decision", "authorize")]).await.unwrap().expect("back at the agent");
        back.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned()
    }

    /// Posts a form of the client's to the node at `node`.
    pub(crate) async fn post(&self, node: &str, path: &str, fields: &[(&str, &str)]) -> Reply {
        let fields = [("client_id", CLIENT)].into_iter().chain(fields.iter().copied());
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.http.post(format!("{node}{path}"));
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
        Self::reply(request.send().await.unwrap()).await
    }

    pub(crate) async fn redeem(&self, node: &str, code: &str, verifier: &str) -> Reply {
        let fields = [("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier)];
        self.post(node, "/oauth/token", &fields).await
    }

    pub(crate) async fn refresh(&self, node: &str, token: &str) -> Reply {
        self.post(node, "/oauth/token", &[("grant_type", "refresh_token"), ("refresh_token", token)]).await
    }

    /// The status of a call at the node at `node`, which stands for `base`.
    pub(crate) async fn call(&self, node: &str, token: &str) -> u16 {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}).to_string();
        let host = self.base.trim_start_matches("http://");
        let request = self.http.post(format!("{node}/mcp")).header("host", host).bearer_auth(token).body(body);
        request.header("content-type", "application/json").send().await.unwrap().status().as_u16()
    }

    pub(crate) async fn ready(&self, node: &str) -> Reply {
        Self::reply(self.http.get(format!("{node}/readyz")).send().await.unwrap()).await
    }

    async fn reply(response: reqwest::Response) -> Reply {
        let status = response.status().as_u16();
        let body = response.bytes().await.unwrap();
        Reply { status, json: serde_json::from_slice(&body).unwrap_or(Value::Null) }
    }
}
