//! Which processes of the tree stand under a program whose children are part of its grant.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringfence_core::program::Children;
use ringfence_sandbox::gate::{Process, Started};

/// What holds for the children of processes that started a program.
#[derive(Debug, Default)]
pub(crate) struct Family(Mutex<Known>);

/// By the number of the process, for as long as no other one has it.
#[derive(Debug, Default)]
struct Known {
    /// What processes have become.
    are: HashMap<i32, (Process, Kin)>,
    /// What they become if their start succeeds.
    would_be: HashMap<i32, (Process, Kin)>,
    /// With more than this it is looked who has ended.
    full: usize,
}

/// What is known of a program for those that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kin {
    /// None: it is the command that was asked for, and nobody has looked yet.
    pub(crate) children: Option<Children>,
    /// Whether it is the command that a person asked for.
    pub(crate) asked_for: bool,
}

/// So many processes are known before those that have ended are forgotten.
const MANY: usize = 4096;

impl Known {
    /// Forgets the processes that have ended, once there are many: a session may start millions.
    fn forget_ended(&mut self) {
        if self.are.len() > self.full.max(MANY) {
            let is_there = |number: &i32| Path::new(&format!("/proc/{number}")).exists();
            self.are.retain(|number, _| is_there(number));
            self.would_be.retain(|number, _| is_there(number));
            self.full = self.are.len().saturating_mul(2);
        }
    }
}

impl Family {
    /// A process becomes a program, if its start succeeds and nobody says no.
    pub(crate) fn may_become(&self, process: Option<Process>, program: Kin) {
        if let Some(process) = process {
            self.known().would_be.insert(process.number, (process, program));
        }
    }

    /// A process has become what it was allowed to.
    pub(crate) fn became(&self, process: Process) {
        let mut known = self.known();
        if let Some((own, program)) = known.would_be.remove(&process.number)
            && own == process
        {
            known.are.insert(process.number, (process, program));
            known.forget_ended();
        }
    }

    /// What holds for a program that a process is about to become: what holds for the children of
    /// the program that it is, or of the nearest one above it. A process whose family cannot be
    /// told is judged.
    pub(crate) fn of(&self, started: &Started) -> Kin {
        let judged = Kin { children: Some(Children::Judged), asked_for: false };
        let Some(above) = started.above else { return judged };
        let known = self.known();
        let own = known.are.get(&above.number).filter(|(process, _)| *process == above);
        own.map_or(judged, |(_, program)| *program)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "family_tests.rs"]
mod tests;
