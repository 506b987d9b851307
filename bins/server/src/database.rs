//! Opening the database, and refusing one that is not for this version.

use std::path::Path;

use btp_kernel::chain;
use btp_storage::{Schema, ServingLock, Stores};

use crate::{
    config::{Config, ConfigError},
    private,
};

/// Connects; the schema is not looked at.
pub(crate) async fn connect(config: &Config) -> Result<Stores, ConfigError> {
    if let Some(file) = config.sqlite_file() {
        let folder = file.parent().unwrap_or(Path::new(""));
        // The file is made before SQLite makes it readable to everyone; those beside it take its mode.
        private::folder(folder).and_then(|()| private::file(&file)).map_err(|err| {
            let setting = if folder.starts_with(&config.data_dir) { "DATA_DIR" } else { "DATABASE_URL" };
            ConfigError::new(setting, format!("cannot open or make {}: {err}", file.display()))
        })?;
    }
    btp_storage::connect(&config.database_url).await.map_err(|err| ConfigError::new("DATABASE_URL", chain(&err)))
}

/// Connects to a database that is ready to use: the embedded one is brought up to date, PostgreSQL must be already.
pub(crate) async fn open(config: &Config) -> anyhow::Result<Stores> {
    let stores = connect(config).await?;
    prepare(config, &stores).await?;
    Ok(stores)
}

/// Brings the embedded database up to date; refuses any other that is not.
pub(crate) async fn prepare(config: &Config, stores: &Stores) -> anyhow::Result<()> {
    let schema = stores.schema().await?;
    refuse_unknown(&schema)?;
    if config.is_sqlite() {
        stores.migrate().await?;
    } else if !schema.pending.is_empty() {
        let problem = format!("the database lacks {}; run `bike-trip-planner migrate`", schema.pending.join(", "));
        return Err(ConfigError::new("DATABASE_URL", problem).into());
    }
    Ok(())
}

/// Holds the embedded database for this serving process; `None` on PostgreSQL.
pub(crate) fn lock(config: &Config) -> Result<Option<ServingLock>, ConfigError> {
    let Some(file) = config.sqlite_file() else { return Ok(None) };
    btp_storage::lock_for_serving(&file).map(Some).map_err(|err| ConfigError::new("DATABASE_URL", chain(&err)))
}

/// Refuses a schema that holds migrations of another version.
pub(crate) fn refuse_unknown(schema: &Schema) -> Result<(), ConfigError> {
    if schema.unknown.is_empty() {
        return Ok(());
    }
    let problem = format!(
        "the database holds {}, which this version does not know; use the version that applied it",
        schema.unknown.join(", ")
    );
    Err(ConfigError::new("DATABASE_URL", problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_of_a_later_version_is_refused() {
        assert_eq!(refuse_unknown(&Schema { pending: vec!["m1".to_owned()], unknown: Vec::new() }), Ok(()));
        let later = Schema { pending: Vec::new(), unknown: vec!["m2".to_owned()] };
        assert!(refuse_unknown(&later).unwrap_err().to_string().starts_with("DATABASE_URL: the database holds m2"));
    }
}
