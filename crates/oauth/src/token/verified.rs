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
    /// The claims of `bearer`, if its signature was found good before.
    pub(super) fn get(&self, bearer: &str) -> Option<Arc<Claims>> {
        self.0.get(&digest(bearer))
    }

    /// Remembers that the signature of `bearer` is good. Never to be called for any other, so that junk costs no memory.
    pub(super) fn remember(&self, bearer: &str, claims: &Arc<Claims>) {
        self.0.insert(digest(bearer), Arc::clone(claims));
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.0.len()
    }
}

fn digest(bearer: &str) -> [u8; 32] {
    Sha256::digest(bearer.as_bytes()).into()
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
    fn it_does_not_grow_without_end() {
        let (verified, claims) = (Verified::default(), Arc::new(claims()));
        for number in 0..3 * MAX {
            verified.remember(&number.to_string(), &claims);
        }
        assert!(verified.len() <= MAX);
        verified.remember("eyJ.last", &claims);
        assert_eq!(verified.get("eyJ.last").unwrap().sub, "ann");
        assert!(verified.get("eyJ.other").is_none());
    }
}
