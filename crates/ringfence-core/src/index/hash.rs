//! A fast hash function for keys that come from a policy.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map for keys that come from a policy. Keys from a call could be chosen to collide.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Creates an empty map.
pub(super) const fn fast_map<K, V>() -> FastMap<K, V> {
    HashMap::with_hasher(BuildHasherDefault::new())
}

/// A hasher that multiplies and rotates, eight bytes at a time.
#[derive(Default)]
pub(crate) struct FastHasher(u64);

const FACTOR: u64 = 0x517c_c1b7_2722_0a95;

/// Mixes a word into a hash.
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR)
}

/// Hashes a text: its full eight-byte words, then one word with the remaining bytes.
pub(super) fn hash_text(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let start = mix(0, bytes.len() as u64);
    let hash = words.iter().fold(start, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    // Four to seven bytes are read as two overlapping halves, which is faster than byte by byte.
    let rest = match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    mix(hash, rest)
}

/// Returns the Bloom filter bit of a hash. Different texts may share a bit.
pub(super) fn bloom_bit_of_hash(hash: u64) -> u64 {
    1 << (hash >> 58)
}

/// Returns the Bloom filter bit of a text.
pub(crate) fn bloom_bit(text: &str) -> u64 {
    bloom_bit_of_hash(hash_text(text.as_bytes()))
}

impl FastHasher {
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }
}

impl Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.add(hash_text(bytes));
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }

    fn finish(&self) -> u64 {
        // The rotation moves entropy to the low bits, because the hash map uses high and low bits.
        self.0.rotate_left(26)
    }
}
