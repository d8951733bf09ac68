//! The program catalogue: types that describe what a program's options and operands do.
//!
//! The manifest crate parses these descriptions from text. The shell crate reads command lines with
//! them.

mod entry;
mod habit;
mod lazy_list;
mod named_list;
mod operands;
mod role;
mod spelling;

pub use entry::{
    CatalogueEntry, Children, ImpliedEffect, OptionCondition, OptionSpec, OptionStyle,
    ReplacedOperand, SubcommandSpec, UnlistedOption, Wrapper,
};
pub use habit::Habit;
pub use lazy_list::ParseLine;
pub use named_list::{HasNames, NamedList};
pub use operands::{OperandRoles, Operands};
pub use role::{CommandEnd, FileUse, WordRole};
pub use spelling::{OptionSpelling, TakesValue};

/// A source of descriptions of programs.
pub trait Catalogue: Send + Sync {
    /// Returns the entry of a program (`git`) or subcommand (`git push`) by any of its names.
    fn entry(&self, name: &str) -> Option<&CatalogueEntry>;

    /// Returns the role of a variable's value for the programs that read it: `PAGER` contains a
    /// command.
    fn variable(&self, name: &str) -> Option<WordRole>;
}

/// A catalogue without entries.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyCatalogue;

impl Catalogue for EmptyCatalogue {
    fn entry(&self, _: &str) -> Option<&CatalogueEntry> {
        None
    }

    fn variable(&self, _: &str) -> Option<WordRole> {
        None
    }
}
