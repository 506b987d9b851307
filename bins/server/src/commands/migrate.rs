//! `migrate`.

use crate::{config::Config, database, out::say};

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let stores = database::connect(config).await?;
    let schema = stores.schema().await?;
    database::refuse_unknown(&schema)?;
    stores.migrate().await?;
    for name in &schema.pending {
        say(format!("Applied {name}"));
    }
    if schema.pending.is_empty() {
        say("The database is up to date.");
    }
    Ok(())
}
