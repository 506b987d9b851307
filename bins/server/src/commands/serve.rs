//! `serve` and `worker`.

use std::net::TcpListener;

use anyhow::Context;

use crate::{
    app::App,
    cli::Serve,
    config::{Config, ConfigError, Env},
    metrics::{self, Counters},
    out::say,
    stop::stop_signal,
};

/// Arguments win over the environment.
pub(super) fn override_env(serve: &Serve, env: &mut Env) {
    if let Some(listen) = serve.listen {
        env.insert("LISTEN".to_owned(), listen.to_string());
    }
    if let Some(folder) = &serve.data_dir {
        env.insert("DATA_DIR".to_owned(), folder.display().to_string());
    }
}

pub(super) async fn run(
    mut config: Config,
    mut env: Env,
    work: bool,
    counters: Option<Counters>,
) -> anyhow::Result<()> {
    if config.is_sqlite() && !work {
        return Err(
            ConfigError::new("DATABASE_URL", "--no-worker needs PostgreSQL: on SQLite one process does all").into()
        );
    }
    let listener = TcpListener::bind(config.listen)
        .map_err(|err| ConfigError::new("LISTEN", format!("cannot listen on {}: {err}", config.listen)))?;
    if config.listen.port() == 0 {
        // Port 0 asks for a free one; what derives from the address is known only now.
        env.insert("LISTEN".to_owned(), listener.local_addr()?.to_string());
        config = Config::from_env(&env)?;
    }
    let app = App::build(&config).await?;
    for note in config.limit_notes() {
        tracing::warn!("{note}");
    }
    if !config.is_sqlite() && config.redis_url.is_none() {
        tracing::warn!("limits count in each process apart; set REDIS_URL for several");
    }
    say(format!("Serving {}", config.base));
    show(&config, counters)?;
    app.serve(listener, work, stop_signal()).await
}

pub(super) async fn worker(config: &Config, counters: Option<Counters>) -> anyhow::Result<()> {
    if config.is_sqlite() {
        return Err(
            ConfigError::new("DATABASE_URL", "`worker` needs PostgreSQL: on SQLite `serve` does the work").into()
        );
    }
    let app = App::build(config).await.context("cannot start the worker")?;
    say("Working");
    show(config, counters)?;
    app.work(stop_signal()).await;
    Ok(())
}

/// Shows the counters where the configuration says.
fn show(config: &Config, counters: Option<Counters>) -> Result<(), ConfigError> {
    let (Some(address), Some(counters)) = (config.metrics_listen, counters) else { return Ok(()) };
    let refused =
        |err: std::io::Error| ConfigError::new("METRICS_LISTEN", format!("cannot listen on {address}: {err}"));
    let listener = TcpListener::bind(address).map_err(refused)?;
    say(format!("Metrics http://{}/metrics", listener.local_addr().map_err(refused)?));
    tokio::spawn(metrics::serve(listener, counters));
    Ok(())
}
