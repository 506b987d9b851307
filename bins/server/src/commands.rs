//! One file a command; all of them begin with the same configuration.

mod client;
mod doctor;
mod keys;
mod migrate;
mod serve;
mod sign_in_link;
mod user;

use std::io::Write;

use btp_accounts::AccountError;
use btp_oauth::ClientError;

use crate::{
    cli::Command,
    config::{Config, Env},
    demo,
    metrics::Counters,
    telemetry,
};

/// Runs a command to its end.
///
/// # Errors
/// What to tell the operator; a [`crate::config::ConfigError`] in the chain when a setting is to blame.
pub fn run(command: Command, mut env: Env) -> anyhow::Result<()> {
    if let Command::Serve(serve) = &command {
        serve::override_env(serve, &mut env);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        if let Command::Demo(demo) = &command {
            telemetry::start(env.get("LOG").map_or("warn", String::as_str), None)?;
            return demo::run(demo, &env).await;
        }
        let config = Config::from_env(&env)?;
        let counters = config.metrics_listen.map(|_| Counters::default());
        telemetry::start(&config.log, counters.clone())?;
        match command {
            Command::Serve(options) => serve::run(config, env, !options.no_worker, counters).await,
            Command::Worker => serve::worker(&config, counters).await,
            Command::Migrate => migrate::run(&config).await,
            Command::User(command) => user::run(&config, command).await,
            Command::SignInLink { email } => sign_in_link::run(&config, &email).await,
            Command::Client(command) => client::run(&config, command).await,
            Command::Keys(command) => keys::run(&config, &command),
            Command::Doctor(options) => doctor::run(&config, &options).await,
            Command::Demo(_) => Ok(()),
        }
    })
}

/// Whether a command failed because of what an argument says, so that running it again cannot help.
pub fn blames_arguments(err: &anyhow::Error) -> bool {
    use ClientError::{Id, Name, Redirect, Redirects};
    matches!(err.downcast_ref(), Some(AccountError::Email(_)))
        || matches!(err.downcast_ref(), Some(Id | Name | Redirect(_) | Redirects))
}

/// Tells the operator what went wrong, on standard error.
pub fn complain(problem: &str) {
    let _ = writeln!(std::io::stderr(), "bike-trip-planner: {problem}");
}
