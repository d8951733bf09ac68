//! A trie that matches a text against many globs at once.

use super::hash::FastMap;
use super::state_set::StateSet;
use crate::pattern::{CharClass, Glob, GlobPart};

/// A trie of globs. Common prefixes are stored and walked once.
#[derive(Debug, Default, Clone)]
pub(crate) struct GlobTrie {
    literals: FastMap<Box<str>, Vec<u32>>,
    nodes: Vec<Node>,
}

#[derive(Debug, Default, Clone)]
struct Node {
    chars: FastMap<char, u32>,
    classes: Vec<(CharClass, u32)>,
    any: Option<u32>,
    star: Option<u32>,
    /// Whether a star ends here, so that any character leads back to this node.
    loops: bool,
    values: Vec<u32>,
}

impl GlobTrie {
    /// Adds a glob. [`GlobTrie::each_match`] reports `value` for the texts that it matches.
    pub(crate) fn insert(&mut self, glob: &Glob, value: u32) {
        if let Some(literal) = glob.as_literal() {
            self.literals.entry(literal.into()).or_default().push(value);
            return;
        }
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        let mut at = 0;
        for part in glob.parts() {
            at = self.child(at, part);
        }
        if let Some(node) = self.node_mut(at) {
            node.values.push(value);
        }
    }

    /// Calls `found` with the value of every glob that matches the whole text.
    pub(crate) fn each_match(&self, text: &str, mut found: impl FnMut(u32)) {
        self.literals.get(text).into_iter().flatten().for_each(|value| found(*value));
        if self.nodes.is_empty() {
            return;
        }
        let (mut states, mut next) = (&mut StateSet::default(), &mut StateSet::default());
        self.enter(0, states);
        for c in text.chars() {
            next.clear();
            for state in states.states() {
                self.step(*state, c, next);
            }
            std::mem::swap(&mut states, &mut next);
            if states.states().is_empty() {
                return;
            }
        }
        let ends = states.states().iter().filter_map(|state| self.node(*state));
        ends.flat_map(|node| &node.values).for_each(|value| found(*value));
    }

    fn step(&self, state: u32, c: char, next: &mut StateSet) {
        let Some(node) = self.node(state) else { return };
        if node.loops {
            self.enter(state, next);
        }
        if let Some(child) = node.chars.get(&c) {
            self.enter(*child, next);
        }
        if let Some(child) = node.any {
            self.enter(child, next);
        }
        for (class, child) in &node.classes {
            if class.has(c) {
                self.enter(*child, next);
            }
        }
    }

    /// Adds a state, and the star behind it, because a star also matches the empty text.
    fn enter(&self, state: u32, states: &mut StateSet) {
        if states.insert(state)
            && let Some(star) = self.node(state).and_then(|node| node.star)
        {
            self.enter(star, states);
        }
    }

    fn child(&mut self, at: u32, part: &GlobPart) -> u32 {
        let fresh = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let Some(node) = self.node_mut(at) else {
            return at;
        };
        let child = match part {
            GlobPart::Char(c) => *node.chars.entry(*c).or_insert(fresh),
            GlobPart::Any => *node.any.get_or_insert(fresh),
            GlobPart::Star => *node.star.get_or_insert(fresh),
            GlobPart::Class(class) => {
                let known = node.classes.iter().find(|(own, _)| own == class).map(|(_, to)| *to);
                known.unwrap_or_else(|| {
                    node.classes.push((class.clone(), fresh));
                    fresh
                })
            }
        };
        if child == fresh {
            self.nodes.push(Node { loops: *part == GlobPart::Star, ..Node::default() });
        }
        child
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    fn node_mut(&mut self, at: u32) -> Option<&mut Node> {
        self.nodes.get_mut(at as usize)
    }
}
