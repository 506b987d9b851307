//! `user`.

use anyhow::{Context, ensure};
use btp_accounts::Locale;
use serde_json::json;

use crate::{app, cli::User, config::Config, database, out::say};

pub(super) async fn run(config: &Config, command: User) -> anyhow::Result<()> {
    let accounts = app::accounts(config, &database::open(config).await?)?;
    match command {
        User::Add { email, locale } => {
            let locale = Locale::from_tag(&locale).context("--locale is en or fr")?;
            let user = accounts.add(&email, locale).await?;
            say(format!("Added {} ({})", user.email.as_str(), user.id));
        }
        User::List { json: as_json } => {
            for user in accounts.list().await? {
                let created = user.created_at.rfc3339();
                if as_json {
                    say(
                        json!({"id": user.id.as_str(), "email": user.email.as_str(), "locale": user.locale.as_str(), "createdAt": created}),
                    );
                } else {
                    say(format!("{}  {}  {}  {}", user.id, user.locale.as_str(), created, user.email.as_str()));
                }
            }
        }
        User::ChangeEmail { from, to } => {
            ensure!(accounts.readdress(&from, &to).await?, "nobody has the address {from}");
            say(format!("{from} is now {to}; every session and all access have ended."));
        }
        User::Delete { email } => {
            ensure!(accounts.delete(&email).await?, "nobody has the address {email}");
            say(format!("Deleted {email} with all its trips."));
        }
    }
    Ok(())
}
