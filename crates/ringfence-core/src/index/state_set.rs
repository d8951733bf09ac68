//! Sets of states of an automaton.

/// A set of states in order of arrival: in place while it is small, then a list with a bit map
/// beside it.
#[derive(Debug, Default)]
pub(super) struct StateSet {
    few: [u32; FEW],
    len: usize,
    /// All states, once they are more than a few.
    many: Vec<u32>,
    bits: Vec<u64>,
}

/// Up to here a look through the states is faster than the bit map.
const FEW: usize = 12;

impl StateSet {
    /// The states, in the order in which they came.
    pub(super) fn states(&self) -> &[u32] {
        match self.many.is_empty() {
            true => self.few.get(..self.len).unwrap_or_default(),
            false => &self.many,
        }
    }

    /// Adds a state; false if it was there already.
    pub(super) fn insert(&mut self, state: u32) -> bool {
        if !self.many.is_empty() {
            let fresh = self.mark(state);
            if fresh {
                self.many.push(state);
            }
            return fresh;
        }
        if self.states().contains(&state) {
            return false;
        }
        match self.few.get_mut(self.len) {
            Some(place) => {
                *place = state;
                self.len = self.len.saturating_add(1);
            }
            None => self.spill(state),
        }
        true
    }

    /// Empties the set and keeps its memory.
    pub(super) fn clear(&mut self) {
        if !self.many.is_empty() {
            self.bits.fill(0);
            self.many.clear();
        }
        self.len = 0;
    }

    #[cold]
    fn spill(&mut self, state: u32) {
        let few = self.few;
        for known in few.into_iter().chain([state]) {
            self.mark(known);
            self.many.push(known);
        }
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
