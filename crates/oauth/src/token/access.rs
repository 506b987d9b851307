//! Access tokens: JWTs signed with EdDSA (RFC 9068), checked on every call together with what stands behind them.

use std::sync::PoisonError;

use btp_kernel::{BoxError, ClientId, Principal, Scopes, Timestamp, new_id};
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};

use super::{ACCESS_LIFE, Bearer};
use crate::{AuthorizationServer, store::TOUCH_EVERY};

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

#[derive(Deserialize)]
struct Claims {
    sub: String,
    client_id: String,
    scope: String,
    iat: i64,
    exp: i64,
    sid: String,
}

impl AuthorizationServer {
    /// Who is behind `bearer` at the protected resource with the address `resource`, and what they may do there.
    ///
    /// # Errors
    /// [`AccessError::Invalid`] for every token that is not alive for exactly this resource.
    pub async fn principal(&self, bearer: &str, resource: &str) -> Result<Principal, AccessError> {
        let now = self.parts.clock.now();
        let claims = self.verify(bearer, resource, now).ok_or(AccessError::Invalid)?;
        let live = self.parts.store.live(&claims.sid).await.map_err(|err| AccessError::Failed(err.into()))?;
        let live = live.ok_or(AccessError::Invalid)?;
        let same =
            live.user.as_str() == claims.sub && live.client.as_str() == claims.client_id && live.resource == resource;
        if !same {
            return Err(AccessError::Invalid);
        }
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

    /// The claims of a token we signed for this resource and that has not expired (RFC 9068 §4).
    ///
    /// The library judges neither `typ` nor absent claims by itself, and reads the machine's clock: hence the type,
    /// the list of required claims, and the times by our own clock. The key is only ever chosen by `kid` among ours.
    fn verify(&self, bearer: &str, resource: &str, now: Timestamp) -> Option<Claims> {
        let header = decode_header(bearer).ok()?;
        if header.typ.as_deref() != Some(TYPE) {
            return None;
        }
        let key = self.parts.keys.verifier(header.kid.as_deref()?)?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.set_issuer(&[self.parts.issuer.as_str()]);
        rules.set_audience(&[resource]);
        rules.validate_exp = false;
        let claims = decode::<Claims>(bearer, key, &rules).ok()?.claims;
        let seconds = now.as_seconds();
        (seconds < claims.exp && claims.iat <= seconds + CLOCK_SKEW).then_some(claims)
    }

    /// Family and client of an access token that we signed and that has not expired, for whichever resource.
    pub(super) fn family_of(&self, bearer: &str) -> Option<(String, ClientId)> {
        let now = self.parts.clock.now();
        let addresses = self.parts.resources.iter().map(|resource| resource.address(&self.parts.issuer));
        let claims = addresses.filter_map(|address| self.verify(bearer, &address, now)).next()?;
        Some((claims.sid, ClientId(claims.client_id)))
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
