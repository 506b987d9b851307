//! `sign-in-link`.

use crate::{app, config::Config, database, out::say};

pub(super) async fn run(config: &Config, email: &str) -> anyhow::Result<()> {
    let stores = database::open(config).await?;
    say(app::sign_in_link(&app::accounts(config, &stores)?, email).await?);
    Ok(())
}
