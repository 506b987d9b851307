//! Randomness that repeats.

use std::sync::atomic::{AtomicU64, Ordering};

use btp_kernel::Entropy;

/// SplitMix64 from a seed: the same bytes in the same order each run.
#[derive(Debug, Default)]
pub struct SeededEntropy(AtomicU64);

impl SeededEntropy {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst).wrapping_add(0x9e37_79b9_7f4a_7c15);
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
    }
}
