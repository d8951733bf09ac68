//! Indexes: from an accessed value to the rules whose patterns match it.
//!
//! The cost of a lookup hardly depends on the number of rules. Matching never backtracks: a trie is
//! walked with a set of states, whose size is limited by the wildcards in the patterns. An index
//! knows neither effects nor documents; it returns the rule numbers that were inserted.

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
