//! People in memory.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use btp_accounts::{
    Email, Locale, User,
    store::{AccountStore, AccountStoreError, Former, NewSession, Purpose, SignedIn, StoredSession, Successor},
};
use btp_kernel::{Timestamp, UserId};

/// An [`AccountStore`] in memory.
#[derive(Default)]
pub struct MemoryAccounts {
    state: Mutex<State>,
    access_ends: Mutex<Vec<AccessEnds>>,
}

/// What is told that no agent may act for the person any more.
type AccessEnds = Box<dyn Fn(&UserId, Timestamp) + Send + Sync>;

#[derive(Default)]
struct State {
    users: Vec<User>,
    links: HashMap<String, (Purpose, Timestamp)>,
    sessions: HashMap<String, Kept>,
}

struct Kept {
    user: UserId,
    expires: Timestamp,
    current: String,
    since: Timestamp,
    next: Option<Successor>,
    former: Option<Former>,
}

impl MemoryAccounts {
    pub(crate) fn has_user(&self, id: &UserId) -> bool {
        self.state().find(id).is_some()
    }

    /// Has `told` called before a person's address changes.
    pub(crate) fn when_access_ends(&self, told: impl Fn(&UserId, Timestamp) + Send + Sync + 'static) {
        self.access_ends.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(told));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn find(&self, id: &UserId) -> Option<&User> {
        self.users.iter().find(|user| user.id == *id)
    }

    fn has_email(&self, email: &Email) -> bool {
        self.users.iter().any(|user| user.email == *email)
    }

    fn sort(&mut self) {
        self.users.sort_by(|a, b| a.email.as_str().cmp(b.email.as_str()));
    }

    fn end_links(&mut self, of: &UserId) {
        self.links.retain(|_, (purpose, _)| owner(purpose) != Some(of));
    }

    fn add(&mut self, user: User) {
        self.users.push(user);
        self.sort();
    }

    fn is_session_of(&self, key: &str, user: &UserId, now: Timestamp) -> bool {
        self.sessions.get(key).is_some_and(|kept| kept.user == *user && now < kept.expires)
    }

    fn link(&self, digest: &str, now: Timestamp) -> Option<&Purpose> {
        self.links.get(digest).filter(|(_, expires)| now < *expires).map(|(purpose, _)| purpose)
    }
}

const fn owner(purpose: &Purpose) -> Option<&UserId> {
    match purpose {
        Purpose::SignIn(user, _) | Purpose::ChangeEmail(user, _) => Some(user),
        Purpose::SignUp(..) => None,
    }
}

#[async_trait]
impl AccountStore for MemoryAccounts {
    async fn add_user(&self, user: &User) -> Result<(), AccountStoreError> {
        let mut state = self.state();
        if state.has_email(&user.email) {
            return Err(AccountStoreError::EmailTaken);
        }
        state.add(user.clone());
        Ok(())
    }

    async fn user_by_email(&self, email: &Email) -> Result<Option<User>, AccountStoreError> {
        Ok(self.state().users.iter().find(|user| user.email == *email).cloned())
    }

    async fn user(&self, id: &UserId) -> Result<Option<User>, AccountStoreError> {
        Ok(self.state().find(id).cloned())
    }

    async fn users(&self) -> Result<Vec<User>, AccountStoreError> {
        Ok(self.state().users.clone())
    }

    async fn set_locale(&self, id: &UserId, locale: Locale) -> Result<(), AccountStoreError> {
        let mut state = self.state();
        if let Some(user) = state.users.iter_mut().find(|user| user.id == *id) {
            user.locale = locale;
        }
        Ok(())
    }

    async fn change_email(
        &self,
        link: &str,
        user: &UserId,
        keep: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<User>, AccountStoreError> {
        let kept = |state: &State| keep.is_none_or(|keep| state.is_session_of(keep, user, now));
        let offered = |state: &State| match state.link(link, now).filter(|_| kept(state)) {
            Some(Purpose::ChangeEmail(whose, email)) if whose == user && !state.has_email(email) => {
                Ok(Some(email.clone()))
            }
            Some(Purpose::ChangeEmail(whose, _)) if whose == user => Err(AccountStoreError::EmailTaken),
            _ => Ok(None),
        };
        if offered(&self.state())?.is_none() {
            return Ok(None);
        }
        self.access_ends.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|told| told(user, now));
        let mut state = self.state();
        let Some(email) = offered(&state)? else { return Ok(None) };
        state.end_links(user);
        state.sessions.retain(|key, kept| kept.user != *user || Some(key.as_str()) == keep);
        let Some(person) = state.users.iter_mut().find(|person| person.id == *user) else { return Ok(None) };
        let former = person.clone();
        person.email = email;
        state.sort();
        Ok(Some(former))
    }

