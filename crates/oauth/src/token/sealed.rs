//! The answer to a refresh, kept so that the same request can be answered the same, and sealed under the token that was
//! shown: the database holds only that token's digest, so whoever reads the database cannot open what is kept.

use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, Salt},
};
use btp_kernel::Entropy;

/// Seals `answer` so that it opens for the same `token` and the same `request` alone.
pub(super) fn seal(token: &str, request: &str, answer: &str, entropy: &dyn Entropy) -> Option<Vec<u8>> {
    let mut nonce = [0; NONCE_LEN];
    entropy.fill(&mut nonce);
    let mut text = answer.as_bytes().to_vec();
    let aad = Aad::from(request.as_bytes());
    key(token)?.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut text).ok()?;
    Some([nonce.as_slice(), &text].concat())
}

/// The answer that was sealed; `None` for another token or another request.
pub(super) fn open(token: &str, request: &str, sealed: &[u8]) -> Option<String> {
    let (nonce, text) = sealed.split_at_checked(NONCE_LEN)?;
    let mut text = text.to_vec();
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let opened = key(token)?.open_in_place(nonce, Aad::from(request.as_bytes()), &mut text).ok()?;
    String::from_utf8(opened.to_vec()).ok()
}

/// The token has 256 random bits: all a key needs (RFC 5869 §3.1).
fn key(token: &str) -> Option<LessSafeKey> {
    let secret = Salt::new(HKDF_SHA256, &[]).extract(token.as_bytes());
    let key = secret.expand(&[b"answer to a refresh"], &AES_256_GCM).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(key)))
}

#[cfg(test)]
mod tests {
    use btp_testkit::SeededEntropy;

    use super::*;

    // attack: 87
    #[test]
    fn only_the_same_token_and_request_open_it() {
        let sealed = seal("btr_one", "agent\ntrips:read", "the answer", &SeededEntropy::new(1)).unwrap();
        assert!(!sealed.windows(6).any(|bytes| bytes == b"answer"));
        assert_eq!(open("btr_one", "agent\ntrips:read", &sealed).as_deref(), Some("the answer"));
        assert_eq!(open("btr_two", "agent\ntrips:read", &sealed), None);
        assert_eq!(open("btr_one", "other\ntrips:read", &sealed), None);
        for broken in [&sealed[1..], &sealed[..sealed.len() - 1], &sealed[..5], &[]] {
            assert_eq!(open("btr_one", "agent\ntrips:read", broken), None);
        }
    }
}
