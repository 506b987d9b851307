//! Mail by SMTP (RFC 5321), to the one server that the operator named.

use std::time::Duration;

use async_trait::async_trait;
use btp_accounts::{Mail, Mailer};
use btp_kernel::BoxError;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{Mailbox, header},
    transport::smtp::{self, extension::ClientId},
};
use url::{Host, Url};

/// For each step of the conversation.
const PATIENCE: Duration = Duration::from_secs(15);

/// Sends mails over SMTP.
pub struct SmtpMailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// The settings cannot work.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailSettingError {
    /// Not the address of a mail server.
    #[error("write smtps://USER:PASSWORD@HOST, or smtp://HOST with ?tls=required where it has STARTTLS")]
    Server,
    /// Name and password would travel in the clear.
    #[error("a password needs TLS: write smtps://, or add ?tls=required")]
    ClearPassword,
    /// Not the address of a sender.
    #[error("write an address, for example trips@example.org or Bike Trips <trips@example.org>")]
    From,
}

/// Why a mail was not sent. What the server answered is left out but for its code: it may quote addresses.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// No mail can go to this address.
    #[error("the address cannot be written to")]
    Address,
    /// The server answered with this code (RFC 5321 §4.2).
    #[error("the mail server answered {0}")]
    Refused(u16),
    /// No answer in time.
    #[error("the mail server did not answer in time")]
    Timeout,
    /// Its certificate is not trusted, or it does not speak TLS.
    #[error("there is no secure connection to the mail server")]
    Tls,
    /// No connection, or one that broke.
    #[error("the mail server could not be reached")]
    Unreachable,
}

impl SmtpMailer {
    /// `server` is `smtps://…`, or `smtp://…` with `?tls=required` (STARTTLS), `?tls=opportunistic` or neither; `from` the
    /// sender.
    ///
    /// # Errors
    /// [`MailSettingError`].
    pub fn new(server: &str, from: &str) -> Result<Self, MailSettingError> {
        let url = Url::parse(server).map_err(|_| MailSettingError::Server)?;
        let asks_tls =
            url.scheme() == "smtps" || url.query_pairs().any(|(key, value)| key == "tls" && value == "required");
        if url.password().is_some() && !asks_tls && !is_here(&url) {
            return Err(MailSettingError::ClearPassword);
        }
        let from: Mailbox = from.parse().map_err(|_| MailSettingError::From)?;
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(server).map_err(|_| MailSettingError::Server)?;
        let us = ClientId::Domain(from.email.domain().to_owned());
        Ok(Self { transport: builder.hello_name(us).timeout(Some(PATIENCE)).build(), from })
    }

    /// Whether the server can be talked to.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn check(&self) -> Result<(), MailError> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(MailError::Unreachable),
            Err(err) => Err(why(&err)),
        }
    }

    fn message(&self, mail: &Mail<'_>) -> Result<Message, MailError> {
        let to = mail.to.as_str().parse().map_err(|_| MailError::Address)?;
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(mail.subject())
            .header(header::ContentType::TEXT_PLAIN)
            .header(AutoSubmitted)
            .message_id(None)
            .body(mail.text())
            .map_err(|_| MailError::Address)
    }
}

#[async_trait]
impl Mailer for SmtpMailer {
    async fn send(&self, mail: &Mail<'_>) -> Result<(), BoxError> {
        let message = self.message(mail)?;
        self.transport.send(message).await.map_err(|err| why(&err))?;
        Ok(())
    }
}

/// Tells programs that answer mail not to (RFC 3834 §5).
#[derive(Clone)]
struct AutoSubmitted;

impl header::Header for AutoSubmitted {
    fn name() -> header::HeaderName {
        header::HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, BoxError> {
        Ok(Self)
    }

    fn display(&self) -> header::HeaderValue {
        header::HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// Whether the server is this machine.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => match name.parse::<std::net::IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => name == "localhost",
        },
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn why(err: &smtp::Error) -> MailError {
    match err.status() {
        Some(code) => MailError::Refused(code.into()),
        None if err.is_timeout() => MailError::Timeout,
        None if err.is_tls() => MailError::Tls,
        None => MailError::Unreachable,
    }
}
