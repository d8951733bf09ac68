//! A run: the init is made, its gate is served, its end is waited for.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::bell::Stop;
use crate::child::{REPLACED, Report, Setup, Stage};
use crate::delayed_task::DelayedTask;
use crate::gate::Judge;
use crate::line::Line;
use crate::made::Made;
use crate::missing::Missing;
use crate::plan::{Hiding, Plan};
use crate::relay::{Relay, Relaying, Streams};
use crate::room::Room;
use crate::session::check_streams;
use crate::signals::Signals;
use crate::spawn::{self, Command, Prepared};
use crate::supervise::{Served, Supervisor};
use crate::sys::Errno;
use crate::watch::Uncovered;

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
    /// It said more than it may.
    SaidTooMuch,
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
    /// What lies at this path is not what was judged: somebody replaced or moved it meanwhile.
    Replaced(PathBuf),
    /// This process may open too few files: so many, and so many are needed.
    Descriptors(u64, u64),
    /// The command could not be started in the fence.
    Start(io::Error),
    /// This stream of the command is a directory. It was opened outside, where nothing is covered:
    /// whatever lies in it could be opened from there.
    Directory(&'static str),
    /// This stream of the command is a socket that can reach others than the one at its other end.
    /// It was made outside, where neither the rules on the network nor those on sockets hold.
    Socket(&'static str),
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
            Failed::Replaced(path) => write!(
                f,
                "`{}` was replaced or moved while the run was being set up, so that what lies there was not \
                 judged",
                path.display()
            ),
            Failed::Descriptors(allowed, needed) => write!(
                f,
                "only {allowed} files may be open at a time (`ulimit -n`), and a run needs {needed}"
            ),
            Failed::Start(error) => write!(f, "the command could not be started: {error}"),
            Failed::Directory(stream) => {
                write!(f, "{stream} is a directory, by which what is hidden in it could be opened")
            }
            Failed::Socket(stream) => {
                write!(
                    f,
                    "{stream} is a socket of the world outside, by which others could be reached"
                )
            }
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

/// Keeps what a room was made by.
pub struct Keep(Box<Keeps>);

type Keeps = dyn FnOnce(&[u8]) + Send;

impl Keep {
    /// Has it kept by this.
    pub fn new(keep: impl FnOnce(&[u8]) + Send + 'static) -> Keep {
        Keep(Box::new(keep))
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keep")
    }
}

/// What is given to a run besides its plan.
pub struct Terms {
    /// Decides what the plan leaves open.
    pub judge: Arc<dyn Judge>,
    /// Called when something inside is to be served.
    pub begin: Begin,
    /// Whether signals to this process are meant for the command.
    pub forward: bool,
    /// What is to be hidden of what others put into readable trees during the run; without it
    /// nothing is watched.
    pub hiding: Option<Hiding>,
    /// The standard streams of the command.
    pub streams: Streams,
    /// Ends the run from another thread.
    pub stop: Option<Stop>,
    /// Whether this process ends right after the run: after a short one the kernel is not waited for
    /// then, which takes the namespaces apart when nobody is left in them.
    pub leaves: bool,
    /// Takes what the room was made by, where no room had been expected to be like that: what
    /// [`Room::expect`] is to be given next time.
    pub keep: Option<Keep>,
    /// A task to carry out once the run has lasted for a while.
    pub delayed_task: Option<DelayedTask>,
}

impl Terms {
    /// A run that this judge decides, with nothing else to it.
    pub fn new(judge: Arc<dyn Judge>) -> Terms {
        Terms {
            judge,
            begin: Box::new(|_, _| {}),
            forward: false,
            hiding: None,
            streams: Streams::default(),
            stop: None,
            leaves: false,
            keep: None,
            delayed_task: None,
        }
    }
}

/// Runs a command under a plan, in this thread, until it has ended.
///
/// The tree ends with this thread, however that ends.
pub fn run(plan: &Plan, command: &Command, terms: Terms) -> Result<Ended, Failed> {
    run_as(None, plan, command, terms)
}

/// So many files are open in a run, with some to spare for connections and questions.
const LEAST_OPEN: u64 = 64;

/// As [`run`], in a room that this thread has begun to make. Where the command is given streams of
/// its own, another room is made.
pub fn run_in(room: Room, plan: &Plan, command: &Command, terms: Terms) -> Result<Ended, Failed> {
    run_as(Some(room), plan, command, terms)
}

fn run_as(
    room: Option<Room>,
    plan: &Plan,
    command: &Command,
    mut terms: Terms,
) -> Result<Ended, Failed> {
    let allowed = crate::plan::most_open();
    if allowed < LEAST_OPEN {
        return Err(Failed::Descriptors(allowed, LEAST_OPEN));
    }
    let streams = std::mem::take(&mut terms.streams);
    check_streams(&streams)?;
    let made = Made::of(&plan.files.made);
    // What was expected was bound to what had been there before.
    let room = room.filter(|_| !made.is_new());
    let prepared = spawn::prepare(plan)?;
    let most = plan.limits.output;
    let inherits = streams.all().iter().all(|own| own.is_none());
    let suits = |room: &Room| inherits && most.is_none() && room.suits(&prepared.setup);
    let mut room = match room.filter(suits) {
        Some(room) => room,
        None => Room::with(streams, most).map_err(begun)?,
    };
    let relay = room.relay.take();
    let relaying = relay.map(Relay::start).transpose().map_err(begun)?;
    let served = serve((plan, prepared), command, room, terms, relaying.as_ref());
    let was_ended = !matches!(served, Ok(Ended::Exited(_) | Ended::Signalled(_)));
    match (relaying.is_some_and(|relaying| relaying.finish(was_ended)), served?) {
        (true, _) => Ok(Ended::SaidTooMuch),
        (false, ended) => Ok(ended),
    }
}

/// Begins the command in its room and serves it; how it ended.
fn serve(
    (plan, prepared): (&Plan, Prepared),
    command: &Command,
    mut room: Room,
    mut terms: Terms,
    relaying: Option<&Relaying>,
) -> Result<Ended, Failed> {
    let start = spawn::start(plan, command).map_err(begun)?;
    let signals = terms.forward.then(Signals::new).transpose().map_err(begun)?;
    let init = room.init().map_err(|error| Failed::Fence {
        part: "the namespaces",
        about: None,
        error,
    })?;
    let keep = terms.keep.take().filter(|_| !room.is_begun());
    let Prepared { setup, hidden: pins, pins: others } = prepared;
    let keep = keep.map(|keep| (keep, setup.pack()));
    let control = room.begin(setup, start).map_err(begun)?;
    if let Some((Keep(keep), setup)) = keep {
        keep(&setup);
    }
    let orders = room.orders.take().ok_or(io::ErrorKind::NotFound.into()).map_err(begun)?;
    let leaves = terms.leaves.then(Instant::now);
    let over = relaying.and_then(Relaying::over);
    let keyboard = relaying.and_then(|relaying| relaying.keyboard.as_deref());
    let hidden = room.setup().map(|setup| setup.hidden.as_slice()).unwrap_or_default();
    let missing = Missing { hidden, pins: &pins };
    let supervisor = Supervisor::new(init, (plan, missing), control, orders, terms, over);
    let served = supervisor.serve(signals, keyboard);
    drop(others);
    let frame = Rc::clone(&room.frame);
    let about = about(&frame.report, room.setup());
    match &served {
        Ok(Served::Ended) if leaves.is_some_and(is_short) => room.leave(),
        _ => room.end(),
    }
    match (served.map_err(begun)?, outcome(&frame.report, about)) {
        (Served::Moved(path), _) => Err(Failed::Replaced(path)),
        (Served::Uncovered(Uncovered { path, error }), _) => {
            Err(Failed::Fence { part: "the cover", about: Some(path), error })
        }
        // One that was ended while it was being set up may have noticed that something is missing.
        (Served::TimeOver, Ok(Ended::Killed) | Err(_)) => Ok(Ended::TimedOut),
        (Served::Stopped, Err(_)) => Ok(Ended::Killed),
        (_, outcome) => outcome,
    }
}

/// The longest run after which the init is left alone. After a longer one it makes no difference, and
/// whoever asks for the time that the command took is told only of processes that were waited for.
const SHORT: Duration = Duration::from_millis(100);

fn is_short(begun: Instant) -> bool {
    begun.elapsed() < SHORT
}

fn begun(error: io::Error) -> Failed {
    Failed::Fence { part: "the run", about: None, error }
}

fn outcome(report: &Report, about: Option<PathBuf>) -> Result<Ended, Failed> {
    match (report.status(), report.error()) {
        // What ended never became the command: nobody told it to.
        (Some(_), None) if report.stage() != Stage::Exec => Ok(Ended::Killed),
        (Some(status), None) if libc::WIFEXITED(status) => {
            Ok(Ended::Exited(libc::WEXITSTATUS(status)))
        }
        (Some(status), None) => Ok(Ended::Signalled(libc::WTERMSIG(status))),
        (_, Some((errno, _))) if report.stage() == Stage::Exec => Err(Failed::Start(errno.into())),
        (_, Some((errno, _))) => match about {
            Some(path) if is_replaced(errno) => Err(Failed::Replaced(path)),
            about => Err(Failed::Fence { part: part(report.stage()), about, error: errno.into() }),
        },
        (None, None) => Ok(Ended::Killed),
    }
}

/// Returns whether an error of the init means that another inode, or a symbolic link, lies at a path.
fn is_replaced(errno: Errno) -> bool {
    errno == REPLACED || errno == Errno(libc::ELOOP)
}

/// Returns the path that the stage was about when the init failed.
fn about(report: &Report, setup: Option<&Setup>) -> Option<PathBuf> {
    let ((_, which), setup) = (report.error()?, setup?);
    let object = match report.stage() {
        Stage::Writable => setup.writable.as_ref()?.get(which)?,
        Stage::Private => &setup.private.get(which)?.object,
        Stage::Hiding => &setup.hidden.get(which)?.object,
        Stage::Landlock => &setup.confine.landlock.get(which)?.object,
        Stage::Directory => &setup.cwd,
        _ => return None,
    };
    Some(OsStr::from_bytes(object.path.as_bytes()).into())
}

/// Returns the name of a stage for messages.
fn part(stage: Stage) -> &'static str {
    match stage {
        Stage::Begun | Stage::Running => "the run",
        Stage::Users => "the user namespace",
        Stage::Network => "the network namespace",
        Stage::Mounts => "the read-only view of the file system",
        Stage::Writable => "a writable directory",
        Stage::Private => "a private directory",
        Stage::Hiding => "the cover",
        Stage::Proc => "a /proc of its own",
        Stage::Landlock => "Landlock",
        Stage::Payload => "the process",
        Stage::Capabilities => "dropping capabilities",
        Stage::Limits => "limits",
        Stage::Directory => "the working directory",
        Stage::Filter => "the filter of system calls",
        Stage::Exec => "the command",
    }
}
