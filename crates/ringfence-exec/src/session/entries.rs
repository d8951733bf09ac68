//! The commands that a session's supervisor has let in, as the exec gate knows them.

use std::collections::HashMap;
use std::fmt;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use ringfence_core::Policy;
use ringfence_guard::Guard;
use serde::{Deserialize, Serialize};

use crate::report::{Collector, Report, ReportMark};

/// The most scripts of typed commands that are remembered.
const MOST_SCRIPTS: usize = 64;

/// The commands that a session's supervisor has let in.
///
/// The supervisor announces a command by its PID before the command becomes its program. The first start
/// of that process is the entry; every later start is judged like any other.
#[derive(Default)]
pub struct SessionEntries {
    expected: Mutex<HashMap<i32, EnteredBy>>,
    /// The scripts that a person typed, for the interpreters that read them.
    scripts: Mutex<Vec<PathBuf>>,
    /// The terminals of commands, by the PID of the session leader.
    terminals: Mutex<HashMap<i32, OwnedFd>>,
    inside: OnceLock<Inside>,
}

/// Who entered a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EnteredBy {
    /// A person typed the command at a terminal, so the command needs no further approval.
    Person,
    /// A program gave the command, so the command is judged.
    Program,
    /// An agent's hook: the command is the shell of a line that the guard has allowed. The shell itself
    /// needs no grant; whatever it starts is judged.
    Hook,
}

/// The parts of the run that entries need.
struct Inside {
    guard: Arc<Guard>,
    collector: Arc<Collector>,
}

impl SessionEntries {
    /// Notes what the run uses, when it begins.
    pub(crate) fn begin(&self, guard: &Arc<Guard>, collector: &Arc<Collector>) {
        let inside = Inside { guard: Arc::clone(guard), collector: Arc::clone(collector) };
        // A session is one run.
        let _ = self.inside.set(inside);
    }

    /// Announces a command by its PID.
    pub(crate) fn expect(&self, pid: i32, by: EnteredBy) {
        self.expected().insert(pid, by);
    }

    /// Notes the terminal of a command whose session this process leads.
    pub(crate) fn add_terminal(&self, leader: i32, terminal: OwnedFd) {
        self.terminals().insert(leader, terminal);
    }

    /// Forgets the terminal of a command that has ended.
    pub(crate) fn forget_terminal(&self, leader: i32) {
        self.terminals().remove(&leader);
    }

    /// Returns the terminal of the session that this process leads.
    pub(crate) fn terminal(&self, leader: i32) -> Option<OwnedFd> {
        self.terminals().get(&leader)?.try_clone().ok()
    }

    fn terminals(&self) -> MutexGuard<'_, HashMap<i32, OwnedFd>> {
        self.terminals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an announcement back: the command has ended.
    pub(crate) fn forget(&self, pid: i32) {
        self.expected().remove(&pid);
    }

    /// Returns who gave the command that this process is about to become, once.
    pub(crate) fn take(&self, pid: i32) -> Option<EnteredBy> {
        self.expected().remove(&pid)
    }

    /// Remembers a script that a person typed.
    pub(crate) fn add_script(&self, script: PathBuf) {
        let mut scripts = self.scripts.lock().unwrap_or_else(PoisonError::into_inner);
        if !scripts.contains(&script) {
            if scripts.len() >= MOST_SCRIPTS {
                scripts.remove(0);
            }
            scripts.push(script);
        }
    }

    /// Returns whether a person typed this script.
    pub(crate) fn is_script(&self, file: &PathBuf) -> bool {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner).contains(file)
    }

    /// Puts a policy in force at the gate.
    pub(crate) fn replace(&self, policy: &Arc<Policy>) {
        if let Some(inside) = self.inside.get() {
            inside.guard.replace(Arc::clone(policy));
        }
    }

    /// Returns the place in the report up to which things were refused by now.
    pub(crate) fn mark(&self) -> ReportMark {
        self.inside.get().map(|inside| inside.collector.mark()).unwrap_or_default()
    }

    /// Returns what was refused since.
    pub(crate) fn since(&self, mark: &ReportMark) -> Report {
        self.inside.get().map(|inside| inside.collector.since(mark)).unwrap_or_default()
    }

    fn expected(&self) -> MutexGuard<'_, HashMap<i32, EnteredBy>> {
        self.expected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SessionEntries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionEntries").field("expected", &self.expected()).finish_non_exhaustive()
    }
}