    async fn delete_user(&self, id: &UserId) -> Result<bool, AccountStoreError> {
        let mut state = self.state();
        let before = state.users.len();
        state.users.retain(|user| user.id != *id);
        state.end_links(id);
        state.sessions.retain(|_, kept| kept.user != *id);
        Ok(state.users.len() < before)
    }

    async fn put_link(&self, digest: &str, purpose: &Purpose, expires: Timestamp) -> Result<(), AccountStoreError> {
        self.state().links.insert(digest.to_owned(), (purpose.clone(), expires));
        Ok(())
    }

    async fn link(&self, digest: &str, now: Timestamp) -> Result<Option<Purpose>, AccountStoreError> {
        Ok(self.state().link(digest, now).cloned())
    }

    async fn sign_in(
        &self,
        link: &str,
        session: &NewSession,
        newcomer: &UserId,
    ) -> Result<Option<SignedIn>, AccountStoreError> {
        let NewSession { key, current, since, expires } = session.clone();
        let mut state = self.state();
        let (of, email, locale) = match state.link(link, since).cloned() {
            Some(Purpose::SignIn(user, email)) => (Some(user), email, None),
            Some(Purpose::SignUp(email, locale)) => (None, email, Some(locale)),
            Some(Purpose::ChangeEmail(..)) | None => return Ok(None),
        };
        let locale = locale.filter(|_| !state.has_email(&email));
        if let Some(locale) = locale {
            state.add(User { id: newcomer.clone(), email: email.clone(), locale, created_at: since });
        }
        let person = state.users.iter().find(|user| user.email == email && of.as_ref().is_none_or(|of| *of == user.id));
        let Some(user) = person.cloned() else { return Ok(None) };
        state.links.remove(link);
        let begun = Kept { user: user.id.clone(), expires, current, since, next: None, former: None };
        state.sessions.insert(key, begun);
        Ok(Some(SignedIn { user, is_new: locale.is_some() }))
    }

    async fn session(&self, key: &str, now: Timestamp) -> Result<Option<StoredSession>, AccountStoreError> {
        let state = self.state();
        let Some(kept) = state.sessions.get(key).filter(|kept| now < kept.expires) else { return Ok(None) };
        Ok(state.find(&kept.user).map(|user| StoredSession {
            key: key.to_owned(),
            user: user.clone(),
            current: kept.current.clone(),
            since: kept.since,
            next: kept.next.clone(),
            former: kept.former.clone(),
        }))
    }

    async fn offer(&self, key: &str, current: &str, offer: &Successor) -> Result<Option<Successor>, AccountStoreError> {
        let mut state = self.state();
        let kept = state.sessions.get_mut(key).filter(|kept| kept.current == current);
        Ok(kept.map(|kept| kept.next.get_or_insert_with(|| offer.clone()).clone()))
    }

    async fn take_turn(
        &self,
        key: &str,
        next: &str,
        now: Timestamp,
        expires: Timestamp,
    ) -> Result<(), AccountStoreError> {
        let mut state = self.state();
        let Some(kept) = state.sessions.get_mut(key) else { return Ok(()) };
        let Some(successor) = kept.next.take_if(|offered| offered.turn == next) else { return Ok(()) };
        let turn = std::mem::replace(&mut kept.current, successor.turn);
        kept.former = Some(Former { turn, salt: successor.salt, until: now });
        (kept.since, kept.expires) = (now, expires);
        Ok(())
    }

    async fn end_session(&self, key: &str) -> Result<(), AccountStoreError> {
        self.state().sessions.remove(key);
        Ok(())
    }

    async fn end_sessions(&self, user: &UserId) -> Result<(), AccountStoreError> {
        self.state().sessions.retain(|_, kept| kept.user != *user);
        Ok(())
    }
}
