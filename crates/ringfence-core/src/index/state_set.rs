//! Sets of states of an automaton.

/// A set of states in order of arrival: a list while it is small, with a bit map beside it once
/// it is not.
#[derive(Debug, Default)]
pub(super) struct StateSet {
    list: Vec<u32>,
    bits: Vec<u64>,
}

/// Up to here a look through the list is faster than the bit map.
const SMALL: usize = 16;

impl StateSet {
    /// The states, in the order in which they came.
    pub(super) fn states(&self) -> &[u32] {
        &self.list
    }

    /// Adds a state; false if it was there already.
    pub(super) fn insert(&mut self, state: u32) -> bool {
        if self.list.len() < SMALL {
            if self.list.contains(&state) {
                return false;
            }
        } else {
            if self.list.len() == SMALL {
                for at in 0..SMALL {
                    let known = self.list.get(at).copied().unwrap_or_default();
                    self.mark(known);
                }
            }
            if !self.mark(state) {
                return false;
            }
        }
        self.list.push(state);
        true
    }

    /// Empties the set and keeps its memory.
    pub(super) fn clear(&mut self) {
        if self.list.len() >= SMALL {
            self.bits.fill(0);
        }
        self.list.clear();
    }

    fn mark(&mut self, state: u32) -> bool {
        let (word, bit) = ((state / 64) as usize, 1u64 << (state % 64));
        if self.bits.len() <= word {
            self.bits.resize(word.saturating_add(1), 0);
        }
        match self.bits.get_mut(word) {
            Some(bits) if *bits & bit == 0 => {
                *bits |= bit;
                true
            }
            _ => false,
        }
    }
}
