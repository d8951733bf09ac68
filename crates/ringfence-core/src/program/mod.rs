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

pub use entry::{Children, Entry, Fills, Given, OptionSpec, Style, Sub, Unlisted, When, Wrapper};
pub use habit::Habit;
pub use lazy_list::Line;
pub use named_list::{ByName, HasNames};
pub use operands::{Expected, Operands};
pub use role::{CommandEnd, FileUse, Role};
pub use spelling::{Spelling, Takes};

/// A source of descriptions of programs.
pub trait Catalogue: Send + Sync {
    /// Returns the entry of a program (`git`) or subcommand (`git push`) by any of its names.
    fn entry(&self, name: &str) -> Option<&Entry>;

    /// Returns the role of a variable's value for the programs that read it: `PAGER` contains a
    /// command.
    fn variable(&self, name: &str) -> Option<Role>;
}

/// A catalogue without entries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Empty;

impl Catalogue for Empty {
    fn entry(&self, _: &str) -> Option<&Entry> {
        None
    }

    fn variable(&self, _: &str) -> Option<Role> {
        None
    }
}
