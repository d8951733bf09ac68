//! The program catalogue, compiled in.

mod record;

use std::sync::OnceLock;

use ringfence_core::program::{Catalogue, CatalogueEntry, WordRole};
use serde::Deserialize;

use crate::compiled::{PROGRAM_NAMES, PROGRAMS, VARIABLES};
use record::Record;

/// The columns of [`PROGRAMS`]: the name, the [`Record`], and as JSON the lines that show what an
/// entry is good for.
const NAME: usize = 0;
const RECORD: usize = 1;
const OPTIONS: usize = 2;
const SUBS: usize = 3;
const LINES: usize = 4;
/// The second column of the others: the name that the entry has, the variable's role.
const OTHER: usize = 1;

/// The catalogue that comes with ringfence.
#[derive(Debug, Default)]
pub struct BuiltIn {
    /// Entries that were asked for, in the order of [`PROGRAMS`], by the row: there are thousands, and
    /// most processes ask for a few.
    rows: Vec<OnceLock<Box<Row>>>,
}

/// The entries of one row, as far as they were asked for.
type Row = [OnceLock<Option<Box<CatalogueEntry>>>; ROW];
/// How many there are in a row.
const ROW: usize = 64;

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
        let rows = PROGRAMS.len().div_ceil(ROW);
        BuiltIn { rows: (0..rows).map(|_| OnceLock::new()).collect() }
    }

    /// The one catalogue of this process.
    pub fn shared() -> &'static BuiltIn {
        static SHARED: OnceLock<BuiltIn> = OnceLock::new();
        SHARED.get_or_init(BuiltIn::new)
    }
}

impl Catalogue for BuiltIn {
    fn entry(&self, name: &str) -> Option<&CatalogueEntry> {
        let at = position(name)?;
        let row = self.rows.get(at / ROW)?;
        let row = row.get_or_init(|| Box::new(std::array::from_fn(|_| OnceLock::new())));
        let entry = row.get(at % ROW)?.get_or_init(|| {
            let record = Record {
                name: PROGRAMS.get(at, NAME)?,
                text: PROGRAMS.get(at, RECORD)?,
                options: PROGRAMS.get(at, OPTIONS)?,
                subs: PROGRAMS.get(at, SUBS)?,
            };
            // INVARIANT: every entry can be read; `catalogue_tests` holds the catalogue to it.
            record.read().map(Box::new)
        });
        entry.as_deref()
    }

    fn variable(&self, name: &str) -> Option<WordRole> {
        let at = VARIABLES.find(name).or_else(|| find_family(name))?;
        WordRole::parse(VARIABLES.get(at, OTHER)?)
    }
}

/// The family of a variable that has somebody's choice in its name, the narrowest first:
/// `CARGO_TARGET_*_LINKER`, `CC_*`. What is chosen may have any length, what stands around it has not.
fn find_family(name: &str) -> Option<usize> {
    let marks = || name.bytes().enumerate().filter(|(_, byte)| *byte == b'_').map(|(at, _)| at);
    let (mut first, mut last) = (marks(), marks().rev());
    let heads: [Option<usize>; 4] = std::array::from_fn(|_| first.next());
    let tails: [Option<usize>; 2] = std::array::from_fn(|_| last.next());
    let mut family = String::new();
    for head in heads.into_iter().rev().flatten().filter_map(|at| name.get(..=at)) {
        let ends = tails.into_iter().rev().flatten().filter_map(|at| name.get(at..));
        for tail in ends.chain([""]) {
            if head.len().saturating_add(tail.len()) < name.len() {
                family.clear();
                [head, "*", tail].into_iter().for_each(|part| family.push_str(part));
                if let Some(at) = VARIABLES.find(&family) {
                    return Some(at);
                }
            }
        }
    }
    // Last those that any program may have: `*_EDITOR`.
    for tail in tails.into_iter().rev().flatten().filter_map(|at| name.get(at..)) {
        family.clear();
        ["*", tail].into_iter().for_each(|part| family.push_str(part));
        if let Some(at) = VARIABLES.find(&family) {
            return Some(at);
        }
    }
    None
}

/// The names of all programs and subcommands, each with the names above it.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.names()
}

/// The lines that show what an entry is good for.
pub fn lines(name: &str) -> Option<Lines> {
    serde_json::from_str(PROGRAMS.get(position(name)?, LINES)?).ok()
}

fn position(name: &str) -> Option<usize> {
    let by_other_name = || PROGRAM_NAMES.get(PROGRAM_NAMES.find(name)?, OTHER);
    PROGRAMS.find(name).or_else(|| PROGRAMS.find(by_other_name()?))
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
