//! Access tokens: JWTs signed with EdDSA (RFC 9068), checked on every call together with what stands behind them.

use std::sync::{Arc, PoisonError};

use btp_kernel::{BoxError, ClientId, Principal, Scopes, Timestamp, UserId, new_id};
use futures_util::future::join;
use jsonwebtoken::{Algorithm, Header, Validation, dangerous::insecure_decode_claims, decode, decode_header, encode};
use serde::{Deserialize, Serialize};

use super::{ACCESS_LIFE, Bearer};
use crate::{
    AuthorizationServer,
    audit::{self, Subject},
    store::{GrantStoreError, Live, TOUCH_EVERY},
};

/// Media type of an access token (RFC 9068 §2.1).
const TYPE: &str = "at+jwt";
/// How far another node's clock may be ahead, in seconds. Expiry has no such slack.
const CLOCK_SKEW: i64 = 5;
/// Families remembered as noted before old ones are swept out.
const TOUCHED_MAX: usize = 4096;

/// Why there is no principal.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The token is not alive for this resource; why is nobody's business.
    #[error("the access token is not valid for this resource")]
    Invalid,
    /// It could not be found out.
    #[error("the access token could not be checked")]
    Failed(#[source] BoxError),
}

#[derive(Serialize)]
struct NewClaims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    client_id: &'a str,
    scope: &'a str,
    iat: i64,
    exp: i64,
    jti: &'a str,
    sid: &'a str,
}

/// What a token of ours says.
#[derive(Deserialize)]
pub(super) struct Claims {
    pub(super) sub: String,
    pub(super) aud: Audience,
    pub(super) client_id: String,
    pub(super) scope: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) sid: String,
}

impl Claims {
    /// Whether the token is neither expired nor from the future. Expiry is judged by our own clock and without slack.
    fn timely(&self, now: Timestamp) -> Result<(), Unfit> {
        let now = now.as_seconds();
        if self.exp <= now {
            return Err(Unfit::Expired);
        }
        if self.iat > now + CLOCK_SKEW { Err(Unfit::FromTheFuture) } else { Ok(()) }
    }
}

/// One audience, or several (RFC 7519 §4.1.3).
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn has(&self, resource: &str) -> bool {
        match self {
            Self::One(audience) => audience == resource,
            Self::Many(audiences) => audiences.iter().any(|audience| audience == resource),
        }
    }
}

/// Why a token does not do: stable words of the audit trail.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Unfit {
    #[error("not_ours")]
    NotOurs,
    #[error("other_resource")]
    OtherResource,
    #[error("expired")]
    Expired,
    #[error("from_the_future")]
    FromTheFuture,
    #[error("revoked")]
    Revoked,
}

impl AuthorizationServer {
    /// Who is behind `bearer` at the protected resource with the address `resource`, and what they may do there.
    ///
    /// # Errors
    /// [`AccessError::Invalid`] for every token that is not alive for exactly this resource.
    pub async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, AccessError> {
        let now = self.parts.clock.now();
        // The signature speaks first: without it nothing that was asked early counts (docs/adr/0031).
        let (early, claims) = match self.verified.get(bearer) {
            Some(claims) => (None, Ok(claims)),
            None => join(self.live_early(bearer, resource, now), async { self.first_seen(bearer) }).await,
        };
        let claims = claims.map_err(|unfit| refused(unfit, None))?;
        claims.timely(now).map_err(|unfit| refused(unfit, None))?;
        if !claims.aud.has(resource) {
            return Err(refused(Unfit::OtherResource, Some(&claims)));
        }
        let live = match early {
            Some(live) => live,
            None => self.parts.store.live(&claims.sid).await,
        };
        let live = live.map_err(|err| AccessError::Failed(err.into()))?;
        let same = |live: &Live| {
            live.user.as_str() == claims.sub && live.client.as_str() == claims.client_id && live.resource == resource
        };
        let live = live.filter(same).ok_or_else(|| refused(Unfit::Revoked, Some(&claims)))?;
        self.note_use(&claims.sid, now).await;
        let scopes = Scopes::parse(&claims.scope).common(&live.scopes);
        Ok(Principal { user: live.user, client: live.client, scopes })
    }

