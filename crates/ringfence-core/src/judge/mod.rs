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
mod inherited;
mod links;
mod matching;
mod names;
mod opted;
mod path_set;
mod places;
mod problem;
mod questions;
pub(crate) mod rule_book;
mod scope;
mod side_index;
pub mod table;
mod table_source;

pub use compile::Policy;
pub use path_set::{PathSet, PathStates};
pub use places::{RulePlace, Stand};
pub use problem::Problem;
pub use table_source::table_source;

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
