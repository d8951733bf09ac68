//! Many patterns over sequences of tokens: commands, paths, host labels, MCP names.

use super::EntryId;
use super::glob_trie::GlobTrie;
use super::hash::FastMap;
use super::seen::Seen;
use super::state_set::StateSet;
use crate::pattern::Glob;

/// A trie of token patterns.
#[derive(Debug, Clone)]
pub(crate) struct TokenTrie {
    nodes: Vec<Node>,
}

/// Kept small: with many rules, a walk costs what it touches.
#[derive(Debug, Default, Clone)]
struct Node {
    literals: Literals,
    globs: Option<Box<Globs>>,
    any: Option<u32>,
    deep: Option<u32>,
    /// A deep wildcard stands here: any token leads back.
    loops: bool,
    entries: Vec<EntryId>,
}

/// The children by literal tokens. Most nodes have one.
#[derive(Debug, Default, Clone)]
enum Literals {
    #[default]
    None,
    One(Box<str>, u32),
    Many(Box<FastMap<Box<str>, u32>>),
}

/// The children by shapes of tokens.
#[derive(Debug, Default, Clone)]
struct Globs {
    trie: GlobTrie,
    /// Which child each glob leads to; the trie knows them by these numbers.
    children: Vec<(Glob, u32)>,
    /// The children that one of several tokens leads to.
    one_of: Vec<u32>,
}

impl Literals {
    fn get(&self, token: &str) -> Option<u32> {
        match self {
            Literals::None => None,
            Literals::One(own, child) => (**own == *token).then_some(*child),
            Literals::Many(children) => children.get(token).copied(),
        }
    }

    /// The child for the token: the one that is there, else the fresh one.
    fn get_or_insert(&mut self, token: &str, fresh: u32) -> u32 {
        if let Some(child) = self.get(token) {
            return child;
        }
        *self = match std::mem::take(self) {
            Literals::None => Literals::One(token.into(), fresh),
            Literals::One(own, child) => Literals::Many(Box::new(
                [(own, child), (token.into(), fresh)].into_iter().collect(),
            )),
            Literals::Many(mut children) => {
                children.insert(token.into(), fresh);
                Literals::Many(children)
            }
        };
        fresh
    }

    fn children(&self) -> impl Iterator<Item = u32> {
        let one = match self {
            Literals::One(_, child) => Some(*child),
            _ => None,
        };
        let many = match self {
            Literals::Many(children) => Some(children.values().copied()),
            _ => None,
        };
        one.into_iter().chain(many.into_iter().flatten())
    }
}

/// One place of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// This token.
    Literal(&'a str),
    /// Any of these tokens.
    OneOf(Vec<String>),
    /// A token of this shape.
    Glob(&'a Glob),
    /// Any tokens, also none.
    Deep,
}

/// How a pattern matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// The last token was taken by the pattern's last place.
    Full,
    /// A deep wildcard at the end took nothing: `dir/**` met `dir`.
    Itself,
}

impl Default for TokenTrie {
    fn default() -> TokenTrie {
        TokenTrie { nodes: vec![Node::default()] }
    }
}

