//! From the tree to typed data: a serde reader that knows where every value stands.
//!
//! Types say what a document may hold; this module says where it does not. Errors are collected:
//! what is wrong is left out and reading goes on, so that a person sees all of it at once.

mod access;
mod error;
mod key;
mod reader;
mod spanned;

pub(crate) use error::ReadError;
pub(crate) use spanned::{Dated, Spanned};

use std::cell::RefCell;
use std::collections::HashSet;

use serde::Deserialize;

use crate::node::Node;
use crate::text::Fault;
use reader::Reader;

/// The most times that reading starts anew after an error that cannot be passed over.
const MAX_ROUNDS: usize = 32;

/// Reads a tree as a type, and says everything that is wrong with it.
///
/// What is wrong is left out of the value; there is none if nothing could be read.
pub(crate) fn read<'n, T: Deserialize<'n>>(node: &'n Node<'n>) -> (Option<T>, Vec<Fault>) {
    let state = State::default();
    let mut value = None;
    for _ in 0..MAX_ROUNDS {
        match T::deserialize(Reader { node, state: &state }) {
            Ok(read) => {
                value = Some(read);
                break;
            }
            Err(error) => {
                // This entry or item is bad: say so, and read the rest without it.
                let known = error.entry.is_none_or(|entry| !state.skip(entry));
                state.add(error);
                if known {
                    break;
                }
            }
        }
    }
    (value, state.faults.into_inner())
}

/// What is known so far about a tree that is being read.
#[derive(Default)]
struct State {
    faults: RefCell<Vec<Fault>>,
    /// Where the keys and items stand that are bad.
    skipped: RefCell<HashSet<usize>>,
}

impl State {
    fn add(&self, error: ReadError) {
        let consequence = error.missing && !self.skipped.borrow().is_empty();
        let fault = error.into_fault();
        let mut faults = self.faults.borrow_mut();
        // A key that is missing because its value was bad is no second error.
        let known = consequence && faults.iter().any(|other| other.is_within(&fault));
        if !known && !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// Leaves out the entry or item that starts here; false if it was left out already.
    fn skip(&self, start: usize) -> bool {
        self.skipped.borrow_mut().insert(start)
    }

    fn skips(&self, start: usize) -> bool {
        self.skipped.borrow().contains(&start)
    }
}

#[cfg(test)]
#[path = "de_tests.rs"]
mod tests;
