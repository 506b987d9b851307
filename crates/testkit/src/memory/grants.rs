//! Clients, grants and tokens in memory.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use btp_kernel::{ClientId, Timestamp, UserId};
use btp_oauth::store::{
    Client, Code, Decision, Documented, GrantStore, GrantStoreError, Live, Parked, Redeemed, Refresh, RefreshView,
    Rotated, Rotation, SignIn, TOUCH_EVERY, ended,
};

use super::MemoryAccounts;

/// A [`GrantStore`] in memory, over the people of a [`MemoryAccounts`].
pub struct MemoryGrants {
    people: Arc<MemoryAccounts>,
    state: Arc<Mutex<State>>,
    is_away: AtomicBool,
}

#[derive(Default)]
struct State {
    clients: BTreeMap<ClientId, Client>,
    parked: HashMap<String, Parked>,
    codes: HashMap<String, StoredCode>,
    families: HashMap<String, Family>,
    used: HashMap<(UserId, ClientId, String), Timestamp>,
    refreshes: HashMap<String, StoredRefresh>,
}

struct StoredCode {
    code: Code,
    family: Option<String>,
}

struct Family {
    live: Live,
    since: Timestamp,
    revoked: Option<(&'static str, Timestamp)>,
}

struct StoredRefresh {
    family: String,
    expires: Timestamp,
    rotated: Option<Rotation>,
}

impl MemoryGrants {
    /// An empty store.
    pub fn new(people: Arc<MemoryAccounts>) -> Self {
        let state = Arc::<Mutex<State>>::default();
        let holder = Arc::clone(&state);
        people.when_access_ends(move |user, now| {
            hold(&holder).end_access(user, None, ended::EMAIL, now);
        });
        Self { people, state, is_away: AtomicBool::new(false) }
    }

    /// From now on it cannot say what lives.
    pub fn go_away(&self) {
        self.is_away.store(true, Ordering::Relaxed);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        hold(&self.state)
    }

    fn alive<'a>(&self, state: &'a State, family: &str) -> Option<&'a Live> {
        let family = state.families.get(family).filter(|family| family.revoked.is_none())?;
        let Live { user, client, .. } = &family.live;
        (self.people.has_user(user) && state.enabled(client)).then_some(&family.live)
    }
}

fn hold(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Everything that was granted in the person's name, or is about to be; to one client or to all.
    fn end_access(&mut self, user: &UserId, client: Option<&ClientId>, reason: &'static str, now: Timestamp) -> u64 {
        let concerns = |whose: &UserId, which: &ClientId| whose == user && client.is_none_or(|client| client == which);
        self.parked.retain(|_, parked| !concerns(&parked.user, &parked.client));
        self.codes.retain(|_, stored| !concerns(&stored.code.user, &stored.code.client));
        self.used.retain(|(whose, which, _), _| !concerns(whose, which));
        self.revoke(reason, now, |_, live| concerns(&live.user, &live.client))
    }

    fn enabled(&self, client: &ClientId) -> bool {
        self.clients.get(client).is_none_or(|client| !client.disabled)
    }

    /// Requests that wait, and codes that nobody has redeemed.
    fn forget_unsettled(&mut self, client: &ClientId) {
        self.parked.retain(|_, parked| parked.client != *client);
        self.codes.retain(|_, stored| stored.code.client != *client || stored.code.used);
    }

    /// Revokes the living families `of` chooses; how many.
    fn revoke(&mut self, reason: &'static str, now: Timestamp, of: impl Fn(&str, &Live) -> bool) -> u64 {
        let living = self.families.iter_mut().filter(|(_, family)| family.revoked.is_none());
        living
            .filter(|(id, family)| of(id, &family.live))
            .map(|(_, family)| family.revoked = Some((reason, now)))
            .count() as u64
    }

    fn holds_a_token(&self, family: &str, now: Timestamp) -> bool {
        self.refreshes.values().any(|token| token.family == family && token.rotated.is_none() && now < token.expires)
    }
}

#[async_trait]
impl GrantStore for MemoryGrants {
    async fn client(&self, id: &ClientId) -> Result<Option<Client>, GrantStoreError> {
        Ok(self.state().clients.get(id).cloned())
    }

    async fn clients(&self) -> Result<Vec<Client>, GrantStoreError> {
        Ok(self.state().clients.values().cloned().collect())
    }

    async fn put_client(&self, client: &Client) -> Result<(), GrantStoreError> {
        let mut state = self.state();
        let disabled = state.clients.get(&client.id).map_or(client.disabled, |known| known.disabled);
        state.clients.insert(client.id.clone(), Client { disabled, ..client.clone() });
        Ok(())
    }

