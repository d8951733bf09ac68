//! The judge: compiles documents into a policy, which decides every access.
//!
//! [`Policy::decide`] is total and pure: it does no I/O and always answers. The answer does not
//! depend on the order of rules or documents.

mod bound_table;
mod compile;
mod decide;
mod entry;
mod exec_index;
mod exec_spellings;
mod exec_words;
mod expand;
mod floating;
mod held_by_fence;
mod link_aliases;
mod matching;
mod missing_grant;
mod path_aliases;
mod path_set;
mod problem;
mod queries;
pub(crate) mod rule_book;
mod rule_places;
mod scope;
mod side_index;
pub mod table;
mod table_source;
mod ungranted_starts;

pub use compile::Policy;
pub use path_set::{PathSet, PathStates};
pub use problem::RuleProblem;
pub use rule_places::{RuleKind, RulePlace};
pub use table_source::table_source;

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
