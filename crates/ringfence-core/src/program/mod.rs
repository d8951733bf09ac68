//! Programs: what their options and operands do, as the catalogue says it.
//!
//! These are the words of the catalogue. The manifest reads them from text, the shell reads command
//! lines by them.

mod by_name;
mod entry;
mod habit;
mod kept;
mod operands;
mod role;
mod spelling;

pub use by_name::{ByName, HasNames};
pub use entry::{Children, Entry, Fills, Given, OptionSpec, Style, Sub, Unlisted, When, Wrapper};
pub use habit::Habit;
pub use kept::Line;
pub use operands::{Expected, Operands};
pub use role::{CommandEnd, FileUse, Role};
pub use spelling::{Spelling, Takes};

/// What is known about programs.
pub trait Catalogue: Send + Sync {
    /// The entry of a program (`git`) or of a subcommand (`git push`), by any of its names.
    fn entry(&self, name: &str) -> Option<&Entry>;

    /// What the value of a variable is to the programs that look at it: `PAGER` names a command.
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
