//! Secrets handed out once and stored as digests.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use btp_kernel::{Entropy, entropy};

/// Prefix of authorization codes, for secret scanners and log filters.
pub(crate) const CODE: &str = "btc_";
/// Prefix of refresh tokens.
pub(crate) const REFRESH: &str = "btr_";

/// `prefix` and 256 random bits.
pub(crate) fn new(prefix: &str, source: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    source.fill(&mut bytes);
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// The form in which a secret is stored and looked up.
pub(crate) fn digest(secret: &str) -> String {
    entropy::digest(&[secret.as_bytes()])
}
