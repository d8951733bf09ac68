//! The entries that are in force: a program, and the subcommands that were named.

use ringfence_core::access::{Text, WordMeaning};
use ringfence_core::program::{
    CatalogueEntry, Habit, Operands, OptionSpec, OptionStyle, UnlistedOption,
};

use super::Entries;

/// A program and its subcommands, as far as they were named.
#[derive(Debug)]
pub(super) struct Levels<'w> {
    pub(super) entries: Entries<'w>,
    /// Whether an operand may be a command, by what the innermost entry says.
    pub(super) may_carry: bool,
    /// Whether an operand may be a refspec, by what the innermost entry says.
    pub(super) has_refspecs: bool,
    /// Whether operands may have further names, by a habit.
    pub(super) has_names: bool,
    style: OptionStyle,
}

/// What an option's name leads to.
#[derive(Debug, Clone)]
pub(super) enum Found<'w> {
    /// This option.
    One(&'w OptionSpec),
    /// Several begin so.
    Several,
    /// None.
    Nothing,
}

impl<'w> Levels<'w> {
    pub(super) fn new(entry: &'w CatalogueEntry) -> Levels<'w> {
        let (entries, style) = (Entries::new(), entry.style);
        let (may_carry, has_refspecs, has_names) = (false, false, false);
        let mut levels = Levels { entries, may_carry, has_refspecs, has_names, style };
        levels.push(entry);
        levels
    }

    /// Goes on to a subcommand.
    pub(super) fn push(&mut self, entry: &'w CatalogueEntry) {
        (self.may_carry, self.has_refspecs) = (false, false);
        entry.operands.iter().for_each(|operands| self.expect(operands));
        for when in &entry.when {
            when.operands.iter().for_each(|operands| self.expect(operands));
        }
        self.style = entry.style;
        self.has_names |= entry.habits.iter().any(Habit::names_operands);
        self.entries.push(entry);
    }

    /// The names that an operand has, its own first, where it has others.
    #[cold]
    pub(super) fn names_of(&self, operand: &str) -> Option<WordMeaning> {
        let habits = self.entries.iter().flat_map(|entry| &entry.habits);
        let mut names: Vec<Box<str>> = habits.flat_map(|habit| habit.names_of(operand)).collect();
        if names.is_empty() {
            return None;
        }
        names.insert(0, operand.into());
        Some(WordMeaning::Named(names.into()))
    }

    fn expect(&mut self, operands: &Operands) {
        self.may_carry |= operands.may_be_command();
        self.has_refspecs |= operands.may_be_refspec();
    }

    pub(super) fn inner(&self) -> &'w CatalogueEntry {
        static NONE: std::sync::OnceLock<CatalogueEntry> = std::sync::OnceLock::new();
        self.entries.last().copied().unwrap_or_else(|| NONE.get_or_init(CatalogueEntry::default))
    }

    /// Whether the program drops the sign between a letter and its value.
    #[cold]
    pub(super) fn drop_equals(&self) -> bool {
        self.entries.iter().any(|entry| entry.style.drops_equals())
    }

    pub(super) fn style(&self) -> OptionStyle {
        self.style
    }

    /// The option of exactly this name, innermost entry first.
    pub(super) fn exact(&self, name: &str) -> Option<&'w OptionSpec> {
        self.entries.iter().rev().find_map(|entry| entry.options.named(name)).map(|own| &**own)
    }

    /// The option of this letter, innermost entry first.
    pub(super) fn letter(&self, letter: char) -> Option<&'w OptionSpec> {
        self.exact(&Text::from_iter(['-', letter]))
    }

    /// The option of this long name, which may be cut short.
    pub(super) fn long(&self, name: &str) -> Found<'w> {
        if let Some(option) = self.exact(name) {
            return Found::One(option);
        }
        if !self.style().abbreviates() || name.len() < 3 {
            return Found::Nothing;
        }
        for entry in self.entries.iter().rev() {
            let begins = |option: &&OptionSpec| {
                let names = &option.spelling.names;
                names.iter().any(|own| own.starts_with("--") && own.starts_with(name))
            };
            let mut options = entry.options.iter().map(|own| &**own).filter(begins);
            match (options.next(), options.next()) {
                (Some(one), None) => return Found::One(one),
                (Some(_), Some(_)) => return Found::Several,
                (None, _) => {}
            }
        }
        Found::Nothing
    }

    /// Whether the options behind a subcommand that is not listed are that subcommand's own: it is a
    /// program (`cargo-xtask`), or the entry says that options are operands.
    pub(super) fn leaves_options(&self) -> bool {
        let inner = self.inner();
        !inner.subs.is_empty()
            && !inner.carries_command()
            && inner.unlisted != Some(UnlistedOption::Doubt)
            && self.entries.iter().any(|entry| {
                entry.unlisted == Some(UnlistedOption::Operand) || &*entry.name == "cargo"
            })
    }

    /// Whether an option that is not listed makes it impossible to tell what would run.
    pub(super) fn unlisted_is_doubt(&self) -> bool {
        let inner = self.inner();
        match inner.unlisted {
            Some(unlisted) => unlisted == UnlistedOption::Doubt,
            None => inner.carries_command() || !inner.subs.is_empty(),
        }
    }
}
