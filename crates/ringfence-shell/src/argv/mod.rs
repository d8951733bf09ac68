//! The words of a command by the grammar of its program.
//!
//! What is read here is structure: which words are options, values, subcommands, operands, and which
//! role each has. What a role does is not known here.

mod hidden;
mod level;
mod option;
mod reader;
mod roles;
mod seen;

use std::borrow::Cow;
use std::sync::Arc;

use ringfence_core::access::{Text, WordMeaning, base_name};
use ringfence_core::program::{Catalogue, CatalogueEntry, FileUse, ImpliedEffect, WordRole};
use smallvec::SmallVec;

use crate::field::Field;
pub(crate) use hidden::Hidden;
pub use seen::Seen;

/// A command by the grammar of its program.
#[derive(Debug, Clone, Default)]
pub struct Reading<'w> {
    /// The program's entry and those of its subcommands, outermost first.
    pub entries: Entries<'w>,
    /// What the words mean, subcommands first.
    pub meant: Vec<WordMeaning>,
    /// What each word is, in order.
    pub uses: Uses<'w>,
    /// What is done although no word says it.
    pub given: SmallVec<[&'w ImpliedEffect; 2]>,
    /// Why it cannot be told what would run.
    pub doubt: Option<String>,
    /// How many operands there are.
    pub operands: usize,
    /// The names of all options that are there.
    pub seen: Seen<'w>,
    /// Which sorts of role there are among the words.
    pub(crate) sorts: Sorts,
    /// What a word that cannot be told may be.
    pub(crate) hidden: Option<Box<Hidden>>,
}

/// Sorts of role that are looked for in every command and that few have: a command can have very many
/// words, and to go through all of them for nothing is most of what they cost.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sorts {
    /// Code of a language.
    pub(crate) code: bool,
    /// A command line.
    pub(crate) shell: bool,
    /// Anything that is run as it is read: a script, a command line, code.
    pub(crate) runs: bool,
    /// A file that is written.
    pub(crate) written: bool,
    /// Whether its operands may be branches that it pushes.
    pub(crate) refspecs: bool,
    /// How many words are files.
    pub(crate) files: usize,
}

impl Sorts {
    fn add(&mut self, role: &WordRole) {
        self.code |= matches!(role, WordRole::Code(_));
        self.shell |= *role == WordRole::Shell;
        self.runs |= matches!(
            role,
            WordRole::Script | WordRole::Shell | WordRole::Code(_) | WordRole::CodeFile(_)
        );
        self.written |= *role == WordRole::File(FileUse::Write);
        self.files = self.files.saturating_add(usize::from(matches!(role, WordRole::File(_))));
    }
}

/// Entries, outermost first: most programs have a subcommand or none.
pub type Entries<'w> = SmallVec<[&'w CatalogueEntry; 2]>;

/// Words and what they are: most commands have few, which need no memory of their own.
pub type Uses<'w> = SmallVec<[Use<'w>; 4]>;

/// An option where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// As it was written, without a value that is glued to it.
    pub written: Text,
    /// Its names; none where nothing is known about it.
    pub names: Arc<[Box<str>]>,
    /// Which word of the command it is.
    pub at: usize,
}

/// Words that belong together: nearly always one of the command's own.
pub type Words<'w> = Cow<'w, [Field]>;

/// A word, or a part of one, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use<'w> {
    /// What it is; `None` where nothing is known about it.
    pub role: Option<&'w WordRole>,
    /// The word; for a command, all its words.
    pub fields: Words<'w>,
    /// The option whose value it is, as it was written.
    pub option: Option<&'w str>,
    /// Which word of the command it is.
    pub at: usize,
}

impl<'w> Reading<'w> {
    /// The innermost entry.
    pub fn entry(&self) -> Option<&'w CatalogueEntry> {
        self.entries.last().copied()
    }

    /// Whether an option of this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.seen.has(name)
    }
}

/// The entry of a program, by its base name, with or without a version.
pub fn entry_of<'c>(catalogue: &'c dyn Catalogue, name: &str) -> Option<&'c CatalogueEntry> {
    let base = base_name(name);
    let versionless = || {
        let cut = base.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let cut = cut.trim_end_matches('-');
        (cut.len() > 1 && cut != base).then_some(cut)
    };
    catalogue.entry(base).or_else(|| catalogue.entry(versionless()?)).filter(|entry| {
        // Subcommands have entries of their own, which no program is.
        !entry.name.contains(' ')
    })
}

/// Reads the words after a program.
pub fn read<'w>(
    catalogue: &'w dyn Catalogue,
    entry: &'w CatalogueEntry,
    words: &'w [Field],
) -> Reading<'w> {
    let mut reading = Reading::default();
    read_into(&mut reading, catalogue, entry, words);
    reading
}

/// As [`read`], into a place for it that is there already: a reading is large.
pub(crate) fn read_into<'w>(
    reading: &mut Reading<'w>,
    catalogue: &'w dyn Catalogue,
    entry: &'w CatalogueEntry,
    words: &'w [Field],
) {
    reader::Reader::new(catalogue, entry, words, reading).read();
}

/// The options among the words after a program, in order.
pub fn options(catalogue: &dyn Catalogue, entry: &CatalogueEntry, words: &[Field]) -> Vec<Named> {
    let mut reading = Reading::default();
    reader::Reader::new(catalogue, entry, words, &mut reading).options()
}

#[cfg(test)]
#[path = "argv_tests.rs"]
mod tests;
