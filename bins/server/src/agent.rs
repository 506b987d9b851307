//! An agent that plays the whole journey over HTTP, knowing nothing but the MCP address, its client id and, for the
//! person it acts for, a sign-in link.

mod browser;
mod mcp;

use anyhow::{Context, bail, ensure};
use aws_lc_rs::digest;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use btp_kernel::{Entropy, entropy::hex16};
use reqwest::{StatusCode, Url, redirect};
use serde_json::Value;

pub use browser::Browser;
pub use mcp::Session;

/// How the agent is registered.
pub const REDIRECT: &str = "http://127.0.0.1/callback";

/// Discovers, signs in, has the person consent, and returns a session with an access token; `tell` hears of each step.
///
/// # Errors
/// The first step that did not go as the protocol says.
#[expect(clippy::disallowed_methods, reason = "an agent is outside the server and has a client of its own")]
pub async fn sign_in(
    mcp: &Url,
    client_id: &str,
    link: &str,
    entropy: &dyn Entropy,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<Session> {
    let http =
        reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).redirect(redirect::Policy::none()).build()?;
    let (resource, metadata) = discover(&http, mcp).await?;
    let scopes = resource["scopes_supported"].as_array().context("the resource names no scopes")?;
    let scope = scopes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
    tell(format!("Discovered  {mcp} is guarded by {}", metadata["issuer"].as_str().unwrap_or_default()));
    let endpoint = |name: &str| -> anyhow::Result<Url> {
        Ok(metadata[name].as_str().with_context(|| format!("the metadata lacks {name}"))?.parse()?)
    };

    let mut verifier = [0; 32];
    entropy.fill(&mut verifier);
    let verifier = URL_SAFE_NO_PAD.encode(verifier);
    let challenge = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()));
    let state = hex16(entropy);
    let mut authorize = endpoint("authorization_endpoint")?;
    authorize.query_pairs_mut().extend_pairs([
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", REDIRECT),
        ("scope", &scope),
        ("state", &state),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("resource", mcp.as_str()),
    ]);

    let mut browser = Browser::new(http.clone());
    browser.open(link.parse()?).await?;
    browser.submit(&[]).await?;
    tell("Signed in   by the one-time link".to_owned());
    browser.open(authorize).await?;
    let back =
        browser.submit(&[("decision", "authorize")]).await?.context("the consent did not lead back to the agent")?;
    let answer = |name: &str| back.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    ensure!(answer("state").as_deref() == Some(&state), "the state came back changed");
    ensure!(answer("iss").as_deref() == metadata["issuer"].as_str(), "another issuer answered");
    let code = answer("code").context("no code came back")?;
    tell(format!("Consented   {scope}"));

    let form = form(&[
        ("grant_type", "authorization_code"),
        ("client_id", client_id),
        ("code", &code),
        ("code_verifier", &verifier),
        ("redirect_uri", REDIRECT),
        ("resource", mcp.as_str()),
    ]);
    let tokens = json(
        http.post(endpoint("token_endpoint")?)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form)
            .send()
            .await?,
    )
    .await?;
    let token = tokens["access_token"].as_str().context("no access token came back")?;
    tell(format!("Exchanged   the code for a token, scope {}", tokens["scope"].as_str().unwrap_or("?")));
    Ok(Session::new(http, mcp.clone(), token.to_owned()))
}

/// From a refused call to the metadata of the resource and of its authorization server (RFC 9728 §5, RFC 8414 §3).
async fn discover(http: &reqwest::Client, mcp: &Url) -> anyhow::Result<(Value, Value)> {
    let refused = http.post(mcp.clone()).send().await?;
    ensure!(refused.status() == StatusCode::UNAUTHORIZED, "expected 401 without a token, got {}", refused.status());
    let challenge = refused.headers().get("www-authenticate").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let address = challenge.split("resource_metadata=\"").nth(1).and_then(|rest| rest.split('"').next());
    let resource = json(http.get(address.context("the challenge names no metadata")?).send().await?).await?;
    let issuer = resource["authorization_servers"][0].as_str().context("the resource names no authorization server")?;
    let metadata = json(http.get(format!("{issuer}/.well-known/oauth-authorization-server")).send().await?).await?;
    ensure!(metadata["issuer"] == issuer, "the issuer differs from its address");
    Ok((resource, metadata))
}

async fn json(response: reqwest::Response) -> anyhow::Result<Value> {
    let (status, address) = (response.status(), response.url().clone());
    let body = response.bytes().await?;
    if !status.is_success() {
        bail!("{} answered {status}: {}", address.path(), String::from_utf8_lossy(&body));
    }
    serde_json::from_slice(&body).with_context(|| format!("{} answered no JSON", address.path()))
}

fn form(pairs: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
