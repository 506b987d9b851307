//! The mailer of an installation without SMTP: it hands the operator the link.

use std::io::Write;

use async_trait::async_trait;
use btp_accounts::{Mailer, User};
use btp_kernel::BoxError;

/// Writes sign-in links to standard error as plain text, never through the log, so that no log store keeps them.
#[derive(Debug)]
pub(crate) struct StderrMailer;

#[async_trait]
impl Mailer for StderrMailer {
    async fn send_sign_in_link(&self, user: &User, address: &str) -> Result<(), BoxError> {
        writeln!(std::io::stderr(), "Sign-in link for {}: {address}", user.email.as_str())?;
        Ok(())
    }
}
