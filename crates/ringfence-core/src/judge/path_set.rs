//! A set of path patterns for walking a directory tree.
//!
//! A walk asks at every entry whether some pattern matches it, and whether some pattern can still
//! match below it. The cost of a step hardly depends on the number of patterns.

use super::expand::steps;
use crate::index::TokenTrie;
use crate::path::{AbsPath, PathRules};
use crate::pattern::Component;

/// A set of path patterns.
#[derive(Debug, Default)]
pub struct PathSet {
    trie: TokenTrie,
    rules: PathRules,
}

/// The positions of all patterns of a [`PathSet`] after a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathStates(Vec<u32>);

impl PathStates {
    /// Returns whether no pattern can match this path or anything below it.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

impl PathSet {
    /// Creates an empty set for a host with these path rules.
    pub fn new(rules: PathRules) -> PathSet {
        PathSet { trie: TokenTrie::default(), rules }
    }

    /// Adds a pattern: a literal path and the components after it.
    pub fn add(&mut self, literal: &AbsPath, rest: &[Component]) {
        self.trie.insert(steps(literal, rest), 0);
    }

    /// Returns the positions after a path.
    pub fn at(&self, path: &AbsPath) -> PathStates {
        let mut states = PathStates(self.trie.root_states());
        let mut next = PathStates::default();
        for name in path.components() {
            self.step(&states, name, &mut next);
            std::mem::swap(&mut states, &mut next);
        }
        states
    }

    /// Computes the positions after one more component.
    pub fn step(&self, from: &PathStates, name: &str, to: &mut PathStates) {
        match self.rules.case_insensitive {
            false => self.trie.step_states(&from.0, name, &mut to.0),
            true => self.trie.step_states(&from.0, &self.rules.fold_name(name), &mut to.0),
        }
    }

    /// Returns whether a pattern matches the path. `dir/**` also matches `dir`.
    pub fn matches(&self, at: &PathStates) -> bool {
        self.trie.ends(&at.0)
    }

    /// Returns whether a pattern matches the path and everything below it.
    pub fn takes_all(&self, at: &PathStates) -> bool {
        self.trie.takes_all(&at.0)
    }
}

#[cfg(test)]
#[path = "path_set_tests.rs"]
mod tests;
