//! The entries that are in force: a program, and the subcommands that were named.

use std::sync::Arc;

use ringfence_core::access::Text;
use ringfence_core::program::{Entry, Operands, OptionSpec, Role, Style, Unlisted};

use super::Entries;

/// A program and its subcommands, as far as they were named.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) entries: Entries,
    /// Whether an operand may be a command, by what the innermost entry says.
    pub(super) may_carry: bool,
    style: Style,
}

/// What an option's name leads to.
#[derive(Debug, Clone)]
pub(super) enum Found {
    /// This option.
    One(Arc<OptionSpec>),
    /// Several begin so.
    Several,
    /// None.
    Nothing,
}

impl Levels {
    pub(super) fn new(entry: Arc<Entry>) -> Levels {
        let (entries, style) = (Entries::new(), entry.style);
        let mut levels = Levels { entries, may_carry: false, style };
        levels.push(entry);
        levels
    }

    /// Goes on to a subcommand.
    pub(super) fn push(&mut self, entry: Arc<Entry>) {
        let takes_command =
            |operands: &Operands| operands.roles().any(|role| matches!(role, Role::Command(_)));
        let changed = entry.when.iter().filter_map(|when| when.operands.as_ref());
        self.may_carry = entry.operands.iter().chain(changed).any(takes_command);
        self.style = entry.style;
        self.entries.push(entry);
    }

    pub(super) fn inner(&self) -> &Entry {
        static NONE: std::sync::OnceLock<Entry> = std::sync::OnceLock::new();
        self.entries.last().map_or_else(|| NONE.get_or_init(Entry::default), |entry| &**entry)
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// The option of exactly this name, innermost entry first.
    pub(super) fn exact(&self, name: &str) -> Option<Arc<OptionSpec>> {
        self.entries.iter().rev().find_map(|entry| entry.options.named(name)).cloned()
    }

    /// The option of this letter, innermost entry first.
    pub(super) fn letter(&self, letter: char) -> Option<Arc<OptionSpec>> {
        self.exact(&Text::from_iter(['-', letter]))
    }

    /// The option of this long name, which may be cut short.
    pub(super) fn long(&self, name: &str) -> Found {
        if let Some(option) = self.exact(name) {
            return Found::One(option);
        }
        if !self.style().abbreviates() || name.len() < 3 {
            return Found::Nothing;
        }
        for entry in self.entries.iter().rev() {
            let begins = |option: &&Arc<OptionSpec>| {
                let names = &option.spelling.names;
                names.iter().any(|own| own.starts_with("--") && own.starts_with(name))
            };
            let mut options = entry.options.iter().filter(begins);
            match (options.next(), options.next()) {
                (Some(one), None) => return Found::One(Arc::clone(one)),
                (Some(_), Some(_)) => return Found::Several,
                (None, _) => {}
            }
        }
        Found::Nothing
    }

    /// Whether an option that is not listed makes it impossible to tell what would run.
    pub(super) fn unlisted_is_doubt(&self) -> bool {
        let inner = self.inner();
        match inner.unlisted {
            Some(unlisted) => unlisted == Unlisted::Doubt,
            None => inner.carries_command() || !inner.subs.is_empty(),
        }
    }
}
