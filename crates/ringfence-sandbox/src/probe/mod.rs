//! What this host can hold: each facet of the fence is really tried, in small processes.

mod attempt;
mod settings;

use std::fmt;

use serde::Serialize;

use crate::sys::Errno;
use attempt::Attempt;

/// A part of the fence that the host holds, or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Facet {
    /// What it is called.
    pub name: &'static str,
    /// What the fence uses it for.
    pub holds: &'static str,
    /// How much of it is there.
    #[serde(flatten)]
    pub state: State,
}

/// How much of a facet is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum State {
    /// All that the fence needs.
    Full,
    /// Some of it.
    Partial {
        /// What is missing.
        gap: String,
        /// What to do about it.
        remedy: String,
    },
    /// None of it.
    None {
        /// What the kernel said.
        gap: String,
        /// What to do about it.
        remedy: String,
    },
}

impl State {
    /// The word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::Full => "full",
            State::Partial { .. } => "partial",
            State::None { .. } => "none",
        }
    }
}

impl fmt::Display for Facet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            State::Full => write!(f, "{}: full", self.name),
            State::Partial { gap, .. } | State::None { gap, .. } => {
                write!(f, "{}: {}, {gap}", self.name, self.state.as_str())
            }
        }
    }
}

/// Tries every facet on this host.
pub fn host() -> Vec<Facet> {
    let attempt = Attempt::new();
    vec![
        namespace(&attempt, "user namespace", "a fence without privileges", 0),
        mounts(&attempt),
        processes(&attempt),
        namespace(&attempt, "network namespace", NETWORK, libc::CLONE_NEWNET),
        namespace(&attempt, "ipc namespace", IPC, libc::CLONE_NEWIPC),
        terminals(&attempt),
        landlock(),
        filter(&attempt),
        exec_gate(&attempt),
        broker(&attempt),
    ]
}

const NETWORK: &str = "a network whose only way out is ringfence's proxy";
const IPC: &str = "shared memory and message queues of its own";
const MOUNTS: &str = "a file system that is read-only, private or covered where the policy says";
const PROCESSES: &str = "a /proc with the run's own processes, which all end with the run";

fn facet(name: &'static str, holds: &'static str, state: State) -> Facet {
    Facet { name, holds, state }
}

fn namespace(attempt: &Attempt, name: &'static str, holds: &'static str, flag: i32) -> Facet {
    let state = match attempt.namespaces(flag, |_| Ok(())) {
        Ok(()) => State::Full,
        Err(errno) => none(errno, settings::namespaces()),
    };
    facet(name, holds, state)
}

fn mounts(attempt: &Attempt) -> Facet {
    let state = match attempt.namespaces(libc::CLONE_NEWNS, |_| attempt::mounts()) {
        Ok(()) => State::Full,
        Err(Errno(libc::ENOSYS)) => none(Errno(libc::ENOSYS), kernel("5.12")),
        Err(errno) => none(errno, settings::namespaces()),
    };
    facet("mount namespace", MOUNTS, state)
}

fn processes(attempt: &Attempt) -> Facet {
    let flags = libc::CLONE_NEWPID | libc::CLONE_NEWNS;
    let own = attempt.namespaces(libc::CLONE_NEWPID, |_| Ok(()));
    let state = match (own, attempt.namespaces(flags, |_| attempt::own_proc())) {
        (Ok(()), Ok(())) => State::Full,
        (Err(errno), _) => none(errno, settings::namespaces()),
        (Ok(()), Err(errno)) => State::Partial {
            gap: format!("a /proc of its own cannot be mounted: {errno}"),
            remedy: "a container that covers parts of /proc forbids it: start it with \
                     `--security-opt systempaths=unconfined`, or ringfence outside it"
                .to_owned(),
        },
    };
    facet("process namespace", PROCESSES, state)
}

fn terminals(attempt: &Attempt) -> Facet {
    let state = match attempt.namespaces(libc::CLONE_NEWNS, |_| attempt::own_terminals()) {
        Ok(()) => State::Full,
        Err(errno) => none(errno, settings::namespaces()),
    };
    facet("terminals of its own", "programs that make terminals do not meet yours", state)
}

/// The version of Landlock that the fence is built on: the first with scopes.
const LANDLOCK: usize = 6;

fn landlock() -> Facet {
    let holds = "the floor for every file, abstract socket and signal";
    let state = match attempt::landlock_version() {
        Ok(version) if version >= LANDLOCK => State::Full,
        Ok(version) => State::Partial {
            gap: format!("version {version} does not hold {}", missing(version)),
            remedy: kernel("6.12"),
        },
        Err(Errno(libc::EOPNOTSUPP)) => none(
            Errno(libc::EOPNOTSUPP),
            "it is switched off: add `landlock` to the `lsm=` list of the kernel's command line"
                .to_owned(),
        ),
        Err(errno) => none(errno, kernel("6.12, built with Landlock")),
    };
    facet("Landlock", holds, state)
}

/// What versions before the one that is needed do not hold.
fn missing(version: usize) -> String {
    let since = [
        (2, "renames between directories"),
        (3, "truncation"),
        (5, "device ioctls"),
        (6, "abstract sockets and signals"),
    ];
    let missing: Vec<&str> =
        since.iter().filter(|(first, _)| version < *first).map(|(_, what)| *what).collect();
    missing.join(", ")
}

fn filter(attempt: &Attempt) -> Facet {
    let holds = "system calls that no run needs, and questions about those that it asks for";
    let state = match attempt.plain(|_| attempt::filter()) {
        Ok(()) => State::Full,
        Err(Errno(libc::EBUSY)) => none(
            Errno(libc::EBUSY),
            "another supervisor has this process already: start ringfence outside it".to_owned(),
        ),
        Err(errno) => none(errno, kernel("5.19, built with seccomp")),
    };
    facet("system call filter", holds, state)
}

fn exec_gate(attempt: &Attempt) -> Facet {
    let holds = "what was judged is what runs";
    let state = match attempt.seize() {
        Ok(()) => State::Full,
        Err(errno) => none(errno, settings::tracing()),
    };
    facet("exec gate", holds, state)
}

fn broker(attempt: &Attempt) -> Facet {
    let holds = "new names and changed attributes are judged, then made by ringfence";
    let state = match attempt.plain(|_| attempt::take_descriptor()) {
        Err(errno) => none(errno, kernel("5.6")),
        Ok(()) => match attempt.plain(|_| attempt::change_mode()) {
            Ok(()) => State::Full,
            Err(_) => State::Partial {
                gap: "modes of links cannot be changed without following them".to_owned(),
                remedy: kernel("6.6"),
            },
        },
    };
    facet("file broker", holds, state)
}

fn none(errno: Errno, remedy: String) -> State {
    State::None { gap: errno.to_string(), remedy }
}

fn kernel(version: &str) -> String {
    format!("use a kernel of version {version} or later")
}

#[cfg(test)]
#[path = "probe_tests.rs"]
mod tests;
