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
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::birth::{Birth, birth, hold, is_there};
use super::judge::Process;

/// The most generations that are looked through.
const MOST_GENERATIONS: usize = 64;
/// So many processes are held.
const MOST_HELD: usize = 16;
/// So many are known before those are forgotten that have ended.
const MANY: usize = 4096;

/// The processes of the tree that were seen to become a program.
#[derive(Debug)]
pub(super) struct Lineage {
    known: RefCell<HashMap<i32, Known>>,
    /// With so many it is looked who has ended.
    full: Cell<usize>,
    /// The variables of the last program: mostly those of the next one too.
    last: RefCell<Variables>,
}

/// The variables of a program: mostly those of many.
pub(super) type Variables = Arc<[OsString]>;

/// A process that became a program.
#[derive(Debug)]
struct Known {
    began: u64,
    program: Program,
    /// Holds it for as long as it starts others: whoever has its number later is another.
    held: Option<OwnedFd>,
}

/// What a process became.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// The file that runs.
    pub(super) runs: Identity,
    /// Where it lay.
    pub(super) path: PathBuf,
    /// What it was given.
    pub(super) variables: Variables,
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

impl Default for Lineage {
    /// Nobody yet.
    fn default() -> Lineage {
        let last = RefCell::new(Arc::from(Vec::new()));
        Lineage { known: RefCell::default(), full: Cell::new(MANY), last }
    }
}

impl Lineage {
    /// A process has become a program: this file, which lies there, with these variables.
    pub(super) fn became(
        &self,
        process: Process,
        (runs, path): (Identity, &Path),
        variables: &Variables,
    ) {
        self.last.replace(Arc::clone(variables));
        let program = Program { runs, path: path.to_owned(), variables: Arc::clone(variables) };
        let mut known = self.known.borrow_mut();
        known.insert(process.number, Known { began: process.began, program, held: None });
        if known.len() > self.full.get() {
            known
                .retain(|number, own| birth(*number).is_some_and(|birth| birth.began == own.began));
            self.full.set(known.len().saturating_mul(2).max(MANY));
        }
    }

    /// The variables that the last program was given.
    pub(super) fn last(&self) -> Variables {
        Arc::clone(&self.last.borrow())
    }

    /// Where a process of this birth that runs this file comes from.
    pub(super) fn origin(
        &self,
        number: i32,
        born: Option<Birth>,
        runs: Option<Identity>,
    ) -> Origin {
        let mut known = self.known.borrow_mut();
        let process = born.map(|birth| Process { number, began: birth.began });
        let origin = Origin { process, above: None, program: None };
        let (mut at, mut next) = (number, born);
        for _ in 0..MOST_GENERATIONS {
            if at != number
                && let Some(own) = known.get(&at).filter(|own| own.is_there())
            {
                return origin.below(at, own, runs);
            }
            let is_known = at != number && known.contains_key(&at);
            // Before it is known that it is the process with that number.
            let held = is_known.then(|| hold(at).ok()).flatten();
            let Some(Birth { parent, began }) = next.take().or_else(|| birth(at)) else { break };
            match known.get_mut(&at) {
                Some(own) if own.began == began => {
                    own.held = held;
                    let origin = origin.below(at, own, runs);
                    let_go_all_but(&mut known, at);
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
        self.held.as_ref().is_some_and(is_there)
    }
}

/// Lets go of all but one, if too many are held.
fn let_go_all_but(known: &mut HashMap<i32, Known>, number: i32) {
    if known.values().filter(|own| own.held.is_some()).count() > MOST_HELD {
        known.iter_mut().filter(|(own, _)| **own != number).for_each(|(_, own)| own.held = None);
    }
}

#[cfg(test)]
#[path = "lineage_tests.rs"]
mod tests;