    async fn disable_client(&self, id: &ClientId, now: Timestamp) -> Result<bool, GrantStoreError> {
        let mut state = self.state();
        let Some(client) = state.clients.get_mut(id) else { return Ok(false) };
        client.disabled = true;
        state.used.retain(|(_, client, _), _| client != id);
        state.revoke(ended::CLIENT, now, |_, live| live.client == *id);
        state.parked.retain(|_, parked| parked.client != *id);
        state.codes.retain(|_, stored| stored.code.client != *id);
        Ok(true)
    }

    async fn enable_client(&self, id: &ClientId) -> Result<bool, GrantStoreError> {
        let mut state = self.state();
        Ok(state.clients.get_mut(id).map(|client| client.disabled = false).is_some())
    }

    async fn put_document(&self, client: &Client) -> Result<Documented, GrantStoreError> {
        let mut state = self.state();
        let (created_at, changed) = match state.clients.get(&client.id) {
            Some(stored) if stored.disabled || stored.document.is_none() => {
                return Ok(Documented { client: stored.clone(), changed: false });
            }
            Some(stored) => {
                let differs = (&stored.name, &stored.redirect_uris) != (&client.name, &client.redirect_uris);
                (stored.created_at, differs)
            }
            None => (client.created_at, false),
        };
        let client = Client { created_at, ..client.clone() };
        state.clients.insert(client.id.clone(), client.clone());
        if changed {
            state.forget_unsettled(&client.id);
        }
        Ok(Documented { client, changed })
    }

    async fn withdraw_document(&self, id: &ClientId, now: Timestamp) -> Result<(), GrantStoreError> {
        let mut state = self.state();
        let document = state.clients.get_mut(id).and_then(|client| client.document.as_mut());
        if let Some(document) = document {
            document.expires = now;
            state.forget_unsettled(id);
        }
        Ok(())
    }

    async fn park(&self, parked: &Parked) -> Result<(), GrantStoreError> {
        self.state().parked.insert(parked.handle.clone(), parked.clone());
        Ok(())
    }

    async fn parked(&self, handle: &str, now: Timestamp) -> Result<Option<Parked>, GrantStoreError> {
        Ok(self.state().parked.get(handle).filter(|parked| now < parked.expires).cloned())
    }

    async fn decide(
        &self,
        handle: &str,
        user: &UserId,
        decision: Decision,
        now: Timestamp,
    ) -> Result<bool, GrantStoreError> {
        let mut state = self.state();
        let open = state
            .parked
            .get_mut(handle)
            .filter(|parked| parked.user == *user && now < parked.expires && parked.decision.is_none());
        Ok(open.map(|parked| parked.decision = Some(decision)).is_some())
    }

    async fn take_decision(
        &self,
        handle: &str,
        user: &UserId,
        code: Option<&Code>,
        now: Timestamp,
    ) -> Result<Option<Decision>, GrantStoreError> {
        let mut state = self.state();
        if code.is_some_and(|code| !self.people.has_user(&code.user) || !state.enabled(&code.client)) {
            return Ok(None);
        }
        let decision = state
            .parked
            .get(handle)
            .filter(|parked| parked.user == *user && now < parked.expires)
            .and_then(|parked| parked.decision);
        if decision.is_some() {
            state.parked.remove(handle);
        }
        if let Some(code) = code.filter(|_| decision == Some(Decision::Authorize)) {
            state.codes.insert(code.digest.clone(), StoredCode { code: code.clone(), family: None });
        }
        Ok(decision)
    }

    async fn code(&self, digest: &str) -> Result<Option<Code>, GrantStoreError> {
        Ok(self.state().codes.get(digest).map(|stored| stored.code.clone()))
    }

    async fn redeem(
        &self,
        digest: &str,
        family: &str,
        refresh: &Refresh,
        now: Timestamp,
    ) -> Result<Redeemed, GrantStoreError> {
        let mut state = self.state();
        let Some(StoredCode { code, family: earlier }) = state.codes.get(digest) else { return Ok(Redeemed::Dead) };
        if let Some(earlier) = earlier.clone() {
            state.revoke(ended::REPLAY, now, |id, _| id == earlier);
            return Ok(Redeemed::Replayed);
        }
        if code.expires <= now || !self.people.has_user(&code.user) || !state.enabled(&code.client) {
            return Ok(Redeemed::Dead);
        }
        let live = Live {
            user: code.user.clone(),
            client: code.client.clone(),
            resource: code.resource.clone(),
            scopes: code.scopes.clone(),
        };
        if let Some(stored) = state.codes.get_mut(digest) {
            stored.code.used = true;
            stored.family = Some(family.to_owned());
        }
        state.families.insert(family.to_owned(), Family { live, since: now, revoked: None });
        state.refreshes.insert(
            refresh.digest.clone(),
            StoredRefresh { family: family.to_owned(), expires: refresh.expires, rotated: None },
        );
        Ok(Redeemed::Fresh)
    }

