//! Which program each process of the tree is, and what it was given when it became that.
//!
//! What a process itself says of its variables it can write over. What was looked at before its
//! first instruction it cannot.
//!
//! A process that became nothing since it was made is what its parent is, if its parent is still
//! what it was then: otherwise it runs another file, and nobody knows where it comes from.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::birth::{Birth, birth};
use super::judge::Process;

/// The most generations that are looked through.
const MOST_GENERATIONS: usize = 64;
/// Of so many processes the name is kept open.
const MOST_OPEN: usize = 16;
/// So many are known before those are forgotten that have ended.
const MANY: usize = 4096;

/// The processes of the tree that were seen to become a program.
#[derive(Debug)]
pub(super) struct Lineage {
    known: RefCell<HashMap<i32, Known>>,
    /// With so many it is looked who has ended.
    full: Cell<usize>,
    /// The variables of the last program: mostly those of the next one too.
    last: RefCell<Rc<[OsString]>>,
}

/// A process that became a program.
#[derive(Debug)]
struct Known {
    began: u64,
    program: Program,
    /// Its name, open for as long as it starts others: whoever has its number later does not
    /// answer there.
    name: Option<File>,
}

/// What a process became.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// The file that runs.
    pub(super) runs: Identity,
    /// Where it lay.
    pub(super) path: PathBuf,
    /// What it was given.
    pub(super) variables: Rc<[OsString]>,
}

/// Which file it is: device and number.
pub(super) type Identity = (u64, u64);

/// Where a process comes from.
#[derive(Debug)]
pub(super) struct Origin {
    /// The process; none where it cannot be told which it is.
    pub(super) process: Option<Process>,
    /// The nearest process that became a program: this one, or one above it.
    pub(super) above: Option<Process>,
    /// The program that it became.
    pub(super) program: Option<Program>,
}

impl Lineage {
    /// Nobody yet.
    pub(super) fn new() -> Lineage {
        let last = RefCell::new(Rc::from(Vec::new()));
        Lineage { known: RefCell::default(), full: Cell::new(MANY), last }
    }

    /// A process has become a program: this file, which lies there, with these variables.
    pub(super) fn became(
        &self,
        process: Process,
        (runs, path): (Identity, &Path),
        variables: &[OsString],
    ) {
        let mut last = self.last.borrow_mut();
        if **last != *variables {
            *last = Rc::from(variables);
        }
        let program = Program { runs, path: path.to_owned(), variables: Rc::clone(&last) };
        let mut known = self.known.borrow_mut();
        known.insert(process.number, Known { began: process.began, program, name: None });
        if known.len() > self.full.get() {
            known
                .retain(|number, own| birth(*number).is_some_and(|birth| birth.began == own.began));
            self.full.set(known.len().saturating_mul(2).max(MANY));
        }
    }

    /// Where a process that runs this file comes from.
    pub(super) fn origin(&self, number: i32, runs: Option<Identity>) -> Origin {
        let mut known = self.known.borrow_mut();
        let mut origin = Origin { process: None, above: None, program: None };
        let mut at = number;
        for _ in 0..MOST_GENERATIONS {
            if at != number
                && let Some(own) = known.get(&at).filter(|own| own.is_there())
            {
                return origin.below(at, own, runs);
            }
            // Before it is known that it is the process with that number.
            let is_known = at != number && known.contains_key(&at);
            let name = is_known.then(|| File::open(format!("/proc/{at}/comm")).ok()).flatten();
            let Some(Birth { parent, began }) = birth(at) else { break };
            origin.process.get_or_insert(Process { number, began });
            match known.get_mut(&at) {
                Some(own) if own.began == began => {
                    own.name = name;
                    let origin = origin.below(at, own, runs);
                    close_all_but(&mut known, at);
                    return origin;
                }
                // Someone else had the number before.
                Some(_) => drop(known.remove(&at)),
                None => {}
            }
            if parent <= 1 {
                break;
            }
            at = parent;
        }
        origin
    }
}

impl Origin {
    fn below(self, number: i32, known: &Known, runs: Option<Identity>) -> Origin {
        if runs != Some(known.program.runs) {
            return self;
        }
        let above = Some(Process { number, began: known.began });
        Origin { above, program: Some(known.program.clone()), ..self }
    }
}

impl Known {
    /// Whether the process is still there, where that can be told at once.
    fn is_there(&self) -> bool {
        let name = self.name.as_ref();
        name.is_some_and(|name| name.read_at(&mut [0; 1], 0).is_ok_and(|read| read > 0))
    }
}

/// Closes the names of all but one, if too many are open.
fn close_all_but(known: &mut HashMap<i32, Known>, number: i32) {
    if known.values().filter(|own| own.name.is_some()).count() > MOST_OPEN {
        known.iter_mut().filter(|(own, _)| **own != number).for_each(|(_, own)| own.name = None);
    }
}

#[cfg(test)]
#[path = "lineage_tests.rs"]
mod tests;
