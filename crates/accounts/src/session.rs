//! Sessions: one a browser or app, renewed turn by turn.
//!
//! A token that has been in use for a while is given a successor, which takes over when it is first presented; an answer
//! that got lost therefore loses nothing, and everyone who presents the old token meanwhile is given the same successor.
//! Once the successor is in use, the old token is good for [`GRACE`] more, for requests under way. After that, or one older
//! still, presented is a copy in other hands: the session ends, for the thief and the owner alike.

use std::time::Duration;

use btp_kernel::{Timestamp, UserId, entropy::digest};

use crate::{
    AccountError, Accounts, User,
    accounts::audit,
    store::{StoredSession, Successor},
    token::Token,
};

/// How long a session lives from the last renewal.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 24 * 3600);
/// A browser's token that is older than this is given a successor.
const RENEW_AFTER: Duration = Duration::from_secs(3600);
/// How long a token is good for once its successor is in use.
const GRACE: Duration = Duration::from_secs(30);

/// A signed-in browser or app.
#[derive(Clone, PartialEq, Eq)]
pub struct Session {
    /// Who is signed in.
    pub user: User,
    token: Token,
    renewed: bool,
}

impl Session {
    pub(crate) const fn new(user: User, token: Token) -> Self {
        Self { user, token, renewed: false }
    }

    /// The secret the browser or app is to keep from now on.
    pub fn token(&self) -> String {
        self.token.text()
    }

    /// Whether that is another than the one presented.
    pub const fn is_renewed(&self) -> bool {
        self.renewed
    }

    /// What each form of this session carries.
    pub fn csrf(&self) -> String {
        self.token.csrf()
    }

    /// Whether a form came from a page of this session.
    pub fn is_own_form(&self, csrf: &str) -> bool {
        // digests are compared, so that the time it takes tells nothing of the secret
        digest(&[csrf.as_bytes()]) == digest(&[self.csrf().as_bytes()])
    }

    pub(crate) fn key(&self) -> String {
        self.token.key()
    }
}

/// What a presented token is to its session.
enum Turn {
    Current,
    /// The offered one, seen for the first time.
    Next,
    /// The one before, in its grace, and what followed it.
    Former(Successor),
    Stolen,
}

impl Accounts {
    /// The session of this token, while it lives.
    ///
    /// # Errors
    /// Storage's.
    pub async fn session(&self, token: &str) -> Result<Option<Session>, AccountError> {
        self.resume(token, RENEW_AFTER).await
    }

    /// Ends this session alone.
    ///
    /// # Errors
    /// Storage's.
    pub async fn end(&self, session: &Session) -> Result<(), AccountError> {
        Ok(self.0.store.end_session(&session.key()).await?)
    }

    /// Ends every session of the person. What agents were granted stays.
    ///
    /// # Errors
    /// Storage's.
    pub async fn sign_out(&self, user: &UserId) -> Result<(), AccountError> {
        self.0.store.end_sessions(user).await?;
        audit("session.signed_out", user);
        Ok(())
    }

    /// The session of this token, with a successor when the token is at least as old as `renew_after`.
    pub(crate) async fn resume(&self, token: &str, renew_after: Duration) -> Result<Option<Session>, AccountError> {
        let now = self.0.clock.now();
        let Some(token) = Token::parse(token) else { return Ok(None) };
        let Some(stored) = self.0.store.session(&token.key(), now).await? else { return Ok(None) };
        let mut session = Session::new(stored.user.clone(), token);
        let (age, offered) = match turn(&stored, &session.token.turn(), now) {
            Turn::Current => (now.since(stored.since), stored.next),
            Turn::Next => {
                let expires = now.plus(SESSION_LIFE);
                self.0.store.take_turn(&stored.key, &session.token.turn(), now, expires).await?;
                (Duration::ZERO, None)
            }
            Turn::Former(former) => (Duration::MAX, Some(former)),
            Turn::Stolen => {
                self.0.store.end_session(&stored.key).await?;
                audit("session.token_reused", &stored.user.id);
                return Ok(None);
            }
        };
        if age >= renew_after {
            self.renew(&mut session, offered).await?;
        }
        Ok(Some(session))
    }

    /// Gives the session its successor: the one that was offered, or a new one.
    async fn renew(&self, session: &mut Session, offered: Option<Successor>) -> Result<(), AccountError> {
        let offered = match offered {
            None => {
                let offer = session.token.offer(&*self.0.entropy);
                self.0.store.offer(&session.key(), &session.token.turn(), &offer).await?
            }
            known => known,
        };
        if let Some(offered) = offered {
            session.token = session.token.after(&offered.salt);
            session.renewed = true;
        }
        Ok(())
    }
}

fn turn(stored: &StoredSession, presented: &str, now: Timestamp) -> Turn {
    if presented == stored.current {
        return Turn::Current;
    }
    if stored.next.as_ref().is_some_and(|next| presented == next.turn) {
        return Turn::Next;
    }
    match &stored.former {
        Some(former) if presented == former.turn && now.since(former.until) < GRACE => {
            Turn::Former(Successor { turn: stored.current.clone(), salt: former.salt.clone() })
        }
        _ => Turn::Stolen,
    }
}
