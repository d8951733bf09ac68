//! A run: the init is made, its gate is served, its end is waited for.

use std::fmt;
use std::io;
use std::net::TcpListener;
use std::net::UdpSocket;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::PathBuf;
use std::sync::Arc;

use crate::child::{self, Report, Stage, Told};
use crate::gate::{Gate, Judge, received};
use crate::plan::Plan;
use crate::spawn::{self, Command, Prepared};
use crate::sys;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The command ended with this status.
    Exited(i32),
    /// A signal ended the command.
    Signalled(i32),
    /// It was ended from outside, with all it had started.
    Killed,
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

/// What the one who runs it hears and does while it runs.
pub trait Watcher {
    /// The sockets inside, before the command begins.
    fn sockets(&mut self, _sockets: Sockets) {}

    /// The command was stopped by a signal; it goes on when this returns.
    fn stopped(&mut self, _signal: i32) {}
}

/// Sockets on the tree's own loopback.
#[derive(Debug, Default)]
pub struct Sockets {
    /// Where the proxy is reached.
    pub proxy: Option<TcpListener>,
    /// Ports that are carried to the host's loopback.
    pub local: Vec<TcpListener>,
    /// Where names are asked for.
    pub resolver: Option<UdpSocket>,
}

/// Runs a command under a plan, in this thread, until it has ended.
pub fn run(
    plan: &Plan,
    command: &Command,
    judge: Arc<dyn Judge>,
    watcher: &mut dyn Watcher,
) -> Result<Ended, Failed> {
    let begun = |error: io::Error| Failed::Fence { part: "the run", about: None, error };
    let prepared = spawn::prepare(plan, command).map_err(begun)?;
    let pid = child::start(&prepared.blueprint).map_err(|error| Failed::Fence {
        part: "the namespaces",
        about: None,
        error,
    })?;
    let Prepared { blueprint, lifeline, control, orders, theirs } = prepared;
    drop(theirs);
    let mut supervisor = Supervisor { pid, control, orders, judge, gate: None, watcher, plan };
    let served = supervisor.serve();
    drop(lifeline);
    wait(pid);
    served.map_err(begun)?;
    outcome(&blueprint.report, plan)
}

struct Supervisor<'a> {
    pid: i32,
    control: OwnedFd,
    orders: Option<OwnedFd>,
    judge: Arc<dyn Judge>,
    gate: Option<Gate>,
    watcher: &'a mut dyn Watcher,
    plan: &'a Plan,
}

impl Supervisor<'_> {
    /// Serves the tree until its init has ended.
    fn serve(&mut self) -> io::Result<()> {
        let init = pidfd(self.pid)?;
        let mut sockets = Sockets::default();
        loop {
            let gate = self.gate.as_ref().map_or([-1, -1], Gate::descriptors);
            let [listener, wake] = gate;
            let ready = poll([self.control.as_raw_fd(), listener, wake, init.as_raw_fd()])?;
            let [control_ready, listener_ready, wake_ready, ended] = ready;
            if control_ready {
                self.hear(&mut sockets)?;
            }
            if let Some(gate) = &self.gate {
                if wake_ready {
                    gate.finish();
                }
                if listener_ready && gate.serve().is_err() {
                    self.gate = None;
                }
            }
            if ended {
                return Ok(());
            }
        }
    }

    /// Hears what the init says.
    fn hear(&mut self, sockets: &mut Sockets) -> io::Result<()> {
        let mut bytes = [0; 64];
        let (length, fds) = sys::receive(self.control.as_raw_fd(), &mut bytes)?;
        let mut fds = fds.into_iter().flatten().map(received);
        let said = bytes.get(..length).unwrap_or_default();
        match (said, fds.next()) {
            ([told], listener) if *told == Told::Listener as u8 => {
                if let Some(listener) = listener {
                    let judge = Arc::clone(&self.judge);
                    self.gate = Some(Gate::new(listener, self.orders.take(), judge)?);
                }
                self.watcher.sockets(std::mem::take(sockets));
            }
            ([told, high, low], Some(socket)) if *told == Told::Sockets as u8 => {
                self.take_socket(sockets, u16::from_be_bytes([*high, *low]), socket);
            }
            ([told, signal], None) if *told == Told::Stopped as u8 => {
                self.watcher.stopped(i32::from(*signal));
                let go_on = [child::Request::Signal as u8, libc::SIGCONT as u8];
                let _ = sys::send(self.control.as_raw_fd(), &go_on, &[]);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_socket(&self, sockets: &mut Sockets, port: u16, socket: OwnedFd) {
        if Some(port) == self.plan.net.proxy && sockets.proxy.is_none() {
            sockets.proxy = Some(socket.into());
        } else if self.plan.net.local.contains(&port) {
            sockets.local.push(socket.into());
        } else {
            sockets.resolver = Some(socket.into());
        }
    }
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

fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes numbers alone.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    match RawFd::try_from(fd) {
        Ok(fd) if fd >= 0 => Ok(received(fd)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Waits until one of these is ready; those that are negative never are.
fn poll<const N: usize>(fds: [RawFd; N]) -> io::Result<[bool; N]> {
    let mut wanted = fds.map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    // SAFETY: the kernel writes the entries.
    let ready = unsafe { libc::poll(wanted.as_mut_ptr(), N as libc::nfds_t, -1) };
    match (ready, io::Error::last_os_error()) {
        (-1, error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        (-1, _) => Ok([false; N]),
        _ => Ok(wanted.map(|entry| entry.revents != 0)),
    }
}

/// Waits for the end of the init, and with it of all that it had started.
fn wait(pid: i32) {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes the status.
        let waited = unsafe { libc::waitpid(pid, &raw mut status, libc::__WALL) };
        if waited == pid || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return;
        }
    }
}
