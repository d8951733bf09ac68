//! What is known about programs: the catalogue, and what a policy adds to it.

use std::sync::Arc;

use ringfence_core::program::{Catalogue, Children, Entry, Role};
use ringfence_core::{Policy, ProgramEntry};
use ringfence_manifest::catalogue::BuiltIn;
use ringfence_shell::argv::{entry_of, read};
use ringfence_shell::{Field, Span};

/// The catalogue with what a policy adds to it.
#[derive(Debug, Clone, Copy)]
pub struct Programs<'p> {
    own: &'p [ProgramEntry],
}

impl<'p> Programs<'p> {
    /// Whether a program sets a variable for what it starts, by its own habit.
    pub fn sets(&self, program: &str, variable: &str) -> bool {
        entry_of(self, program).is_some_and(|entry| entry.sets_variable(variable))
    }

    /// What holds for the programs that a command starts: the program and its subcommand are
    /// asked, and what one of them says holds.
    pub fn children(&self, argv: &[String]) -> Children {
        let Some((program, words)) = argv.split_first() else { return Children::Judged };
        let Some(entry) = entry_of(self, program) else { return Children::Judged };
        let nowhere = Span { start: 0, end: 0 };
        let words: Vec<Field> =
            words.iter().map(|word| Field::known(word.as_str(), nowhere)).collect();
        let inherits = |entry: &Arc<Entry>| entry.children == Children::Inherit;
        match read(self, entry, &words).entries.iter().any(inherits) {
            true => Children::Inherit,
            false => Children::Judged,
        }
    }

    /// What is known where this policy is in force.
    pub fn of(policy: &'p Policy) -> Programs<'p> {
        Programs { own: policy.programs() }
    }
}

impl Catalogue for Programs<'_> {
    fn entry(&self, name: &str) -> Option<Arc<Entry>> {
        let known = BuiltIn::shared().entry(name);
        let is_named = |entry: &&ProgramEntry| {
            *entry.entry.name == *name || entry.entry.names.iter().any(|own| **own == *name)
        };
        let mut own = self.own.iter().filter(is_named).peekable();
        if own.peek().is_none() {
            return known;
        }
        let mut entry = known.map(|known| Entry::clone(&known));
        for program in own {
            match &mut entry {
                Some(entry) if !program.replace => entry.extend(&program.entry),
                entry => *entry = Some(Entry::clone(&program.entry)),
            }
        }
        entry.map(Arc::new)
    }

    fn variable(&self, name: &str) -> Option<Role> {
        BuiltIn::shared().variable(name)
    }
}
