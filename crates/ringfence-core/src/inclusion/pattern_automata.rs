//! Conversion of patterns to automata.

use super::automaton::{Automaton, END, Symbols};
use crate::pattern::{
    Base, CommandPattern, Component, Ending, Glob, GlobPart, McpPattern, NamePattern, PathPattern,
    Token,
};

/// Returns an automaton for a command pattern. Each word ends with `END`; open ends are as in an
/// allow rule.
pub(super) fn commands(pattern: &CommandPattern) -> Automaton {
    let mut automaton = Automaton::default();
    for alternative in pattern.alternatives() {
        let mut at = automaton.start();
        for token in &alternative.tokens {
            at = match token {
                Token::Literal(word) => word_end(&mut automaton, at, &Glob::literal(word)),
                Token::Glob(glob) => word_end(&mut automaton, at, glob),
                Token::Run => deep(&mut automaton, at),
            };
        }
        if alternative.ending == Ending::Open {
            at = deep(&mut automaton, at);
        }
        automaton.accept(at);
    }
    automaton
}

/// Returns an automaton that accepts every command.
pub(super) fn any_command() -> Automaton {
    let mut automaton = Automaton::default();
    let start = automaton.start();
    let end = deep(&mut automaton, start);
    automaton.accept(end);
    automaton
}

/// Returns an automaton for a path pattern: the base as symbols, then each component with `END`.
pub(super) fn paths(pattern: &PathPattern) -> Automaton {
    let mut automaton = Automaton::default();
    for alternative in pattern.alternatives() {
        let mut at = automaton.start();
        for c in base_symbols(&alternative.base) {
            let next = automaton.state();
            automaton.connect(at, Symbols::Char(c), next);
            at = next;
        }
        for component in &alternative.components {
            at = match component {
                Component::Literal(name) => word_end(&mut automaton, at, &Glob::literal(name)),
                Component::Glob(glob) => word_end(&mut automaton, at, glob),
                Component::Deep => deep(&mut automaton, at),
            };
        }
        automaton.accept(at);
    }
    automaton
}

/// Returns an automaton for a name pattern.
pub(super) fn names(pattern: &NamePattern) -> Automaton {
    let mut automaton = Automaton::default();
    for alternative in pattern.alternatives() {
        let start = automaton.start();
        let end = glob(&mut automaton, start, alternative);
        automaton.accept(end);
    }
    automaton
}

/// Returns an automaton for the wire names `mcp__SERVER__TOOL` of an MCP pattern.
pub(super) fn wire_names(pattern: &McpPattern) -> Automaton {
    let mut automaton = Automaton::default();
    let between = Glob::literal("__");
    for server in pattern.server.alternatives() {
        for item in pattern.item.alternatives() {
            let mut at = automaton.start();
            for part in [&Glob::literal("mcp__"), server, &between, item] {
                at = glob(&mut automaton, at, part);
            }
            automaton.accept(at);
        }
    }
    automaton
}

/// Encodes a base directory in symbols that only a deep wildcard matches.
fn base_symbols(base: &Base) -> Vec<char> {
    const SYMBOL: char = '\u{1}';
    let word = match base {
        Base::Slash => return Vec::new(),
        Base::Home => "h".to_owned(),
        Base::Root(up) => format!("r{up}"),
        Base::Cwd => "c".to_owned(),
        Base::Tmp => "t".to_owned(),
        Base::System => "s".to_owned(),
        Base::Var(name) => format!("v{name}"),
    };
    // A deep wildcard matches the letters between the two symbols like the name of a component.
    std::iter::once(SYMBOL).chain(word.chars()).chain([SYMBOL]).collect()
}

/// Adds states for a word that matches a glob, and for its end; returns the last state.
fn word_end(automaton: &mut Automaton, from: usize, shape: &Glob) -> usize {
    let at = glob(automaton, from, shape);
    let end = automaton.state();
    automaton.connect(at, Symbols::Char(END), end);
    end
}

fn glob(automaton: &mut Automaton, from: usize, shape: &Glob) -> usize {
    let mut at = from;
    for part in shape.parts() {
        let next = automaton.state();
        match part {
            GlobPart::Char(c) => automaton.connect(at, Symbols::Char(*c), next),
            GlobPart::Any => automaton.connect(at, Symbols::Inner, next),
            GlobPart::Class(class) => {
                automaton.connect(at, Symbols::Class(class.clone()), next);
            }
            GlobPart::Star => {
                automaton.skip(at, next);
                automaton.connect(next, Symbols::Inner, next);
            }
        }
        at = next;
    }
    at
}

/// Adds states for any number of whole words, also none; returns the last state.
fn deep(automaton: &mut Automaton, from: usize) -> usize {
    let boundary = automaton.state();
    let inside = automaton.state();
    automaton.skip(from, boundary);
    automaton.connect(boundary, Symbols::Inner, inside);
    automaton.connect(boundary, Symbols::Boundary, boundary);
    automaton.connect(inside, Symbols::Inner, inside);
    automaton.connect(inside, Symbols::Boundary, boundary);
    boundary
}
