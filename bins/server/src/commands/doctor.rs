//! `doctor`: one line a problem, exit code 1 when there is one.

use anyhow::bail;
use btp_kernel::{Clock, chain};
use btp_outbound::{Probe, Sight};

use crate::{app, cli::Doctor, config::Config, database, keys, limits::Limits, out::say, system::SystemClock};

/// 2026-01-01: an earlier clock is wrong.
const FIRST_RELEASE: i64 = 1_767_225_600;

pub(super) async fn run(config: &Config, options: &Doctor) -> anyhow::Result<()> {
    let mut problems = Vec::new();
    if let Err(err) = keys::load(config) {
        problems.push(err.to_string());
    }
    problems.extend(app::tls(config).err().map(|err| err.to_string()));
    match database::connect(config).await {
        Err(err) => problems.push(err.to_string()),
        Ok(stores) => match stores.schema().await {
            Err(err) => problems.push(format!("DATABASE_URL: {}", chain(&err))),
            Ok(schema) => {
                let pending = schema.pending.join(", ");
                if !pending.is_empty() && config.is_sqlite() {
                    // The embedded database is brought up to date by whatever opens it next.
                    say(format!("note: the next start applies {pending}"));
                } else if !pending.is_empty() {
                    problems.push(format!("DATABASE_URL: run `migrate`: {pending} not applied"));
                }
                problems.extend(database::refuse_unknown(&schema).err().map(|err| err.to_string()));
            }
        },
    }
    if let Some(mail) = &config.mail {
        let checked = match mail.mailer() {
            Ok(mailer) => mailer.check().await.err().map(|err| err.to_string()),
            Err(err) => Some(err.problem),
        };
        problems.extend(checked.map(|problem| format!("MAILER_URL: {problem}")));
    }
    match Limits::from_config(config) {
        Err(err) => problems.push(err.to_string()),
        Ok(limits) => {
            let problem = limits.check().await.and_then(|check| check.problem);
            problems.extend(problem.map(|problem| format!("REDIS_URL: {problem}")));
        }
    }
    if SystemClock.now().as_seconds() < FIRST_RELEASE {
        problems.push("clock: the machine's clock is in the past; tokens would expire at once".to_owned());
    }
    if options.sources {
        let probes = app::sources(config)?.probe().await;
        problems.extend(probes.iter().filter_map(told));
    }
    for note in config.limit_notes() {
        say(format!("note: {note}"));
    }
    for problem in &problems {
        say(problem);
    }
    if !problems.is_empty() {
        bail!("{} problem(s) found", problems.len());
    }
    say("Everything is well.");
    Ok(())
}

/// Says what is well with a source; what is not is a problem.
fn told(Probe { service, shape, sight }: &Probe) -> Option<String> {
    let source = format!("source {}, {shape}", service.as_str());
    match sight {
        Sight::Known(what) => say(format!("{source}: well ({what})")),
        Sight::Nothing => say(format!("note: {source}: the public route that is looked at is gone; nothing is known")),
        Sight::Trouble(code, why) => return Some(format!("{source}: {}: {why}", code.as_str())),
    }
    None
}
