//! The program catalogue, extended by a policy's `[programs]` sections.

use std::sync::OnceLock;

use ringfence_core::program::{Catalogue, CatalogueEntry, Children, Habit, WordRole};
use ringfence_core::{Policy, ProgramEntry};
use ringfence_manifest::catalogue::BuiltIn;
use ringfence_shell::argv::{entry_of, read};
use ringfence_shell::{Field, Span};

/// The program catalogue, extended by a policy.
#[derive(Debug)]
pub struct Programs<'p> {
    own: &'p [ProgramEntry],
    /// The merged entries of the programs that the policy names.
    extended: OnceLock<Vec<(&'p str, CatalogueEntry)>>,
}

impl<'p> Programs<'p> {
    /// Returns whether a program itself sets `variable` for the programs it starts.
    pub fn sets(&self, program: &str, variable: &str) -> bool {
        entry_of(self, program).is_some_and(|entry| entry.sets_variable(variable))
    }

    /// Returns whether a file with this name is a multi-call program such as busybox.
    pub fn is_many(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| entry.habits.contains(&Habit::ManyPrograms))
    }

    /// Returns how the programs that a command starts are judged. `inherit` applies if the entry of
    /// the program or of its subcommand says so.
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

    /// Returns the catalogue extended by `policy`.
    pub fn of(policy: &'p Policy) -> Programs<'p> {
        Programs { own: policy.programs(), extended: OnceLock::new() }
    }

    fn extended(&self) -> &[(&'p str, CatalogueEntry)] {
        self.extended.get_or_init(|| {
            let names = self.own.iter().flat_map(|own| names(&own.entry));
            names.filter_map(|name| Some((name, self.extend(name)?))).collect()
        })
    }

    /// Returns a program's catalogue entry merged with the policy's entries for it.
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

/// Returns all names of a program.
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
