//! `client`.

use anyhow::ensure;
use btp_oauth::presets::Preset;
use serde_json::json;

use crate::{app, cli::Client, config::Config, database, out::say};

pub(super) async fn run(config: &Config, command: Client) -> anyhow::Result<()> {
    let clients = app::clients(&database::open(config).await?);
    match command {
        Client::Add { preset, name, redirect_uris, id } => {
            let client = match preset.as_deref().and_then(Preset::named) {
                Some(preset) => clients.add_preset(preset).await?,
                None => clients.add(id.as_deref(), &name.unwrap_or_default(), redirect_uris).await?,
            };
            say(client.id);
        }
        Client::List { json: as_json } => {
            for client in clients.list().await? {
                if as_json {
                    say(json!({
                        "id": client.id.as_str(), "name": client.name, "redirectUris": client.redirect_uris,
                        "disabled": client.disabled, "createdAt": client.created_at.rfc3339(),
                        "documentFetchedAt": client.document.map(|document| document.fetched_at.rfc3339()),
                    }));
                } else {
                    let state = if client.disabled { "disabled" } else { "enabled " };
                    let source = if client.document.is_some() { "document" } else { "operator" };
                    say(format!(
                        "{state}  {source}  {}  {}  {}",
                        client.id,
                        client.name,
                        client.redirect_uris.join(" ")
                    ));
                }
            }
        }
        Client::Disable { id } => {
            ensure!(clients.disable(&id).await?, "there is no client {id}");
            say(format!("Disabled {id}; its access has ended."));
        }
        Client::Enable { id } => {
            ensure!(clients.enable(&id).await?, "there is no client {id}");
            say(format!("Enabled {id}; people authorize it anew."));
        }
    }
    Ok(())
}
