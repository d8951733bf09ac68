//! Walking a trie: from the states before a token to the states after it.

use super::super::RuleNumber;
use super::super::input_token::InputToken;
use super::super::literal_edges::Token;
use super::super::state_set::StateSet;
use super::{Node, OptIndex, TokenTrie};

/// A prefix of a token sequence that was already walked, as the set of states after it.
#[derive(Debug, Clone)]
pub(crate) struct WalkedPrefix {
    states: StateSet,
}

impl Default for WalkedPrefix {
    /// Creates the empty prefix.
    fn default() -> WalkedPrefix {
        let mut states = StateSet::default();
        states.insert(0);
        WalkedPrefix { states }
    }
}

impl WalkedPrefix {
    /// Returns whether no pattern has this prefix.
    pub(crate) fn is_dead(&self) -> bool {
        self.states.states().is_empty()
    }
}

impl TokenTrie {
    /// Returns the states after the prefix and the tokens. The result leaves out states behind a
    /// deep wildcard that matches no token.
    pub(super) fn walk<'s>(
        &self,
        tokens: &[InputToken<'_>],
        prefix: &'s WalkedPrefix,
        [states, next]: &'s mut [StateSet; 2],
    ) -> &'s [u32] {
        let Some((first, tokens)) = tokens.split_first() else { return prefix.states.states() };
        let (mut states, mut next) = (states, next);
        self.step_token(*first, &prefix.states, states);
        if self.is_settled(states) {
            return states.states();
        }
        for token in tokens {
            next.clear();
            self.step_token(*token, states, next);
            std::mem::swap(&mut states, &mut next);
            if self.is_settled(states) {
                break;
            }
        }
        states.states()
    }

    /// Computes the states after one more token. The states come from here or from
    /// [`TokenTrie::root_states`].
    pub(crate) fn step_states(&self, states: &[u32], word: &str, next: &mut Vec<u32>) {
        let token = Token::from(word);
        let mut reached = StateSet::default();
        for state in states {
            self.each_with_deep(*state, |at, node| self.step(at, node, token, &mut reached));
        }
        next.clear();
        next.extend_from_slice(reached.states());
    }

    /// Returns the states before the first token.
    pub(crate) fn root_states(&self) -> Vec<u32> {
        vec![0]
    }

    /// Returns whether a pattern ends at one of the states.
    pub(crate) fn ends(&self, states: &[u32]) -> bool {
        let ends = |node: &Node| node.is_end || self.deep(node).is_some_and(|deep| deep.is_end);
        self.nodes_at(states).any(ends)
    }

    /// Returns whether a pattern matches every continuation from one of the states.
    pub(crate) fn takes_all(&self, states: &[u32]) -> bool {
        self.nodes_at(states).any(|node| {
            let end = if node.loops { Some(node) } else { self.deep(node) };
            end.is_some_and(|end| end.is_end)
        })
    }

    /// Returns whether further tokens cannot change the set of states. This holds behind
    /// `cmd:make:*`, for example, or if the set is empty.
    fn is_settled(&self, states: &StateSet) -> bool {
        self.nodes_at(states.states()).all(Node::is_settled)
    }

    /// Returns whether all continuations match the same patterns. This holds behind `make`, for
    /// example, if `cmd:make:*` is the only pattern that starts so.
    pub(crate) fn ignores_rest(&self, prefix: &WalkedPrefix) -> bool {
        self.nodes_at(prefix.states.states()).all(|node| {
            let leads = [node.any, node.literal, node.shapes] != [OptIndex::default(); 3];
            !leads && (node.loops || !node.is_end) && self.deep(node).is_none_or(Node::is_settled)
        })
    }

    /// Calls `found` for every pattern that matches the prefix with any continuation. Valid only if
    /// all continuations match the same patterns.
    pub(crate) fn each_match_of_any_rest(
        &self,
        prefix: &WalkedPrefix,
        found: &mut dyn FnMut(RuleNumber),
    ) {
        for node in self.nodes_at(prefix.states.states()) {
            if node.loops {
                self.entries(node).for_each(&mut *found);
            }
            if let Some(deep) = self.deep(node) {
                self.entries(deep).for_each(&mut *found);
            }
        }
    }

    /// Walks the first token of a sequence.
    pub(crate) fn walk_first(&self, word: &str) -> WalkedPrefix {
        let token = Token::from(word);
        let mut states = StateSet::default();
        self.each_with_deep(0, |at, node| self.step(at, node, token, &mut states));
        WalkedPrefix { states }
    }

    /// Walks the first tokens of a sequence, so that several continuations can be matched after
    /// them.
    pub(crate) fn walk_prefix<'t>(
        &self,
        tokens: impl Iterator<Item = InputToken<'t>>,
    ) -> WalkedPrefix {
        self.extend_prefix(&WalkedPrefix::default(), tokens)
    }

    /// Walks more tokens after a prefix.
    pub(crate) fn extend_prefix<'t>(
        &self,
        prefix: &WalkedPrefix,
        mut tokens: impl Iterator<Item = InputToken<'t>>,
    ) -> WalkedPrefix {
        let Some(first) = tokens.next() else { return prefix.clone() };
        let mut states = StateSet::default();
        self.step_token(first, &prefix.states, &mut states);
        for token in tokens {
            if states.states().is_empty() {
                break;
            }
            let mut next = StateSet::default();
            self.step_token(token, &states, &mut next);
            states = next;
        }
        WalkedPrefix { states }
    }

    /// Calls `found` for every pattern that matches the prefix followed by all of the tokens.
    pub(crate) fn each_match_after(
        &self,
        prefix: &WalkedPrefix,
        tokens: &[InputToken<'_>],
        found: &mut dyn FnMut(RuleNumber),
    ) {
        self.each_match_from(prefix, tokens, &mut |entry, _| found(entry));
    }

    fn step_token(&self, token: InputToken<'_>, states: &StateSet, next: &mut StateSet) {
        match token {
            InputToken::Word(word) => self.step_word(states, word, next),
            InputToken::OneOf([word]) => self.step_word(states, word, next),
            InputToken::OneOf(words) => self.step_one_of(states, words, next),
            InputToken::Value(word) => self.step_value(states, word, next),
            InputToken::Unknown => self.step_unknown(states, next),
            InputToken::Anything { many } => self.step_anything(states, many, next),
        }
    }

    fn step_word(&self, states: &StateSet, word: &str, next: &mut StateSet) {
        let token = Token::from(word);
        for state in states.states() {
            self.each_with_deep(*state, |at, node| self.step(at, node, token, next));
        }
    }

    /// Steps over a word with several spellings. A subcommand may have a dozen, of which patterns
    /// use few.
    fn step_one_of(&self, states: &StateSet, words: &[Box<str>], next: &mut StateSet) {
        let leads = |node: &Node| node.shapes != OptIndex::default();
        for state in states.states() {
            self.each_with_deep(*state, |at, node| {
                self.step_wildcards(at, node, next);
                if node.literal == OptIndex::default() && !leads(node) {
                    return;
                }
                for token in words.iter().map(|word| Token::from(&**word)) {
                    if leads(node) || self.literals.may_have(token) {
                        self.step_edges(at, node, token, next);
                    }
                }
            });
        }
    }

    /// Steps over an option's value. A deep wildcard may take the value, but may not end before it.
    #[cold]
    fn step_value(&self, states: &StateSet, word: &str, next: &mut StateSet) {
        self.step_unknown(states, next);
        let token = Token::from(word);
        for state in states.states() {
            if let Some(node) = self.node(*state).filter(|node| !node.loops) {
                self.step(*state, node, token, next);
            }
        }
    }

    /// Steps over unknown words. Only a deep wildcard is certain to match them.
    fn step_unknown(&self, states: &StateSet, next: &mut StateSet) {
        for state in states.states() {
            self.each_with_deep(*state, |at, node| {
                if node.loops {
                    next.insert(at);
                }
            });
        }
    }

    /// Steps over an unknown word that every element matches: takes one step along each edge, or
    /// any number of steps if the word may be several.
    fn step_anything(&self, states: &StateSet, many: bool, next: &mut StateSet) {
        let mut open: Vec<u32> = states.states().to_vec();
        let mut seen = StateSet::default();
        if many {
            open.iter().for_each(|state| {
                next.insert(*state);
            });
        }
        while let Some(state) = open.pop() {
            self.each_with_deep(state, |at, node| {
                for child in self.children(node).chain(node.loops.then_some(at)) {
                    next.insert(child);
                    if many && seen.insert(child) {
                        open.push(child);
                    }
                }
            });
        }
    }

    /// Calls `found` for a state and for the deep wildcards behind it, because a deep wildcard may
    /// match no token.
    fn each_with_deep(&self, state: u32, mut found: impl FnMut(u32, &Node)) {
        let mut at = Some(state);
        while let Some((own, node)) = at.and_then(|at| Some((at, self.node(at)?))) {
            found(own, node);
            at = node.deep.get();
        }
    }

    fn step(&self, at: u32, node: &Node, token: Token<'_>, next: &mut StateSet) {
        self.step_wildcards(at, node, next);
        self.step_edges(at, node, token, next);
    }

    /// Adds the states that every token leads to.
    fn step_wildcards(&self, at: u32, node: &Node, next: &mut StateSet) {
        if node.loops {
            next.insert(at);
        }
        if let Some(child) = node.any.get() {
            next.insert(child);
        }
    }

    /// Adds the states that this token leads to by a literal or shape edge.
    fn step_edges(&self, at: u32, node: &Node, token: Token<'_>, next: &mut StateSet) {
        if node.literal != OptIndex::default()
            && let Some(child) = self.literals.get(at, token)
        {
            next.insert(child);
        }
        if let Some(edges) = node.shapes.place() {
            self.shapes.each_match(edges, token.text, |child| {
                next.insert(child);
            });
        }
    }

    /// Returns the states that some single token leads to.
    fn children(&self, node: &Node) -> impl Iterator<Item = u32> {
        let edges = node.shapes.place();
        let shapes = edges.into_iter().flat_map(|edges| self.shapes.children(edges));
        shapes.chain(node.any.get()).chain(self.literal_children(node))
    }
}