impl TokenTrie {
    /// Adds a pattern.
    pub(crate) fn insert<'a>(&mut self, steps: impl IntoIterator<Item = Step<'a>>, entry: EntryId) {
        let mut at = 0;
        for step in steps {
            at = self.child(at, &step);
        }
        if let Some(node) = self.node_mut(at)
            && node.entries.last() != Some(&entry)
        {
            node.entries.push(entry);
        }
    }

    /// Whether no pattern was added, other than one that takes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self.nodes.as_slice(), [only] if only.entries.is_empty())
    }

    /// Calls `found` for every pattern that matches the whole sequence.
    pub(crate) fn each_match<'t>(
        &self,
        tokens: impl IntoIterator<Item = impl Into<Seen<'t>>>,
        mut found: impl FnMut(EntryId, Hit),
    ) {
        if self.is_empty() {
            return;
        }
        let states = self.walk(tokens);
        self.each_end(states.states(), &mut found);
    }

    /// Calls `found` for every pattern that matches the sequence and whatever may follow it.
    pub(crate) fn each_whole<'t>(
        &self,
        tokens: impl IntoIterator<Item = &'t str>,
        mut found: impl FnMut(EntryId),
    ) {
        for node in self.walk(tokens).states().iter().filter_map(|state| self.node(*state)) {
            let ends = if node.loops { Some(node) } else { self.deep(node) };
            ends.iter().flat_map(|end| &end.entries).for_each(|entry| found(*entry));
        }
    }

    /// Calls `found` for every pattern that surely meets something at or below the sequence: by
    /// literals alone, with at most one wildcard at the end. Patterns that would have to cross a
    /// wildcard first are left out: whether they meet anything depends on what is there.
    pub(crate) fn each_below<'t>(
        &self,
        tokens: impl IntoIterator<Item = &'t str>,
        mut found: impl FnMut(EntryId),
    ) {
        let mut open: Vec<&Node> = Vec::new();
        for node in self.walk(tokens).states().iter().filter_map(|state| self.node(*state)) {
            if node.loops {
                node.entries.iter().for_each(|entry| found(*entry));
            } else {
                open.push(node);
            }
        }
        while let Some(node) = open.pop() {
            let globs = node.globs.iter().flat_map(|globs| &globs.children);
            let wildcards = globs.map(|(_, child)| *child);
            let ends = wildcards.chain(node.any).chain(node.deep);
            let ends = ends.filter_map(|child| self.node(child)).chain([node]);
            ends.flat_map(|end| &end.entries).for_each(|entry| found(*entry));
            open.extend(node.literals.children().filter_map(|child| self.node(child)));
        }
    }

    fn deep(&self, node: &Node) -> Option<&Node> {
        node.deep.and_then(|deep| self.node(deep))
    }

    fn each_end(&self, states: &[u32], found: &mut impl FnMut(EntryId, Hit)) {
        for node in states.iter().filter_map(|state| self.node(*state)) {
            node.entries.iter().for_each(|entry| found(*entry, Hit::Full));
            if let Some(deep) = self.deep(node) {
                deep.entries.iter().for_each(|entry| found(*entry, Hit::Itself));
            }
        }
    }

    /// The states after the tokens; zero-width wildcards at the end are not yet entered.
    fn walk<'t>(&self, tokens: impl IntoIterator<Item = impl Into<Seen<'t>>>) -> StateSet {
        let mut states = StateSet::default();
        let mut next = StateSet::default();
        states.insert(0);
        for token in tokens {
            next.clear();
            match token.into() {
                Seen::Word(word) => self.step_all(&states, word, &mut next),
                Seen::OneOf(words) => {
                    words.iter().for_each(|word| self.step_all(&states, word, &mut next));
                }
                Seen::Unknown => self.step_unknown(&states, &mut next),
                Seen::Joker { many } => self.step_joker(&states, many, &mut next),
            }
            std::mem::swap(&mut states, &mut next);
            if states.states().is_empty() {
                break;
            }
        }
        states
    }

    fn step_all(&self, states: &StateSet, word: &str, next: &mut StateSet) {
        for (at, node) in self.reached(states) {
            self.step(at, node, word, next);
        }
    }

    /// Only a deep wildcard surely takes what is not known.
    fn step_unknown(&self, states: &StateSet, next: &mut StateSet) {
        for (at, _) in self.reached(states).filter(|(_, node)| node.loops) {
            next.insert(at);
        }
    }

    /// Whatever may follow is followed: one step, or any number of them.
    fn step_joker(&self, states: &StateSet, many: bool, next: &mut StateSet) {
        let mut open: Vec<u32> = states.states().to_vec();
        let mut seen = StateSet::default();
        if many {
            open.iter().for_each(|state| {
                next.insert(*state);
            });
        }
        while let Some(state) = open.pop() {
            let mut at = Some(state);
            while let Some((from, node)) = at.and_then(|at| Some((at, self.node(at)?))) {
                let globs = node.globs.iter().flat_map(|globs| &globs.children);
                let children = globs.map(|(_, child)| *child).chain(node.any);
                let children = children.chain(node.literals.children());
                let one_of = node.globs.iter().flat_map(|globs| globs.one_of.iter().copied());
                for child in children.chain(one_of).chain(node.loops.then_some(from)) {
                    next.insert(child);
                    if many && seen.insert(child) {
                        open.push(child);
                    }
                }
                at = node.deep;
            }
        }
    }

    /// The states with the deep wildcards behind them, which may take nothing.
    fn reached<'s>(&'s self, states: &'s StateSet) -> impl Iterator<Item = (u32, &'s Node)> {
        states.states().iter().flat_map(|state| {
            let first = self.node(*state).map(|node| (*state, node));
            std::iter::successors(first, |(_, node)| {
                let deep = node.deep?;
                Some((deep, self.node(deep)?))
            })
        })
    }

    fn step(&self, at: u32, node: &Node, token: &str, next: &mut StateSet) {
        let mut add = |state: u32| {
            next.insert(state);
        };
        if node.loops {
            add(at);
        }
        if let Some(child) = node.literals.get(token) {
            add(child);
        }
        if let Some(child) = node.any {
            add(child);
        }
        if let Some(globs) = &node.globs {
            globs.trie.each_match(token, add);
        }
    }

    fn child(&mut self, at: u32, step: &Step<'_>) -> u32 {
        let fresh = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        let Some(node) = self.node_mut(at) else {
            return at;
        };
        let child = match step {
            Step::Literal(token) => node.literals.get_or_insert(token, fresh),
            Step::OneOf(tokens) => {
                // A node of its own: what may follow one of them may follow all of them.
                let globs = node.globs.get_or_insert_default();
                tokens.iter().for_each(|token| globs.trie.insert(&Glob::literal(token), fresh));
                globs.one_of.push(fresh);
                fresh
            }
            Step::Glob(glob) if glob.is_any() => *node.any.get_or_insert(fresh),
            Step::Glob(glob) => {
                let globs = node.globs.get_or_insert_default();
                let known = globs.children.iter().find(|(own, _)| own == *glob);
                known.map(|(_, child)| *child).unwrap_or_else(|| {
                    globs.trie.insert(glob, fresh);
                    globs.children.push(((*glob).clone(), fresh));
                    fresh
                })
            }
            Step::Deep if node.loops => at,
            Step::Deep => *node.deep.get_or_insert(fresh),
        };
        if child == fresh {
            self.nodes.push(Node { loops: *step == Step::Deep, ..Node::default() });
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