    async fn refresh(&self, digest: &str) -> Result<Option<RefreshView>, GrantStoreError> {
        let state = self.state();
        let Some(stored) = state.refreshes.get(digest) else { return Ok(None) };
        let Some(Family { live, .. }) = state.families.get(&stored.family) else { return Ok(None) };
        if !self.people.has_user(&live.user) {
            return Ok(None);
        }
        Ok(Some(RefreshView {
            family: stored.family.clone(),
            user: live.user.clone(),
            client: live.client.clone(),
            resource: live.resource.clone(),
            scopes: live.scopes.clone(),
            expires: stored.expires,
            rotated: stored.rotated.clone(),
            alive: self.alive(&state, &stored.family).is_some(),
        }))
    }

    async fn rotate(
        &self,
        digest: &str,
        successor: &Refresh,
        keep: Option<&[u8]>,
        now: Timestamp,
    ) -> Result<Rotated, GrantStoreError> {
        let mut state = self.state();
        let Some(stored) = state.refreshes.get(digest) else { return Ok(Rotated::Dead) };
        if self.alive(&state, &stored.family).is_none() || stored.expires <= now {
            return Ok(Rotated::Dead);
        }
        if stored.rotated.is_some() {
            return Ok(Rotated::Already);
        }
        let family = stored.family.clone();
        for earlier in state.refreshes.values_mut().filter(|token| token.family == family) {
            if let Some(rotation) = &mut earlier.rotated {
                rotation.kept = None;
            }
        }
        if let Some(stored) = state.refreshes.get_mut(digest) {
            stored.rotated = Some(Rotation { at: now, kept: keep.map(<[u8]>::to_vec) });
        }
        state
            .refreshes
            .insert(successor.digest.clone(), StoredRefresh { family, expires: successor.expires, rotated: None });
        Ok(Rotated::Fresh)
    }

    async fn revoke_family(&self, family: &str, reason: &'static str, now: Timestamp) -> Result<(), GrantStoreError> {
        self.state().revoke(reason, now, |id, _| id == family);
        Ok(())
    }

    async fn revoke_grants(
        &self,
        user: &UserId,
        client: Option<&ClientId>,
        reason: &'static str,
        now: Timestamp,
    ) -> Result<u64, GrantStoreError> {
        Ok(self.state().end_access(user, client, reason, now))
    }

    async fn sign_ins(&self, user: &UserId, now: Timestamp) -> Result<Vec<SignIn>, GrantStoreError> {
        let state = self.state();
        let mut listed: Vec<_> = state
            .families
            .iter()
            .filter(|(_, family)| family.live.user == *user && state.enabled(&family.live.client))
            .filter_map(|(id, family)| {
                let reused = match family.revoked {
                    None => state.holds_a_token(id, now).then_some(None)?,
                    Some((ended::REUSE | ended::REPLAY, at)) => Some(at),
                    Some(_) => return None,
                };
                let Live { user, client, resource, scopes } = family.live.clone();
                let registered =
                    state.clients.get(&client).map(|known| (known.name.clone(), known.redirect_uris.clone()));
                let last_used = state.used.get(&(user, client.clone(), resource)).copied();
                Some(SignIn { client, registered, scopes, since: family.since, last_used, reused })
            })
            .collect();
        listed.sort_by(|a, b| a.since.cmp(&b.since).then_with(|| a.client.cmp(&b.client)));
        Ok(listed)
    }

    async fn live(&self, family: &str) -> Result<Option<Live>, GrantStoreError> {
        if self.is_away.load(Ordering::Relaxed) {
            return Err(GrantStoreError::Busy("it went away".into()));
        }
        Ok(self.alive(&self.state(), family).cloned())
    }

    async fn touch(&self, family: &str, now: Timestamp) -> Result<(), GrantStoreError> {
        let mut state = self.state();
        let Some(Family { live, .. }) = state.families.get(family) else { return Ok(()) };
        let grant = (live.user.clone(), live.client.clone(), live.resource.clone());
        let used = state.used.entry(grant).or_insert(now);
        if now.since(*used) >= TOUCH_EVERY {
            *used = now;
        }
        Ok(())
    }
}
