//! A run: the init is made, its gate is served, its end is waited for.

use std::fmt;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;

use crate::child::{Report, Stage};
use crate::gate::Judge;
use crate::line::Line;
use crate::plan::Plan;
use crate::room::Room;
use crate::signals::Signals;
use crate::spawn::{self, Command};
use crate::supervise::Supervisor;
use crate::terminal::Terminal;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The command ended with this status.
    Exited(i32),
    /// A signal ended the command.
    Signalled(i32),
    /// It was ended from outside, with all it had started.
    Killed,
    /// Its time was over.
    TimedOut,
}

/// Why a run could not begin.
#[derive(Debug)]
pub enum Failed {
    /// The kernel refused a part of the fence.
    Fence {
        /// The part.
        part: &'static str,
        /// What it was about, where that is one of several.
        about: Option<PathBuf>,
        /// What the kernel said.
        error: io::Error,
    },
    /// The command could not be started in the fence.
    Start(io::Error),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Fence { part, about: Some(path), error } => {
                write!(f, "{part} could not be set up for {}: {error}", path.display())
            }
            Failed::Fence { part, about: None, error } => {
                write!(f, "{part} could not be set up: {error}")
            }
            Failed::Start(error) => write!(f, "the command could not be started: {error}"),
        }
    }
}

impl std::error::Error for Failed {}

/// Sockets on the tree's own loopback.
#[derive(Debug, Default)]
pub struct Sockets {
    /// Where the proxy is reached.
    pub proxy: Option<TcpListener>,
    /// Where connections of programs that know no proxy arrive.
    pub taken: Vec<TcpListener>,
    /// Where names are asked for.
    pub resolver: Option<UdpSocket>,
}

impl Sockets {
    /// The descriptors of all of them.
    pub(crate) fn descriptors(&self) -> Vec<RawFd> {
        let listeners = self.proxy.iter().chain(&self.taken).map(AsRawFd::as_raw_fd);
        listeners.chain(self.resolver.iter().map(AsRawFd::as_raw_fd)).collect()
    }
}

/// Takes the sockets inside and a line to the inside, when the first of them is used; before the
/// command begins where ports are published. A command that uses none never has it called.
pub type Begin = Box<dyn FnOnce(Sockets, &Line)>;

/// What is given to a run besides its plan.
pub struct Terms {
    /// Decides what the plan leaves open.
    pub judge: Arc<dyn Judge>,
    /// Called when something inside is to be served.
    pub begin: Begin,
    /// Whether signals to this process are meant for the command.
    pub forward: bool,
}

/// Runs a command under a plan, in this thread, until it has ended.
///
/// The tree ends with this thread, however that ends.
pub fn run(plan: &Plan, command: &Command, terms: Terms) -> Result<Ended, Failed> {
    run_in(Room::new().map_err(begun)?, plan, command, terms)
}

/// As [`run`], in a room that this thread has begun to make.
pub fn run_in(
    mut room: Room,
    plan: &Plan,
    command: &Command,
    terms: Terms,
) -> Result<Ended, Failed> {
    let blueprint = spawn::prepare(plan, command, &room).map_err(begun)?;
    let signals = terms.forward.then(Signals::new).transpose().map_err(begun)?;
    let init = room.init().map_err(|error| Failed::Fence {
        part: "the namespaces",
        about: None,
        error,
    })?;
    let control = room.begin(blueprint).map_err(begun)?;
    let orders = room.orders.take().ok_or(io::ErrorKind::NotFound.into()).map_err(begun)?;
    let terminal = room.terminal.map(Terminal::lent);
    let served = Supervisor::new(init, plan, control, orders, terms).serve(signals, terminal);
    room.end();
    let timed_out = served.map_err(begun)?;
    match outcome(&room.frame.report, plan)? {
        Ended::Killed if timed_out => Ok(Ended::TimedOut),
        ended => Ok(ended),
    }
}

fn begun(error: io::Error) -> Failed {
    Failed::Fence { part: "the run", about: None, error }
}

fn outcome(report: &Report, plan: &Plan) -> Result<Ended, Failed> {
    match (report.status(), report.error()) {
        (Some(status), None) if libc::WIFEXITED(status) => {
            Ok(Ended::Exited(libc::WEXITSTATUS(status)))
        }
        (Some(status), None) => Ok(Ended::Signalled(libc::WTERMSIG(status))),
        (_, Some((errno, _))) if report.stage() == Stage::Exec => Err(Failed::Start(errno.into())),
        (_, Some((errno, which))) => {
            let (part, about) = part(report.stage(), which, plan);
            Err(Failed::Fence { part, about, error: errno.into() })
        }
        (None, None) => Ok(Ended::Killed),
    }
}

/// What a stage is called, and which path it was about.
fn part(stage: Stage, which: usize, plan: &Plan) -> (&'static str, Option<PathBuf>) {
    match stage {
        Stage::Begun | Stage::Running => ("the run", None),
        Stage::Users => ("the user namespace", None),
        Stage::Network => ("the network namespace", None),
        Stage::Mounts => ("the read-only view of the file system", None),
        Stage::Writable => ("a writable directory", None),
        Stage::Hiding => ("the cover", plan.files.masks.get(which).cloned()),
        Stage::Proc => ("a /proc of its own", None),
        Stage::Landlock => ("Landlock", plan.files.trees.get(which).map(|tree| tree.path.clone())),
        Stage::Payload => ("the process", None),
        Stage::Capabilities => ("dropping capabilities", None),
        Stage::Limits => ("limits", None),
        Stage::Directory => ("the working directory", Some(plan.cwd.clone())),
        Stage::Filter => ("the filter of system calls", None),
        Stage::Exec => ("the command", None),
    }
}
