//! Command patterns by the name of the program, read when the program is met.
//!
//! A policy has hundreds of rules on programs, and most runs meet a handful of programs. So a rule
//! is kept under the names that its text begins with, and what it says of their words is read when
//! one of them is asked about.

use std::borrow::Cow;
use std::sync::OnceLock;

use smallvec::SmallVec;

use super::entry::{Side, Sort};
use super::exec_index::{is_path, name_steps};
use crate::index::{Begun, EntryId, FastMap, TokenTrie};
use crate::pattern::{CommandAlternative, CommandPattern, Token};
use crate::text::{cut, has_space, parts};

/// Command patterns by the name of the program.
#[derive(Debug, Default)]
pub(super) struct ByName {
    kept: Vec<Kept>,
    named: FastMap<Box<str>, Group>,
    /// Those whose programs only a reading tells, or of which there is no end.
    open: Group,
}

#[derive(Debug)]
struct Kept {
    pattern: CommandPattern,
    how: (Sort, Side),
    entry: EntryId,
}

/// The patterns of one name.
#[derive(Debug, Default)]
struct Group {
    which: Vec<usize>,
    read: OnceLock<Read>,
}

/// Patterns that were read, and how far the name of their program alone leads.
#[derive(Debug)]
struct Read {
    trie: TokenTrie,
    begun: Begun,
}

impl ByName {
    /// Keeps a pattern; whether it is known to name programs and no path.
    pub(super) fn insert(
        &mut self,
        pattern: &CommandPattern,
        how: (Sort, Side),
        entry: EntryId,
    ) -> bool {
        let number = self.kept.len();
        let names = names(pattern);
        let is_named = !names.is_empty();
        self.kept.push(Kept { pattern: pattern.clone(), how, entry });
        if !is_named {
            self.open.which.push(number);
        }
        for name in names {
            match self.named.get_mut(name) {
                Some(group) if group.which.last() == Some(&number) => {}
                Some(group) => group.which.push(number),
                None => {
                    let group = Group { which: vec![number], read: OnceLock::new() };
                    self.named.insert(name.into(), group);
                }
            }
        }
        is_named
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Calls `begun` with the patterns that take in a program of this name.
    pub(super) fn begin(&self, name: &str, begun: &mut dyn FnMut(&TokenTrie, &Begun)) {
        if !self.open.which.is_empty() {
            let read = self.open.read.get_or_init(|| self.read(&self.open, None));
            // Often they are all about paths, of which nothing is kept here.
            if !read.trie.is_empty() {
                let own = read.trie.begin_with(name);
                if !own.is_over() {
                    begun(&read.trie, &own);
                }
            }
        }
        if let Some(group) = self.named.get(name) {
            let read = group.read.get_or_init(|| self.read(group, Some(name)));
            begun(&read.trie, &read.begun);
        }
    }

    /// Reads the patterns of a group, as far as they are about programs of a name.
    #[cold]
    fn read(&self, group: &Group, name: Option<&str>) -> Read {
        let mut trie = TokenTrie::default();
        for kept in group.which.iter().filter_map(|number| self.kept.get(*number)) {
            let alternatives = match name {
                Some(name) => kept.pattern.alternatives_for(name),
                None => Cow::Borrowed(kept.pattern.alternatives()),
            };
            for alternative in &*alternatives {
                let fits = |program: &Token| match (program, name) {
                    (Token::Literal(own), Some(name)) => **own == *name,
                    (program, None) => !is_path(program),
                    _ => false,
                };
                if alternative.tokens.first().is_some_and(fits) {
                    name_steps(alternative, kept.how, |steps| trie.insert(steps, kept.entry));
                }
            }
        }
        let begun = name.map(|name| trie.begin_with(name)).unwrap_or_default();
        Read { trie, begun }
    }
}

/// Names of programs; most patterns have one.
pub(super) type Names<'p> = SmallVec<[&'p str; 4]>;

/// The programs that a pattern names, if it names all of them plainly; else nothing.
pub(super) fn names(pattern: &CommandPattern) -> Names<'_> {
    let Some(alternatives) = pattern.alternatives_if_read() else {
        return names_in(pattern.text());
    };
    fn name(alternative: &CommandAlternative) -> Option<&str> {
        match alternative.tokens.first() {
            Some(program @ Token::Literal(name)) if !is_path(program) => Some(name),
            _ => None,
        }
    }
    alternatives.iter().map(name).collect::<Option<_>>().unwrap_or_default()
}

/// The programs that a text names, if it says so plainly: `git:push:*`, `{cargo,rustc}:*`.
pub(super) fn names_in(text: &str) -> Names<'_> {
    if has_space(text) {
        return Names::new();
    }
    let first = cut(text, b':').map_or(text, |(first, _)| first);
    let inside = first.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    // Outside braces a comma is a part of a name that is not plain.
    let mut names = Names::new();
    for name in parts(inside.unwrap_or(first), b',') {
        if !is_plain(name) || inside.is_none() && !names.is_empty() {
            return Names::new();
        }
        names.push(name);
    }
    names
}

fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte);
    !name.is_empty() && name.bytes().all(is_plain)
}

#[cfg(test)]
#[path = "by_name_tests.rs"]
mod tests;
