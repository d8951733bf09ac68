//! Many path patterns at once, for walking directories.
//!
//! Whoever walks a tree asks at every name whether one of the patterns takes it, and whether any
//! of them can still take something below. The cost of a step hardly grows with the patterns.

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

/// How far the patterns of a [`PathSet`] have come along a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathStates(Vec<u32>);

impl PathStates {
    /// Whether no pattern can take this path or anything below it.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

impl PathSet {
    /// An empty set for a host that compares paths by these rules.
    pub fn new(rules: PathRules) -> PathSet {
        PathSet { trie: TokenTrie::default(), rules }
    }

    /// Adds the paths at a literal path, further described by the components behind it.
    pub fn add(&mut self, literal: &AbsPath, rest: &[Component]) {
        self.trie.insert(steps(literal, rest), 0);
    }

    /// Where the patterns stand at a path.
    pub fn at(&self, path: &AbsPath) -> PathStates {
        let mut states = PathStates(self.trie.root_states());
        let mut next = PathStates::default();
        for name in path.components() {
            self.step(&states, name, &mut next);
            std::mem::swap(&mut states, &mut next);
        }
        states
    }

    /// Where they stand one name further down.
    pub fn step(&self, from: &PathStates, name: &str, to: &mut PathStates) {
        match self.rules.case_insensitive {
            false => self.trie.step_on(&from.0, name, &mut to.0),
            true => self.trie.step_on(&from.0, &self.rules.fold_name(name), &mut to.0),
        }
    }

    /// Whether one of the patterns takes the path; `dir/**` takes `dir` too.
    pub fn matches(&self, at: &PathStates) -> bool {
        self.trie.ends(&at.0)
    }

    /// Whether one of the patterns takes everything at and below the path.
    pub fn takes_all(&self, at: &PathStates) -> bool {
        self.trie.takes_all(&at.0)
    }
}

#[cfg(test)]
#[path = "path_set_tests.rs"]
mod tests;
