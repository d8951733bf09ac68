//! Indexes: from a value to the rules whose patterns match it.
//!
//! The cost of a look-up hardly depends on the number of rules, and matching never backtracks: a
//! trie is walked with a set of states, which is bounded by the wildcards that are alive at once.
//! An index knows nothing of effects or documents; it maps to the numbers it was given.

mod edges;
mod glob_trie;
mod hash;
mod host_index;
mod seen;
mod shapes;
mod state_set;
mod token_trie;

pub use edges::Slot;
pub(crate) use hash::{FastMap, bit_of};
pub(crate) use host_index::{HostIndex, labels};
pub(crate) use seen::Seen;
pub use shapes::{Shape, ShapeNode};
pub(crate) use token_trie::{Begun, Hit, Step, Tokens};
pub use token_trie::{More, Node, TokenTrie};

/// The number of a rule in its policy.
pub(crate) type EntryId = u32;

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "laws_tests.rs"]
mod laws;
