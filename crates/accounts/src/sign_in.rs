//! Signing in by a mailed link.
//!
//! Nobody can be locked out: links that were sent stay usable whoever asks for more, and the limit of mails to one address
//! spans less time than a link lives, so that whenever it refuses, the mailbox holds a link that works.

use std::time::Duration;

use btp_kernel::{UserId, new_id, secret};

use crate::{
    AccountError, Accounts, Email, Letter, Locale, Session, SignUp,
    accounts::audit,
    session::SESSION_LIFE,
    store::{NewSession, Purpose, SignedIn},
    token::Token,
};

/// How long a mailed link can be used.
pub(crate) const LINK_LIFE: Duration = Duration::from_secs(30 * 60);

/// What a link that lives would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// For whom.
    pub email: Email,
    /// Whether it makes an account first.
    pub is_new: bool,
}

impl Accounts {
    /// Makes the address that signs a person in, once, within 30 minutes. `None` when there is no such person.
    ///
    /// # Errors
    /// Not an address; storage's.
    pub async fn sign_in_link(&self, email: &str) -> Result<Option<String>, AccountError> {
        match self.find(email).await? {
            Some(user) => Ok(Some(self.new_link("/auth/verify", &Purpose::SignIn(user.id, user.email)).await?)),
            None => Ok(None),
        }
    }

    /// Mails a link to whoever has an account with this address, and, when everyone may sign up, to whoever has not;
    /// otherwise does nothing. `locale` is the language of someone new.
    ///
    /// The caller must answer the same, and as fast, whatever comes of it: a sign-in page must not tell who has an account.
    ///
    /// # Errors
    /// Not an address; too many mails to it; storage's; the mailer's.
    pub async fn request_link(&self, email: &str, locale: Locale) -> Result<(), AccountError> {
        let email: Email = email.parse()?;
        let (purpose, locale) = match (self.0.store.user_by_email(&email).await?, self.0.sign_up) {
            (Some(user), _) => (Purpose::SignIn(user.id, user.email), user.locale),
            (None, SignUp::Open) => (Purpose::SignUp(email.clone(), locale), locale),
            (None, SignUp::Invite) => return Ok(()),
        };
        self.count_mail("sign-in", &email).await?;
        let link = self.new_link("/auth/verify", &purpose).await?;
        let letter = match purpose {
            Purpose::SignUp(..) => Letter::SignUp { link: &link },
            _ => Letter::SignIn { link: &link },
        };
        self.post(&email, locale, letter).await
    }

    /// What the token of a link would do; `None` when it is unknown, spent, too old, or does something else than sign in.
    ///
    /// # Errors
    /// Storage's.
    pub async fn invitation(&self, link_token: &str) -> Result<Option<Invitation>, AccountError> {
        match self.0.store.link(&secret::digest(link_token), self.0.clock.now()).await? {
            Some(Purpose::SignIn(user, email)) => {
                let user = self.0.store.user(&user).await?;
                Ok(user.filter(|user| user.email == email).map(|_| Invitation { email, is_new: false }))
            }
            Some(Purpose::SignUp(email, _)) => Ok(Some(Invitation { email, is_new: true })),
            Some(Purpose::ChangeEmail(..)) | None => Ok(None),
        }
    }

    /// Spends the token of a link and begins a session; `None` when it is unknown, spent or too old.
    ///
    /// # Errors
    /// Storage's.
    pub async fn sign_in(&self, link_token: &str) -> Result<Option<Session>, AccountError> {
        // What is not there is found out by looking: whoever guesses keeps nobody from writing.
        if self.invitation(link_token).await?.is_none() {
            return Ok(None);
        }
        let (now, token) = (self.0.clock.now(), Token::new(&*self.0.entropy));
        let begins =
            NewSession { key: token.key(), current: token.turn(), since: now, expires: now.plus(SESSION_LIFE) };
        let newcomer = UserId(new_id(now, &*self.0.entropy));
        let signed = self.0.store.sign_in(&secret::digest(link_token), &begins, &newcomer).await?;
        let Some(SignedIn { user, is_new }) = signed else { return Ok(None) };
        if is_new {
            audit("account.created", &user.id);
        }
        audit("session.began", &user.id);
        Ok(Some(Session::new(user, token)))
    }

    pub(crate) async fn new_link(&self, path: &str, purpose: &Purpose) -> Result<String, AccountError> {
        let token = secret::new("btl_", &*self.0.entropy);
        self.0.store.put_link(&secret::digest(&token), purpose, self.0.clock.now().plus(LINK_LIFE)).await?;
        Ok(format!("{}{path}?token={token}", self.0.base))
    }
}
