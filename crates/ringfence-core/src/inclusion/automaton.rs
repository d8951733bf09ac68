//! Small automata over characters, with tests for inclusion and overlap.

use std::collections::{BTreeSet, HashSet};

use crate::pattern::CharClass;

/// The character that ends every token or component. It occurs in no pattern, because patterns with
/// control characters are refused.
pub(super) const END: char = '\u{1f}';
/// The first of the characters up to `END` that stand for symbols. Only a deep wildcard matches
/// them.
pub(super) const FIRST_SYMBOL: char = '\u{1}';

/// The largest number of state pairs that a test visits before it gives up.
const MAX_PAIRS: usize = 20_000;

/// A non-deterministic automaton with empty moves.
#[derive(Debug, Clone, Default)]
pub(super) struct Automaton {
    starts: Vec<usize>,
    states: Vec<State>,
}

#[derive(Debug, Clone, Default)]
struct State {
    moves: Vec<(Symbols, usize)>,
    /// States that are reached without reading a character.
    skips: Vec<usize>,
    accepts: bool,
}

/// A set of characters that a move accepts.
#[derive(Debug, Clone)]
pub(super) enum Symbols {
    /// One character.
    Char(char),
    /// Any character that may occur inside a token.
    Inner,
    /// The characters of a class.
    Class(CharClass),
    /// The end of a token, or a symbol.
    Boundary,
}

impl Symbols {
    fn has(&self, c: char) -> bool {
        let boundary = (FIRST_SYMBOL..=END).contains(&c);
        match self {
            Symbols::Char(own) => *own == c,
            Symbols::Inner => !boundary,
            Symbols::Class(class) => !boundary && class.has(c),
            Symbols::Boundary => boundary,
        }
    }
}

impl Automaton {
    /// Adds a state and returns its index.
    pub(super) fn state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len().saturating_sub(1)
    }

    /// Adds a start state and returns its index.
    pub(super) fn start(&mut self) -> usize {
        let state = self.state();
        self.starts.push(state);
        state
    }

    pub(super) fn accept(&mut self, state: usize) {
        if let Some(state) = self.states.get_mut(state) {
            state.accepts = true;
        }
    }

    pub(super) fn connect(&mut self, from: usize, symbols: Symbols, to: usize) {
        if let Some(state) = self.states.get_mut(from) {
            state.moves.push((symbols, to));
        }
    }

    pub(super) fn skip(&mut self, from: usize, to: usize) {
        if let Some(state) = self.states.get_mut(from) {
            state.skips.push(to);
        }
    }

    /// Returns an automaton that accepts every text that one of the automata accepts.
    pub(super) fn union(automata: impl IntoIterator<Item = Automaton>) -> Automaton {
        let mut union = Automaton::default();
        for automaton in automata {
            let offset = union.states.len();
            let moved = |state: usize| state.saturating_add(offset);
            union.starts.extend(automaton.starts.into_iter().map(moved));
            union.states.extend(automaton.states.into_iter().map(|mut state| {
                state.moves.iter_mut().for_each(|(_, to)| *to = moved(*to));
                state.skips.iter_mut().for_each(|to| *to = moved(*to));
                state
            }));
        }
        union
    }

    /// Returns whether `other` accepts every text that `self` accepts; `false` beyond the cost
    /// limit.
    pub(super) fn is_within(&self, other: &Automaton) -> bool {
        let alphabet = self.alphabet(other);
        let mut seen: HashSet<(usize, Vec<usize>)> = HashSet::new();
        let theirs = other.closure(other.starts.iter().copied());
        let mut open: Vec<(usize, Vec<usize>)> = self
            .closure(self.starts.iter().copied())
            .into_iter()
            .map(|state| (state, theirs.clone()))
            .collect();
        while let Some((ours, theirs)) = open.pop() {
            if self.accepts(ours) && !theirs.iter().any(|state| other.accepts(*state)) {
                return false;
            }
            if !seen.insert((ours, theirs.clone())) {
                continue;
            }
            if seen.len() > MAX_PAIRS {
                return false;
            }
            for c in &alphabet {
                let next = self.after([ours], *c);
                if next.is_empty() {
                    continue;
                }
                let their_next = other.after(theirs.iter().copied(), *c);
                open.extend(next.into_iter().map(|state| (state, their_next.clone())));
            }
        }
        true
    }

    /// Returns whether some text is accepted by both; `true` beyond the cost limit.
    pub(super) fn meets(&self, other: &Automaton) -> bool {
        let alphabet = self.alphabet(other);
        let mut seen: HashSet<(usize, usize)> = HashSet::new();
        let starts = self.closure(self.starts.iter().copied());
        let theirs = other.closure(other.starts.iter().copied());
        let mut open: Vec<(usize, usize)> = pairs(&starts, &theirs).collect();
        while let Some((ours, theirs)) = open.pop() {
            if self.accepts(ours) && other.accepts(theirs) {
                return true;
            }
            if !seen.insert((ours, theirs)) {
                continue;
            }
            if seen.len() > MAX_PAIRS {
                return true;
            }
            for c in &alphabet {
                let next = self.after([ours], *c);
                if !next.is_empty() {
                    open.extend(pairs(&next, &other.after([theirs], *c)));
                }
            }
        }
        false
    }

    fn accepts(&self, state: usize) -> bool {
        self.states.get(state).is_some_and(|state| state.accepts)
    }

    /// Returns the states after a character, sorted.
    fn after(&self, from: impl IntoIterator<Item = usize>, c: char) -> Vec<usize> {
        let states = from.into_iter().filter_map(|state| self.states.get(state));
        let moves = states.flat_map(|state| &state.moves);
        self.closure(moves.filter(|(symbols, _)| symbols.has(c)).map(|(_, to)| *to))
    }

    /// Returns the states and all states that empty moves lead to, sorted.
    fn closure(&self, from: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut open: Vec<usize> = from.into_iter().collect();
        let mut states = BTreeSet::new();
        while let Some(state) = open.pop() {
            if states.insert(state) {
                open.extend(self.states.get(state).into_iter().flat_map(|state| &state.skips));
            }
        }
        states.into_iter().collect()
    }

    /// Returns one character for each set of characters that the two automata distinguish.
    fn alphabet(&self, other: &Automaton) -> BTreeSet<char> {
        let mut alphabet = BTreeSet::from([END, FIRST_SYMBOL, '\u{10ffff}']);
        let states = self.states.iter().chain(&other.states);
        for (symbols, _) in states.flat_map(|state| &state.moves) {
            match symbols {
                Symbols::Char(c) => drop(alphabet.insert(*c)),
                Symbols::Class(class) => alphabet.extend(class.edges().flat_map(around)),
                Symbols::Inner | Symbols::Boundary => {}
            }
        }
        alphabet
    }
}

/// Returns every pair of a state in `one` and a state in `two`.
fn pairs<'a>(one: &'a [usize], two: &'a [usize]) -> impl Iterator<Item = (usize, usize)> + 'a {
    one.iter().flat_map(|one| two.iter().map(move |two| (*one, *two)))
}

/// Returns the character and its neighbours, because the edge of a range may lie between them.
fn around(c: char) -> impl Iterator<Item = char> {
    let code = u32::from(c);
    let before = code.checked_sub(1).and_then(char::from_u32);
    let after = code.checked_add(1).and_then(char::from_u32);
    [before, Some(c), after].into_iter().flatten()
}
