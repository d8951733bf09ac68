//! The program catalogue, compiled in.

use std::sync::{Arc, OnceLock};

use ringfence_core::program::{ByName, Catalogue, Entry, Role, Sub};
use serde::Deserialize;

use crate::compiled::{PROGRAM_NAMES, PROGRAMS, VARIABLES};
use crate::raw::RawProgram;
use crate::text::Format;
use crate::{de, lower, tree};

/// The columns of [`PROGRAMS`]: the name, the entry as JSON without its subcommands, and these, one
/// in each line with all its names.
const NAME: usize = 0;
const TEXT: usize = 1;
const SUBS: usize = 2;
/// The second column of the others: the name that the entry has, the variable's role.
const OTHER: usize = 1;

/// The catalogue that comes with ringfence.
#[derive(Debug, Default)]
pub struct BuiltIn {
    /// Entries that were asked for, in the order of [`PROGRAMS`].
    read: Vec<OnceLock<Option<Box<Entry>>>>,
}

/// The lines that show what an entry is good for.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Lines {
    /// Rules that they need besides those that every entry is tried with.
    #[serde(default)]
    pub grants: Vec<String>,
    /// Lines that are allowed where the program is granted.
    #[serde(default)]
    pub benign: Vec<String>,
    /// Lines that are not.
    #[serde(default)]
    pub hostile: Vec<String>,
}

impl BuiltIn {
    /// The catalogue; entries are read when they are asked for.
    pub fn new() -> BuiltIn {
        BuiltIn { read: (0..PROGRAMS.len()).map(|_| OnceLock::new()).collect() }
    }

    /// The one catalogue of this process.
    pub fn shared() -> &'static BuiltIn {
        static SHARED: OnceLock<BuiltIn> = OnceLock::new();
        SHARED.get_or_init(BuiltIn::new)
    }
}

impl Catalogue for BuiltIn {
    fn entry(&self, name: &str) -> Option<&Entry> {
        let at = position(name)?;
        let entry = self.read.get(at)?.get_or_init(|| {
            let name = PROGRAMS.get(at, NAME)?;
            // INVARIANT: every entry can be read; `catalogue_tests` holds the catalogue to it.
            let mut entry = read(name, PROGRAMS.get(at, TEXT)?).ok()?;
            entry.subs = subs(name, PROGRAMS.get(at, SUBS)?);
            Some(Box::new(entry))
        });
        entry.as_deref()
    }

    fn variable(&self, name: &str) -> Option<Role> {
        let at = VARIABLES.find(name).or_else(|| VARIABLES.find(&family(name)?))?;
        Role::parse(VARIABLES.get(at, OTHER)?)
    }
}

/// The family of a variable that has somebody's choice in its name: `CARGO_TARGET_*_LINKER`.
fn family(name: &str) -> Option<String> {
    let (head, last) = name.rsplit_once('_')?;
    let mut parts = head.splitn(3, '_');
    let (first, second) = (parts.next()?, parts.next()?);
    parts.next().map(|_| format!("{first}_{second}_*_{last}"))
}

/// The names of all programs and subcommands, each with the names above it.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.names()
}

/// The lines that show what an entry is good for.
pub fn lines(name: &str) -> Option<Lines> {
    serde_json::from_str(text(name)?).ok()
}

/// The entry as the catalogue has it, without its subcommands.
pub fn text(name: &str) -> Option<&'static str> {
    PROGRAMS.get(position(name)?, TEXT)
}

fn position(name: &str) -> Option<usize> {
    let by_other_name = || PROGRAM_NAMES.get(PROGRAM_NAMES.find(name)?, OTHER);
    PROGRAMS.find(name).or_else(|| PROGRAMS.find(by_other_name()?))
}

fn read(name: &str, text: &str) -> Result<Entry, Vec<String>> {
    let words = |faults: Vec<crate::text::Fault>| -> Vec<String> {
        faults.into_iter().map(|fault| fault.message).collect()
    };
    let node = tree::read(Format::Json, text).map_err(words)?;
    let (raw, mut faults) = de::read::<RawProgram>(&node);
    let Some(raw) = raw else { return Err(words(faults)) };
    let mut read = None;
    lower::flatten(name, raw, &mut faults, &mut |entry| read = Some(entry));
    match (read, faults.is_empty()) {
        (Some(entry), true) => Ok(entry),
        _ => Err(words(faults)),
    }
}

/// The subcommands, one in each line with its names.
fn subs(name: &str, lines: &str) -> ByName<Sub> {
    let sub = |line: &str| -> Option<Sub> {
        let names: Arc<[Box<str>]> = line.split(' ').map(Into::into).collect();
        let key = [name, " ", names.first()?].concat().into();
        Some(Sub { names, key })
    };
    lines.lines().filter_map(sub).collect()
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
