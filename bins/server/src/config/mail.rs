//! How mails are sent.

use btp_outbound::{MailSettingError, SmtpMailer};

use super::ConfigError;

/// A mail server and who mails come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSettings {
    /// `smtps://…` or `smtp://…`.
    pub server: String,
    /// The sender.
    pub from: String,
}

impl MailSettings {
    /// The mailer that they make.
    pub(crate) fn mailer(&self) -> Result<SmtpMailer, ConfigError> {
        SmtpMailer::new(&self.server, &self.from).map_err(|err| {
            let setting = if err == MailSettingError::From { "MAILER_FROM" } else { "MAILER_URL" };
            ConfigError::new(setting, err.to_string())
        })
    }
}

pub(super) fn from_settings(server: Option<&str>, from: Option<&str>) -> Result<Option<MailSettings>, ConfigError> {
    let mail = match (server, from) {
        (None, None) => return Ok(None),
        (None, Some(_)) => return Err(ConfigError::new("MAILER_URL", "set it together with MAILER_FROM")),
        (Some(server), from) => MailSettings { server: server.to_owned(), from: from.unwrap_or_default().to_owned() },
    };
    mail.mailer()?;
    Ok(Some(mail))
}
