//! What people do with their account: another address, no account.

use btp_kernel::{UserId, secret};

use crate::{
    AccountError, Accounts, Email, Letter, Session, User,
    accounts::audit,
    sign_in::LINK_LIFE,
    store::{AccountStoreError, Purpose},
};

/// Outcome of a change of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailChange {
    /// It is done: every agent has lost its access, every other browser and app is signed out.
    Done,
    /// The link is unknown, spent, too old or another person's, or the session has ended meanwhile. Nothing was spent.
    NoLink,
    /// Somebody else has the address meanwhile.
    Taken,
}

impl Accounts {
    /// Mails a link to `email` that makes it the person's address; nothing when someone has it already, which is not told.
    ///
    /// # Errors
    /// Not an address; too many mails to it; storage's; the mailer's.
    pub async fn request_email_change(&self, session: &Session, email: &str) -> Result<(), AccountError> {
        let email: Email = email.parse()?;
        if self.0.store.user_by_email(&email).await?.is_some() {
            return Ok(());
        }
        self.count_mail("change", &email).await?;
        let purpose = Purpose::ChangeEmail(session.user.id.clone(), email.clone());
        let link = self.new_link("/account/email", &purpose).await?;
        self.post(&email, session.user.locale, Letter::ConfirmAddress { link: &link }).await
    }

    /// The address that the token of a link would give this person; `None` when it does not live or is another person's.
    ///
    /// # Errors
    /// Storage's.
    pub async fn offered_email(&self, session: &Session, link_token: &str) -> Result<Option<Email>, AccountError> {
        match self.0.store.link(&secret::digest(link_token), self.0.clock.now()).await? {
            Some(Purpose::ChangeEmail(user, email)) if user == session.user.id => Ok(Some(email)),
            _ => Ok(None),
        }
    }

    /// Spends the token of a link and changes the address, ending what other hands may hold: every agent's access, every
    /// session but this one, every link. The former address is told.
    ///
    /// # Errors
    /// Storage's.
    pub async fn change_email(&self, session: &Session, link_token: &str) -> Result<EmailChange, AccountError> {
        let Some(email) = self.offered_email(session, link_token).await? else { return Ok(EmailChange::NoLink) };
        let (link, keep) = (secret::digest(link_token), session.key());
        match self.move_to(&email, &session.user.id, &link, Some(&keep)).await {
            Ok(true) => Ok(EmailChange::Done),
            Ok(false) => Ok(EmailChange::NoLink),
            Err(AccountError::Store(AccountStoreError::EmailTaken)) => Ok(EmailChange::Taken),
            Err(err) => Err(err),
        }
    }

    /// Gives the person with the address `from` another one, on the operator's word, and keeps no session: whoever has the
    /// mailbox signs in and authorizes anew. Whether there is such a person.
    ///
    /// # Errors
    /// Not an address, or one that someone has; storage's.
    pub async fn readdress(&self, from: &str, to: &str) -> Result<bool, AccountError> {
        let (Some(user), to) = (self.find(from).await?, to.parse::<Email>()?) else { return Ok(false) };
        let link = secret::digest(&secret::new("btl_", &*self.0.entropy));
        let purpose = Purpose::ChangeEmail(user.id.clone(), to.clone());
        self.0.store.put_link(&link, &purpose, self.0.clock.now().plus(LINK_LIFE)).await?;
        self.move_to(&to, &user.id, &link, None).await
    }

    /// Spends a link that changes the address to `email`. Whether there was one.
    async fn move_to(
        &self,
        email: &Email,
        user: &UserId,
        link: &str,
        keep: Option<&str>,
    ) -> Result<bool, AccountError> {
        let Some(former) = self.0.store.change_email(link, user, keep, self.0.clock.now()).await? else {
            return Ok(false);
        };
        audit("account.email_changed", user);
        self.tell(&former, Letter::AddressChanged { now: email }).await;
        Ok(true)
    }

    /// Deletes the account with all that is the person's, and says so by mail.
    ///
    /// # Errors
    /// Storage's.
    pub async fn delete_own(&self, session: &Session) -> Result<(), AccountError> {
        let user = &session.user;
        if self.0.store.delete_user(&user.id).await? {
            audit("account.deleted", &user.id);
            self.tell(user, Letter::AccountDeleted).await;
        }
        Ok(())
    }

    /// Tells what has been done: a mail that is not sent undoes nothing.
    async fn tell(&self, user: &User, letter: Letter<'_>) {
        if let Err(err) = self.post(&user.email, user.locale, letter).await {
            tracing::error!(user.id = %user.id, error = btp_kernel::chain(&err), "a mail was not sent");
        }
    }
}

const _: () = assert!(
    LINK_LIFE.as_secs() > btp_kernel::limit::MAIL_ADDRESS.seconds as u64,
    "a link must outlive the span in which no other is sent"
);
