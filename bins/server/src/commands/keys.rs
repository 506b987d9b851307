//! `keys`.

use crate::{cli::Keys, config::Config, keys, out::say};

pub(super) fn run(config: &Config, command: &Keys) -> anyhow::Result<()> {
    match command {
        Keys::Generate => {
            let made = keys::make_missing(config)?;
            keys::load(config)?;
            for path in &made {
                say(format!("Made {}", path.display()));
            }
            if made.is_empty() {
                say("Both keys exist already; nothing was changed.");
            }
            Ok(())
        }
    }
}
