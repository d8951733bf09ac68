//! Indexes: from an accessed value to the rules whose patterns match it.
//!
//! The cost of a lookup hardly depends on the number of rules. Matching never backtracks: a trie is
//! walked with a set of states, whose size is limited by the wildcards in the patterns. An index
//! knows neither effects nor documents; it returns the rule numbers that were inserted.

mod glob_trie;
mod hash;
mod host_index;
mod input_token;
mod literal_edges;
mod shape_edges;
mod state_set;
mod token_trie;

pub(crate) use hash::{FastMap, bloom_bit};
pub(crate) use host_index::{HostIndex, labels};
pub(crate) use input_token::InputToken;
pub use literal_edges::Slot;
pub use shape_edges::{Shape, ShapeNode};
pub use token_trie::{EntryLink, Node, TokenTrie};
pub(crate) use token_trie::{MatchKind, Step, Tokens, WalkedPrefix};

/// The number of a rule in its policy.
pub(crate) type RuleNumber = u32;

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "laws_tests.rs"]
mod laws;
