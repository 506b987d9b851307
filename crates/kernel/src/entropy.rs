//! Randomness is an argument too.

/// A source of unpredictable bytes, injected.
pub trait Entropy: Send + Sync {
    /// Fills `out` with random bytes.
    fn fill(&self, out: &mut [u8]);
}

/// 16 random bytes as 32 hexadecimal digits.
pub fn hex16(entropy: &dyn Entropy) -> String {
    let mut bytes = [0; 16];
    entropy.fill(&mut bytes);
    hex(&bytes)
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// SHA-256 of `parts`, each preceded by its length so that no two lists collide, as 64 hexadecimal digits.
pub fn digest(parts: &[&[u8]]) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn the_digest_keeps_parts_apart() {
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_eq!(digest(&[b"ab"]).len(), 64);
    }
}
