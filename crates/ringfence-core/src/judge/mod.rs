//! The judge: documents compiled into a policy that answers for every access.
//!
//! [`Policy::decide`] is total and pure: it takes finished data, always answers, and answers the
//! same whatever the order of rules and documents.

mod by_name;
mod compile;
mod decide;
mod entry;
mod exec_index;
mod exec_spellings;
mod exec_words;
mod expand;
mod foreseen;
mod inherited;
mod landmark;
mod links;
mod matching;
mod names;
mod needs;
mod opted;
mod path_set;
mod places;
mod problem;
mod questions;
mod scope;
mod side_index;
mod sieve;
mod sketch;
mod wording;

pub use compile::Policy;
pub use foreseen::Foreseen;
pub use needs::Needs;
pub use path_set::{PathSet, PathStates};
pub use places::{RulePlace, Stand};
pub use problem::Problem;
pub use sieve::{Listed, Sieve};

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
