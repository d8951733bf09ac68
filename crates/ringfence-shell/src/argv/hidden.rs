//! Words that cannot be told, where the program reads options.
//!
//! Such a word carries the worst that its position allows: an option that runs a program, loads code
//! or writes a file. Options that only read or print are no worse than an operand.

use ringfence_core::program::{
    CatalogueEntry, FileUse, Operands, OptionSpec, OptionStyle, TakesValue, WordRole,
};

use super::reader::Reader;
use crate::field::{Field, FieldText};
use crate::lang::only_names;
use crate::span::Span;

/// The worst that words may be whose text cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hidden {
    /// The word.
    pub(crate) shown: Box<str>,
    /// Where the word stands.
    pub(crate) span: Span,
    /// An option that runs a program or loads code.
    pub(crate) runs: Option<Box<str>>,
    /// An option that writes a file.
    pub(crate) writes: Option<Box<str>>,
}

/// What is worse about an option than to read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Harm {
    Runs,
    Writes,
}

impl Harm {
    fn of(role: &WordRole) -> Option<Harm> {
        use FileUse::{List, Read, ReadTree, Search};
        match role {
            WordRole::Code(language) if only_names(language) => None,
            WordRole::CodeFile(_) => Some(Harm::Runs),
            role if role.runs() => Some(Harm::Runs),
            WordRole::File(Read | ReadTree | Search | List) => None,
            WordRole::File(_) | WordRole::Place { write: true } => Some(Harm::Writes),
            _ => None,
        }
    }
}

impl Reader<'_, '_> {
    /// Notes the worst that a word may be which stands where options are read.
    #[cold]
    pub(super) fn hide(&mut self, field: &Field) {
        let FieldText::Unknown(dynamic) = &field.text else { return };
        if self.ended || self.levels.style() == OptionStyle::Raw || !self.may_be_option(field) {
            return;
        }
        let prefix = if dynamic.many { "" } else { dynamic.prefix.as_str() };
        let (mut runs, mut writes) = (None, None);
        let mut note = |harm: Option<Harm>, name: &str| match harm {
            Some(Harm::Runs) if runs.is_none() => runs = Some(Box::from(name)),
            Some(Harm::Writes) if writes.is_none() => writes = Some(Box::from(name)),
            _ => {}
        };
        for (level, entry) in self.levels.entries.iter().rev().enumerate() {
            // Its own options end where a subcommand begins.
            if level > 0 && &*entry.name == "git" {
                break;
            }
            self.harms_of(entry, prefix, &mut note);
        }
        if runs.is_none() && writes.is_none() {
            return;
        }
        match &mut self.out.hidden {
            Some(hidden) => {
                hidden.runs = hidden.runs.take().or(runs);
                hidden.writes = hidden.writes.take().or(writes);
            }
            None => {
                let (shown, span) = (field.shown().into(), field.span);
                self.out.hidden = Some(Box::new(Hidden { shown, span, runs, writes }));
            }
        }
    }

    /// Returns whether a word may be an option here, by its first character and the program's style.
    fn may_be_option(&self, field: &Field) -> bool {
        let FieldText::Unknown(dynamic) = &field.text else { return false };
        // What `test` evaluates is looked at where the line has such a text.
        if &*self.levels.inner().name == "[" {
            return false;
        }
        match self.levels.style() {
            OptionStyle::Keys => !dynamic.vanishes,
            OptionStyle::Bundle if self.at == 1 => !dynamic.vanishes,
            _ => dynamic.may_be_option(),
        }
    }

    fn harms_of(
        &self,
        entry: &CatalogueEntry,
        prefix: &str,
        note: &mut impl FnMut(Option<Harm>, &str),
    ) {
        let worst = |roles: &[WordRole]| {
            let harms: Vec<Harm> = roles.iter().filter_map(Harm::of).collect();
            harms.iter().copied().find(|harm| *harm == Harm::Runs).or(harms.first().copied())
        };
        let name_of = |option: &OptionSpec| -> Option<Box<str>> {
            let names = option.spelling.names.iter();
            names.into_iter().find(|name| self.may_become(entry, prefix, name)).cloned()
        };
        let changed = entry.when.iter().flat_map(|when| &when.options);
        for option in entry.options.iter().chain(changed) {
            let harm = worst(&option.roles).or_else(|| worst(&option.also));
            if harm.is_some()
                && let Some(name) = name_of(option)
            {
                note(harm, &name);
            }
        }
        let before: Vec<Harm> = roles_of(entry.operands.as_ref()).filter_map(Harm::of).collect();
        for when in &entry.when {
            let operands = roles_of(when.operands.as_ref()).filter_map(Harm::of);
            let given = when.always.iter().chain(&when.default);
            let given = given.filter_map(|given| Harm::of(&given.role));
            let mut harms = operands.filter(|harm| !before.contains(harm)).chain(given);
            let Some(harm) = harms.next() else { continue };
            let names = when.has.iter().flat_map(|names| names.split('&'));
            let missing = |name: &&str| !self.out.seen.has(name);
            let mut names = names.filter(missing);
            if let Some(name) = names.find(|name| self.may_become(entry, prefix, name)) {
                note(Some(harm), name);
            }
        }
    }

    /// Returns whether a word that begins so may become this option.
    fn may_become(&self, entry: &CatalogueEntry, prefix: &str, name: &str) -> bool {
        if prefix.is_empty() || name.starts_with(prefix) {
            return true;
        }
        // What is not known may be the value that is glued to the name.
        if prefix.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')) {
            return true;
        }
        // `-u…`: letters that take no value, and then this one.
        let letters = prefix.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let is_letter = name.len() == 2 && name.starts_with('-');
        let is_flag = |letter: char| {
            let own = entry.options.named(&format!("-{letter}"));
            own.is_none_or(|own| own.spelling.takes == TakesValue::Nothing)
        };
        let clusters = self.levels.style().clusters() && is_letter;
        letters.is_some_and(|letters| clusters && letters.chars().all(is_flag))
    }
}

fn roles_of(operands: Option<&Operands>) -> impl Iterator<Item = &WordRole> {
    operands.into_iter().flat_map(Operands::roles)
}
