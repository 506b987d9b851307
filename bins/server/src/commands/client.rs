//! `client`.

use anyhow::ensure;
use serde_json::json;

use crate::{app, cli::Client, config::Config, database, out::say};

pub(super) async fn run(config: &Config, command: Client) -> anyhow::Result<()> {
    let clients = app::clients(&database::open(config).await?);
    match command {
        Client::Add { name, redirect_uris, id } => {
            let client = clients.add(id.as_deref(), &name, redirect_uris).await?;
            say(client.id);
        }
        Client::List { json: as_json } => {
            for client in clients.list().await? {
                if as_json {
                    say(json!({
                        "id": client.id.as_str(), "name": client.name, "redirectUris": client.redirect_uris,
                        "disabled": client.disabled, "createdAt": client.created_at.rfc3339(),
                    }));
                } else {
                    let state = if client.disabled { "disabled" } else { "enabled " };
                    say(format!("{state}  {}  {}  {}", client.id, client.name, client.redirect_uris.join(" ")));
                }
            }
        }
        Client::Disable { id } => {
            ensure!(clients.disable(&id).await?, "there is no client {id}");
            say(format!("Disabled {id}; its access has ended."));
        }
    }
    Ok(())
}
