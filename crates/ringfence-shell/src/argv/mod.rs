//! The words of a command by the grammar of its program.
//!
//! What is read here is structure: which words are options, values, subcommands, operands, and which
//! role each has. What a role does is not known here.

mod level;
mod option;
mod reader;
mod roles;

use std::sync::Arc;

use ringfence_core::access::Meant;
use ringfence_core::program::{Catalogue, Entry, Given, Role};

use crate::field::Field;

/// A command by the grammar of its program.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The program's entry and those of its subcommands, outermost first.
    pub entries: Vec<Arc<Entry>>,
    /// What the words mean, subcommands first.
    pub meant: Vec<Meant>,
    /// What each word is, in order.
    pub uses: Vec<Use>,
    /// What is done although no word says it.
    pub given: Vec<Given>,
    /// Why it cannot be told what would run.
    pub doubt: Option<String>,
    /// How many operands there are.
    pub operands: usize,
    /// The names of all options that are there.
    pub seen: Vec<Box<str>>,
}

/// A word, or a part of one, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// What it is; `None` where nothing is known about it.
    pub role: Option<Role>,
    /// The word; for a command, all its words.
    pub fields: Vec<Field>,
    /// The option whose value it is, as it was written.
    pub option: Option<Box<str>>,
    /// Which word of the command it is.
    pub at: usize,
}

impl Reading {
    /// The innermost entry.
    pub fn entry(&self) -> Option<&Arc<Entry>> {
        self.entries.last()
    }

    /// Whether an option of this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.seen.iter().any(|own| **own == *name)
    }
}

/// Reads the words after a program.
pub fn read(catalogue: &dyn Catalogue, entry: Arc<Entry>, words: &[Field]) -> Reading {
    reader::Reader::new(catalogue, entry, words).read()
}

#[cfg(test)]
#[path = "argv_tests.rs"]
mod tests;