    pub(super) fn sign(&self, bearer: &Bearer<'_>) -> Result<String, BoxError> {
        let now = self.parts.clock.now();
        let (kid, key) = self.parts.keys.signer();
        let header = Header { typ: Some(TYPE.to_owned()), kid: Some(kid.to_owned()), ..Header::new(Algorithm::EdDSA) };
        let claims = NewClaims {
            iss: self.parts.issuer.as_str(),
            sub: bearer.user.as_str(),
            aud: bearer.resource,
            client_id: bearer.client.as_str(),
            scope: &bearer.scopes.to_string(),
            iat: now.as_seconds(),
            exp: now.plus(ACCESS_LIFE).as_seconds(),
            jti: &new_id(now, &*self.parts.entropy),
            sid: bearer.family,
        };
        Ok(encode(&header, &claims, key)?)
    }

    /// Asks for the family that an unknown token names, so that the database works while the signature is computed: the
    /// answer is of use only together with a good signature. `None` when the token can do nothing here anyway.
    async fn live_early(
        &self,
        bearer: &str,
        resource: &str,
        now: Timestamp,
    ) -> Option<Result<Option<Live>, GrantStoreError>> {
        let claims: Claims = insecure_decode_claims(bearer).ok()?;
        let useful = claims.timely(now).is_ok() && claims.aud.has(resource);
        if useful { Some(self.parts.store.live(&claims.sid).await) } else { None }
    }

    /// The claims of a token that we signed and that has not expired, for whichever resource (RFC 9068 §4).
    fn verify(&self, bearer: &str, now: Timestamp) -> Result<Arc<Claims>, Unfit> {
        let claims = self.verified.get(bearer).map_or_else(|| self.first_seen(bearer), Ok)?;
        claims.timely(now)?;
        Ok(claims)
    }

    /// The claims of a token that we signed, whenever; remembered from now on.
    fn first_seen(&self, bearer: &str) -> Result<Arc<Claims>, Unfit> {
        let claims = Arc::new(self.signed(bearer).ok_or(Unfit::NotOurs)?);
        self.verified.remember(bearer, &claims);
        Ok(claims)
    }

    /// The claims of a token that we signed, whenever.
    ///
    /// The library judges neither `typ` nor absent claims by itself, and reads the machine's clock: hence the type,
    /// the list of required claims, and the times by our own clock. The key is only ever chosen by `kid` among ours. The
    /// audience is compared by whoever knows the resource.
    fn signed(&self, bearer: &str) -> Option<Claims> {
        let header = decode_header(bearer).ok()?;
        if header.typ.as_deref() != Some(TYPE) {
            return None;
        }
        let key = self.parts.keys.verifier(header.kid.as_deref()?)?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.set_issuer(&[self.parts.issuer.as_str()]);
        rules.validate_aud = false;
        rules.validate_exp = false;
        Some(decode::<Claims>(bearer, key, &rules).ok()?.claims)
    }

    /// Family and client of an access token that we signed and that has not expired.
    pub(super) fn family_of(&self, bearer: &str) -> Option<(String, ClientId)> {
        let claims = self.verify(bearer, self.parts.clock.now()).ok()?;
        Some((claims.sid.clone(), ClientId(claims.client_id.clone())))
    }

    /// Notes that the family was used. Only for the person's list of applications, so it never fails a call.
    async fn note_use(&self, family: &str, now: Timestamp) {
        if !self.is_due(family, now) {
            return;
        }
        if let Err(err) = self.parts.store.touch(family, now).await {
            tracing::warn!(error = btp_kernel::chain(&err), "oauth.touch_failed");
        }
    }

    fn is_due(&self, family: &str, now: Timestamp) -> bool {
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        let recent = |at: &Timestamp| now.since(*at) < TOUCH_EVERY && *at <= now;
        if touched.get(family).is_some_and(recent) {
            return false;
        }
        if touched.len() >= TOUCHED_MAX {
            touched.retain(|_, at| recent(at));
        }
        touched.insert(family.to_owned(), now);
        true
    }
}

fn refused(unfit: Unfit, claims: Option<&Claims>) -> AccessError {
    let user = claims.map(|claims| UserId(claims.sub.clone()));
    let client = claims.map(|claims| ClientId(claims.client_id.clone()));
    let family = claims.map(|claims| claims.sid.as_str());
    let subject = Subject { user: user.as_ref(), client: client.as_ref(), resource: None, family };
    audit::refused("access_refused", subject, &unfit.to_string());
    AccessError::Invalid
}
