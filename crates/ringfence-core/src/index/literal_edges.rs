//! The literal edges of a trie, in one hash table.

use std::borrow::Cow;

use super::hash::{self, FastMap, fast_map, hash_text, mix};

/// A map from a node and a literal token to the child node.
///
/// One open-addressing table serves the whole trie and stores short tokens inside its slots. A
/// lookup then touches one cache line, which matters when there are many rules.
#[derive(Debug, Default, Clone)]
pub(super) struct LiteralEdges {
    // INVARIANT: the length is zero or a power of two, and more than half of the slots are free.
    slots: Cow<'static, [Slot]>,
    used: usize,
    /// A Bloom filter over all tokens, whatever their node.
    bits: u64,
    /// The edges whose token is too long for a slot, by parent node.
    long: FastMap<u32, FastMap<Box<str>, u32>>,
}

/// One literal edge. It fills half a cache line.
#[derive(Debug, Default, Clone, Copy)]
#[repr(align(32))]
pub struct Slot {
    pub(super) parent: u32,
    /// The child node. No edge leads to the root, so zero marks a free slot.
    pub(super) child: u32,
    len: u8,
    text: [u8; MAX_INLINE],
}

/// The length in bytes of the longest token that fits into a slot.
pub(super) const MAX_INLINE: usize = 23;

/// The number of slots in the first table.
const INITIAL_SLOTS: usize = 16;

/// A token with its hash, which is computed once for lookups from several nodes.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    hash: u64,
}

impl Token<'_> {
    fn bit(self) -> u64 {
        hash::bloom_bit_of_hash(self.hash)
    }
}

impl<'t> From<&'t str> for Token<'t> {
    fn from(text: &'t str) -> Token<'t> {
        Token { text, hash: hash_text(text.as_bytes()) }
    }
}

impl Slot {
    /// The value of a free slot.
    pub const FREE: Slot = Slot { parent: 0, child: 0, len: 0, text: [0; MAX_INLINE] };

    /// Creates the edge from a node to its child by a token of at most `MAX_INLINE` bytes.
    pub const fn new(parent: u32, child: u32, token: &str) -> Slot {
        let mut slot = Slot { parent, child, ..Slot::FREE };
        let mut rest = token.as_bytes();
        let mut room = slot.text.as_mut_slice();
        while let (Some((byte, tail)), Some((to, empty))) =
            (rest.split_first(), room.split_first_mut())
        {
            *to = *byte;
            slot.len = slot.len.wrapping_add(1);
            (rest, room) = (tail, empty);
        }
        slot
    }

    pub(super) fn text(&self) -> &[u8] {
        self.text.get(..usize::from(self.len)).unwrap_or_default()
    }

    fn is(&self, parent: u32, text: &[u8]) -> bool {
        self.parent == parent && self.text() == text
    }
}

impl LiteralEdges {
    /// Creates edges from a table that [`Edges::slots`] returned at build time.
    pub(super) const fn fixed(slots: &'static [Slot], bits: u64) -> LiteralEdges {
        LiteralEdges { slots: Cow::Borrowed(slots), used: slots.len(), bits, long: fast_map() }
    }

    /// Returns the table and the Bloom filter. Tokens longer than [`MAX_INLINE`] bytes are missing.
    pub(super) fn slots(&self) -> (&[Slot], u64) {
        (&self.slots, self.bits)
    }

    /// Returns whether the token may be at some edge. False for most tokens if the trie has few.
    pub(super) fn may_have(&self, token: Token<'_>) -> bool {
        self.bits & token.bit() != 0
    }

    /// Returns the child of a node by a token.
    pub(super) fn get(&self, parent: u32, token: Token<'_>) -> Option<u32> {
        let text = token.text.as_bytes();
        if text.len() > MAX_INLINE {
            return self.long.get(&parent)?.get(token.text).copied();
        }
        let mut at = self.home_slot(parent, token.hash);
        // Ends at a free slot; the invariant guarantees one.
        loop {
            let slot = self.slots.get(at)?;
            if slot.child == 0 {
                return None;
            }
            if slot.is(parent, text) {
                return Some(slot.child);
            }
            at = self.next_slot(at);
        }
    }

    /// Returns the child of a node by a token; adds `fresh` as the child if there is none.
    pub(super) fn get_or_insert(&mut self, parent: u32, text: &str, fresh: u32) -> u32 {
        let token = Token::from(text);
        if let Some(known) = self.get(parent, token) {
            return known;
        }
        self.bits |= token.bit();
        if text.len() > MAX_INLINE {
            self.long.entry(parent).or_default().insert(text.into(), fresh);
            return fresh;
        }
        self.make_room();
        self.put(Slot::new(parent, fresh, text), token.hash);
        self.used = self.used.saturating_add(1);
        fresh
    }

    fn make_room(&mut self) {
        let needed = self.used.saturating_add(1).saturating_mul(2);
        if needed < self.slots.len() {
            return;
        }
        let len = self.slots.len().saturating_mul(2).max(INITIAL_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot::FREE; len].into());
        for slot in old.iter().copied().filter(|slot| slot.child != 0) {
            self.put(slot, hash_text(slot.text()));
        }
    }

    fn put(&mut self, slot: Slot, hash: u64) {
        let mut at = self.home_slot(slot.parent, hash);
        while let Some(place) = self.slots.to_mut().get_mut(at) {
            if place.child == 0 {
                *place = slot;
                return;
            }
            at = self.next_slot(at);
        }
    }

    fn home_slot(&self, parent: u32, hash: u64) -> usize {
        let spread = mix(hash, u64::from(parent)) >> 32;
        usize::try_from(spread).unwrap_or_default() & self.slots.len().saturating_sub(1)
    }

    fn next_slot(&self, at: usize) -> usize {
        at.wrapping_add(1) & self.slots.len().saturating_sub(1)
    }
}
