//! Mails: by the mail server of the configuration, else handed to the operator.

use std::{io::Write, sync::Arc};

use async_trait::async_trait;
use btp_accounts::{Mail, Mailer};
use btp_kernel::BoxError;

use crate::config::{Config, ConfigError};

/// The mailer of this configuration.
pub(crate) fn of(config: &Config) -> Result<Arc<dyn Mailer>, ConfigError> {
    match &config.mail {
        Some(mail) => Ok(Arc::new(mail.mailer()?)),
        None => Ok(Arc::new(StderrMailer)),
    }
}

/// Writes mails to standard error, links and subjects, as plain text and never through the log, so that no log store keeps
/// them.
#[derive(Debug)]
struct StderrMailer;

#[async_trait]
impl Mailer for StderrMailer {
    async fn send(&self, mail: &Mail<'_>) -> Result<(), BoxError> {
        let link = mail.letter.link().map(|link| format!(": {link}")).unwrap_or_default();
        writeln!(std::io::stderr(), "Mail to {}: {}{link}", mail.to.as_str(), mail.subject())?;
        Ok(())
    }
}
