//! Secrets that are handed out once and kept as digests only.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::{Entropy, entropy};

/// `prefix`, by which secret scanners and log filters know it, and 256 random bits.
pub fn new(prefix: &str, source: &dyn Entropy) -> String {
    let mut bytes = [0; 32];
    source.fill(&mut bytes);
    format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// 48 random bits as 8 characters of `[A-Za-z0-9_-]`: for links that people pass on, where guesses are limited.
pub fn short(source: &dyn Entropy) -> String {
    let mut bytes = [0; 6];
    source.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The form in which a secret of 128 bits and more is stored and looked up: it needs no slow hash.
pub fn digest(secret: &str) -> String {
    entropy::digest(&[secret.as_bytes()])
}
