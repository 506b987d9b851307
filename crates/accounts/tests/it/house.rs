//! Accounts with a letter box in place of the post.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use btp_accounts::{Accounts, Locale, Mail, Mailer, Parts, Session, SignUp};
use btp_kernel::{BoxError, Windows};
use btp_testkit::{ManualClock, SeededEntropy, memory::MemoryAccounts};

pub(crate) const BASE: &str = "https://www.example.org";

pub(crate) struct House {
    pub(crate) accounts: Accounts,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) post: Arc<Post>,
    pub(crate) people: Arc<MemoryAccounts>,
}

/// Keeps what was sent; sends nothing while it is on strike.
#[derive(Default)]
pub(crate) struct Post {
    sent: Mutex<Vec<Sent>>,
    on_strike: Mutex<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) to: String,
    pub(crate) subject: String,
    pub(crate) link: Option<String>,
}

impl Sent {
    /// The token of the link.
    pub(crate) fn token(&self) -> &str {
        self.link.as_deref().unwrap().rsplit_once("?token=").unwrap().1
    }
}

#[async_trait]
impl Mailer for Post {
    async fn send(&self, mail: &Mail<'_>) -> Result<(), BoxError> {
        if *self.on_strike.lock().unwrap() {
            return Err("the post is on strike".into());
        }
        let (to, subject) = (mail.to.as_str().to_owned(), mail.subject().to_owned());
        self.sent.lock().unwrap().push(Sent { to, subject, link: mail.letter.link().map(str::to_owned) });
        Ok(())
    }
}

impl Post {
    /// What was sent since this was last asked.
    pub(crate) fn take(&self) -> Vec<Sent> {
        std::mem::take(&mut self.sent.lock().unwrap())
    }

    pub(crate) fn strike(&self) {
        *self.on_strike.lock().unwrap() = true;
    }
}

pub(crate) fn house() -> House {
    house_of(SignUp::Invite)
}

pub(crate) fn house_of(sign_up: SignUp) -> House {
    let (clock, post) = (Arc::new(ManualClock::default()), Arc::new(Post::default()));
    let people = Arc::new(MemoryAccounts::default());
    let accounts = Accounts::new(Parts {
        store: Arc::clone(&people) as _,
        mailer: Arc::clone(&post) as _,
        limiter: Arc::new(Windows::default()),
        clock: Arc::clone(&clock) as _,
        entropy: Arc::new(SeededEntropy::new(1)),
        base: BASE.to_owned(),
        sign_up,
    });
    House { accounts, clock, post, people }
}

impl House {
    pub(crate) async fn link(&self, email: &str) -> String {
        let link = self.accounts.sign_in_link(email).await.unwrap().unwrap();
        link.strip_prefix("https://www.example.org/auth/verify?token=").unwrap().to_owned()
    }

    /// A session of a person, who is added when there is no such person.
    pub(crate) async fn signed_in(&self, email: &str) -> Session {
        let _ = self.accounts.add(email, Locale::En).await;
        let link = self.link(email).await;
        self.accounts.sign_in(&link).await.unwrap().unwrap()
    }

    pub(crate) async fn session(&self, token: &str) -> Option<Session> {
        self.accounts.session(token).await.unwrap()
    }
}
