//! Sets of automaton states.

/// A set of states in insertion order. A small set is an array; a larger one is a list with a bit
/// map.
#[derive(Debug, Default, Clone)]
pub(super) struct StateSet {
    few: [u32; FEW],
    len: usize,
    /// All states, once there are more than [`FEW`].
    many: Option<Box<Many>>,
}

#[derive(Debug, Default, Clone)]
struct Many {
    states: Vec<u32>,
    bits: Vec<u64>,
}

/// Up to this size, a linear search is faster than the bit map.
const FEW: usize = 12;

impl StateSet {
    /// Returns the states in insertion order.
    pub(super) fn states(&self) -> &[u32] {
        match &self.many {
            None => self.few.get(..self.len).unwrap_or_default(),
            Some(many) => &many.states,
        }
    }

    /// Adds a state; returns whether it is new.
    pub(super) fn insert(&mut self, state: u32) -> bool {
        if let Some(many) = &mut self.many {
            return many.insert(state);
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

    /// Empties the set. A large set keeps its memory.
    pub(super) fn clear(&mut self) {
        if let Some(many) = &mut self.many {
            many.bits.fill(0);
            many.states.clear();
        }
        self.len = 0;
    }

    #[cold]
    fn spill(&mut self, state: u32) {
        // A set that overflows the array rarely grows beyond this capacity.
        let (states, bits) = (Vec::with_capacity(48), Vec::with_capacity(8));
        let many = self.many.insert(Box::new(Many { states, bits }));
        for known in self.few.into_iter().chain([state]) {
            many.insert(known);
        }
    }
}

impl Many {
    fn insert(&mut self, state: u32) -> bool {
        let fresh = self.mark(state);
        if fresh {
            self.states.push(state);
        }
        fresh
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
