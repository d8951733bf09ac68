//! Effects: all accesses of a call, and all doubts about it.

use crate::access::Access;
use crate::verdict::Doubt;

/// All accesses and doubts of one call.
#[derive(Debug, Clone, Default)]
pub struct Effects {
    /// The actions that the call would perform.
    pub accesses: Vec<Access>,
    /// The parts of the call that could not be read with certainty.
    pub doubts: Vec<Doubt>,
}

impl Effects {
    /// Appends all accesses and doubts of another call.
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
