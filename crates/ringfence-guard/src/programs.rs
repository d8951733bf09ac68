//! What is known about programs: the catalogue, and what a policy adds to it.

use std::sync::OnceLock;

use ringfence_core::program::{Catalogue, CatalogueEntry, Children, Habit, WordRole};
use ringfence_core::{Policy, ProgramEntry};
use ringfence_manifest::catalogue::BuiltIn;
use ringfence_shell::argv::{entry_of, read};
use ringfence_shell::{Field, Span};

/// The catalogue with what a policy adds to it.
#[derive(Debug)]
pub struct Programs<'p> {
    own: &'p [ProgramEntry],
    /// What is known of each program that the policy names, by that name.
    extended: OnceLock<Vec<(&'p str, CatalogueEntry)>>,
}

impl<'p> Programs<'p> {
    /// Whether a program sets a variable for what it starts, by its own habit.
    pub fn sets(&self, program: &str, variable: &str) -> bool {
        entry_of(self, program).is_some_and(|entry| entry.sets_variable(variable))
    }

    /// Whether the file of this name is many programs, by the name that it is told.
    pub fn is_many(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.habits.contains(&Habit::ManyPrograms))
    }

    /// What holds for the programs that a command starts: the program and its subcommand are
    /// asked, and what one of them says holds.
    pub fn children(&self, argv: &[String]) -> Children {
        let Some((program, words)) = argv.split_first() else { return Children::Judged };
        let Some(entry) = entry_of(self, program) else { return Children::Judged };
        let nowhere = Span { start: 0, end: 0 };
        let words: Vec<Field> =
            words.iter().map(|word| Field::known(word.as_str(), nowhere)).collect();
        let inherits = |entry: &&CatalogueEntry| entry.children == Children::Inherit;
        match read(self, entry, &words).entries.iter().any(inherits) {
            true => Children::Inherit,
            false => Children::Judged,
        }
    }

    /// What is known where this policy is in force.
    pub fn of(policy: &'p Policy) -> Programs<'p> {
        Programs { own: policy.programs(), extended: OnceLock::new() }
    }

    fn extended(&self) -> &[(&'p str, CatalogueEntry)] {
        self.extended.get_or_init(|| {
            let names = self.own.iter().flat_map(|own| names(&own.entry));
            names.filter_map(|name| Some((name, self.extend(name)?))).collect()
        })
    }

    /// The entry of a program with all that the policy says of it.
    fn extend(&self, name: &str) -> Option<CatalogueEntry> {
        let mut entry = BuiltIn::shared().entry(name).cloned();
        let is_named = |own: &&ProgramEntry| names(&own.entry).any(|own| own == name);
        for program in self.own.iter().filter(is_named) {
            match &mut entry {
                Some(entry) if !program.replace => entry.extend(&program.entry),
                entry => *entry = Some(CatalogueEntry::clone(&program.entry)),
            }
        }
        entry
    }
}

/// All names of a program.
fn names(entry: &CatalogueEntry) -> impl Iterator<Item = &str> {
    std::iter::once(&entry.name).chain(&entry.names).map(|name| &**name)
}

impl Catalogue for Programs<'_> {
    fn entry(&self, name: &str) -> Option<&CatalogueEntry> {
        let built_in = || BuiltIn::shared().entry(name);
        if self.own.is_empty() {
            return built_in();
        }
        let own = self.extended().iter().find(|(own, _)| *own == name);
        own.map(|(_, entry)| entry).or_else(built_in)
    }

    fn variable(&self, name: &str) -> Option<WordRole> {
        BuiltIn::shared().variable(name)
    }
}
