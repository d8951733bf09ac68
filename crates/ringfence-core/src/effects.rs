//! Effects: everything that a call would do, and what could not be told about it.

use crate::access::Access;
use crate::verdict::Doubt;

/// All accesses and doubts of a call.
#[derive(Debug, Clone, Default)]
pub struct Effects {
    /// What the call would do.
    pub accesses: Vec<Access>,
    /// What could not be read with certainty.
    pub doubts: Vec<Doubt>,
}

impl Effects {
    /// Adds all of the other call's effects.
    pub fn extend(&mut self, other: Effects) {
        self.accesses.extend(other.accesses);
        self.doubts.extend(other.doubts);
    }
}

impl From<Doubt> for Effects {
    fn from(doubt: Doubt) -> Effects {
        Effects { accesses: Vec::new(), doubts: vec![doubt] }
    }
}
