//! `demo`: the product shown with no network and nothing kept.

mod plan;
mod route;
mod source;

use std::{net::TcpListener, time::Duration};

use anyhow::Context;
use btp_accounts::Locale;
use url::Url;

use crate::{
    agent,
    app::App,
    cli::Demo,
    config::{Config, Env},
    out::say,
    stop::stop_signal,
    system::SystemEntropy,
};

const EMAIL: &str = "demo@example.org";
const CLIENT: &str = "demo-agent";

/// Runs the demo: serves until stopped, or with `--check` plays one agent session and returns.
pub(crate) async fn run(demo: &Demo, env: &Env) -> anyhow::Result<()> {
    let folder = Folder::new()?;
    let listener = TcpListener::bind(demo.listen.unwrap_or(([127, 0, 0, 1], 0).into())).context("cannot listen")?;
    let address = listener.local_addr()?;
    let source = source::start().await?;
    let mut env: Env =
        env.iter().filter(|(name, _)| name.as_str() == "LOG").map(|(n, v)| (n.clone(), v.clone())).collect();
    env.insert("DEFAULT_URI".to_owned(), format!("http://{address}"));
    env.insert("LISTEN".to_owned(), address.to_string());
    env.insert("DATA_DIR".to_owned(), folder.0.display().to_string());
    env.insert("KOMOOT_URL".to_owned(), source.to_string());
    env.insert("NOMINATIM_URL".to_owned(), "off".to_owned());
    env.insert("SOURCES_DISABLED".to_owned(), "ridewithgps,strava".to_owned());
    let config = Config::from_env(&env)?;
    let app = App::build(&config).await?;
    app.accounts().add(EMAIL, Locale::En).await?;
    let link = app.sign_in_link(EMAIL).await?;
    app.clients().add(Some(CLIENT), "Demo agent", redirects()).await?;
    let mcp: Url = app.mcp_address().parse()?;

    if !demo.check {
        say(format!("MCP address    {mcp}"));
        say(format!("Sign in        {link}"));
        say(format!("Client id      {CLIENT}"));
        say(format!("Try a route    https://www.komoot.com/tour/{}", source::TOUR));
        say("");
        say("Paste into Claude Code, then ask it to plan the route above:");
        say(format!(
            "  claude mcp add --transport http --client-id {CLIENT} --callback-port 8765 bike-trip-planner {mcp}"
        ));
        say("");
        say("Stop with Ctrl-C; nothing is kept.");
        return app.serve(listener, true, stop_signal()).await;
    }
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(app.serve(listener, true, async { drop(stopped.await) }));
    let played = tokio::time::timeout(Duration::from_secs(60), play(&mcp, &link)).await;
    drop(stop);
    serving.await??;
    played.context("the session took more than a minute")?
}

async fn play(mcp: &Url, link: &str) -> anyhow::Result<()> {
    let session = agent::sign_in(mcp, CLIENT, link, &SystemEntropy, &|step| say(step)).await?;
    plan::play(&session).await
}

/// A throw-away folder, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> anyhow::Result<Self> {
        let name = format!("bike-trip-planner-demo-{}", btp_kernel::entropy::hex16(&SystemEntropy));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where the demo's client may be sent back to: by address, and by name as some agents call back.
fn redirects() -> Vec<String> {
    vec![agent::REDIRECT.to_owned(), "http://localhost:8765/callback".to_owned()]
}
