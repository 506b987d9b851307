//! Access tokens whose signature was found good before, so that it is not computed on every call of an agent. What a
//! token says of time and what stands behind it is judged on every call all the same.

use std::sync::Arc;

use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::access::Claims;

/// Tokens remembered: four megabytes at most. The ones not used for longest make room.
const MAX: usize = 10_000;

/// Good signatures by digest of the token.
pub(crate) struct Verified(Cache<[u8; 32], Arc<Claims>>);

impl Default for Verified {
    fn default() -> Self {
        Self(Cache::new(MAX))
    }
}

impl Verified {
    /// The claims of `bearer`: remembered, else as `verify` finds them. What it refuses is not remembered, so junk costs
    /// no memory.
    pub(super) fn get<E>(&self, bearer: &str, verify: impl FnOnce() -> Result<Claims, E>) -> Result<Arc<Claims>, E> {
        let key = Sha256::digest(bearer.as_bytes()).into();
        if let Some(claims) = self.0.get(&key) {
            return Ok(claims);
        }
        let claims = Arc::new(verify()?);
        self.0.insert(key, Arc::clone(&claims));
        Ok(claims)
    }

    /// Forgets a token that has expired.
    pub(super) fn forget(&self, bearer: &str) {
        self.0.remove(&<[u8; 32]>::from(Sha256::digest(bearer.as_bytes())));
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::access::Audience, *};

    fn claims() -> Claims {
        Claims {
            sub: "ann".to_owned(),
            aud: Audience::One("https://www.example.org/mcp".to_owned()),
            client_id: "agent".to_owned(),
            scope: "trips:read".to_owned(),
            iat: 0,
            exp: 900,
            sid: "family".to_owned(),
        }
    }

    #[test]
    fn a_good_signature_is_computed_once_and_a_bad_one_each_time() {
        let verified = Verified::default();
        let found = verified.get("eyJ.good", || Ok::<_, ()>(claims())).unwrap();
        assert_eq!(verified.get("eyJ.good", || Err(())).unwrap().sub, found.sub);
        assert!(verified.get("eyJ.bad", || Err(())).is_err());
        assert!(verified.get("eyJ.bad", || Ok::<_, ()>(claims())).is_ok(), "a refusal is not remembered");
        verified.forget("eyJ.good");
        assert!(verified.get("eyJ.good", || Err(())).is_err());
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let verified = Verified::default();
        for number in 0..3 * MAX {
            verified.get(&number.to_string(), || Ok::<_, ()>(claims())).unwrap();
        }
        assert!(verified.len() <= MAX);
    }
}
