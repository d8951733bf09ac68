//! Tracks how the children of each process in a run are judged.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ringfence_core::program::Children;
use ringfence_sandbox::gate::{Process, Started};

/// How the children of known processes are judged.
#[derive(Debug, Default)]
pub(crate) struct ChildPolicies(Mutex<Known>);

/// Known processes by PID; an entry is valid only while the PID belongs to the same process.
#[derive(Debug, Default)]
struct Known {
    /// Processes and the programs that they run.
    are: HashMap<i32, (Process, ChildPolicy)>,
    /// Processes and the programs that they will run if their exec succeeds.
    would_be: HashMap<i32, (Process, ChildPolicy)>,
    /// The number of processes above which those that have ended are looked for.
    full: usize,
}

/// How the programs started by a program are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChildPolicy {
    /// `None` for the command that the person asked for, before its catalogue entry is looked up.
    pub(crate) children: Option<Children>,
    /// Whether a person asked for this command.
    pub(crate) asked_for: bool,
}

/// The number of processes that are kept before those that have ended are looked for.
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

impl ChildPolicies {
    /// Records the program that a process will run if its exec is allowed and succeeds.
    pub(crate) fn may_become(&self, process: Option<Process>, program: ChildPolicy) {
        if let Some(process) = process {
            self.known().would_be.insert(process.number, (process, program));
        }
    }

    /// Records that the exec of a process succeeded.
    pub(crate) fn became(&self, process: Process) {
        let mut known = self.known();
        if let Some((own, program)) = known.would_be.remove(&process.number)
            && own == process
        {
            known.are.insert(process.number, (process, program));
            known.forget_ended();
        }
    }

    /// Returns the child policy inherited from the nearest known ancestor of a process that is
    /// about to exec. An unknown family means that the start is judged.
    pub(crate) fn of(&self, started: &Started) -> ChildPolicy {
        let judged = ChildPolicy { children: Some(Children::Judged), asked_for: false };
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
#[path = "child_policies_tests.rs"]
mod tests;
