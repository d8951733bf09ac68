//! Serves the control socket of a session, with one thread for each client.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ringfence_core::bytes::ByteReader;
use ringfence_sandbox::session::{
    Entrant, EntrantEvent, Entry, check_peer, check_streams, receive_frame,
};
use ringfence_sandbox::{Ended, Failed, Streams};

use rustix::process::Pid;

use super::entries::EnteredBy;
use super::message::{How, Reply, Request, hear, say};
use super::shared::{Admission, Shared, State, Visit};

/// The time limit for a client's request.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of clients at one time.
const MOST: usize = 256;

/// Accepts clients until the session is over.
pub(super) fn serve(listener: &UnixListener, shared: &Arc<Shared>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if shared.life().state == State::Over {
            return;
        }
        let Ok(stream) = stream else {
            // Nothing can be accepted now, for want of descriptors perhaps.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if open.load(Ordering::Acquire) >= MOST {
            let _ = refuse(&stream, "too many commands run in this session");
            continue;
        }
        let (shared, counted) = (Arc::clone(shared), Counted::one(&open));
        let body = move || {
            let _counted = counted;
            // A broken conversation is the other end's loss.
            let _ = talk(&stream, &shared);
        };
        let _ = std::thread::Builder::new().name("ringfence-entry".to_owned()).spawn(body);
    }
}

/// Counts a connected client until it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn one(open: &Arc<AtomicUsize>) -> Counted {
        open.fetch_add(1, Ordering::AcqRel);
        Counted(Arc::clone(open))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn refuse(stream: &UnixStream, reason: &str) -> io::Result<()> {
    say(stream, &Reply::Refused { reason: reason.to_owned() })
}

/// Answers one client.
fn talk(stream: &UnixStream, shared: &Shared) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    if let Err(reason) = check_peer(stream) {
        return refuse(stream, reason);
    }
    match hear(stream) {
        Ok(None) => Ok(()),
        Ok(Some(Request::Hello { binding })) => match shared.admit(&binding) {
            Admission::Refused(reason) => refuse(stream, &reason),
            Admission::Renewed(processes) => {
                say(stream, &Reply::Renewed { processes })?;
                stay()
            }
            Admission::Welcome(visit) => {
                say(stream, &Reply::Welcome { most: shared.limits.output })?;
                enter(stream, shared, visit)
            }
        },
        Ok(Some(Request::Show)) => say(stream, &Reply::Info { info: Box::new(shared.info()) }),
        Ok(Some(Request::End)) => {
            let processes = shared.end(None);
            say(stream, &Reply::Ending { processes })?;
            stay()
        }
        _ => refuse(stream, "it cannot be understood"),
    }
}

/// Keeps a connection open until this process ends. The client then knows that the session has ended.
fn stay() -> ! {
    loop {
        std::thread::park();
    }
}

/// Starts a client's command in the session, and serves it until it has ended.
fn enter(stream: &UnixStream, shared: &Shared, mut visit: Visit<'_>) -> io::Result<()> {
    let Some(Request::Enter { by }) = hear(stream)? else {
        return refuse(stream, "it cannot be understood");
    };
    let Some((bytes, mut fds)) = receive_frame(stream)? else { return Ok(()) };
    // Only the shell of a hook's line says where it ended.
    let last_directory = (by == EnteredBy::Hook && fds.len() == 4).then(|| fds.pop()).flatten();
    let (Some(entry), Ok(streams), true) = (
        Entry::unpack(&mut ByteReader::new(&bytes)),
        <[OwnedFd; 3]>::try_from(fds),
        last_directory.as_ref().is_none_or(is_pipe),
    ) else {
        return refuse(stream, "it cannot be understood");
    };
    let mark = shared.entries.mark();
    let ended = match given(streams) {
        Ok(streams) => {
            let mut conversation =
                Conversation { stream, shared, visit: &mut visit, by, terminal: None };
            conversation.run(entry, streams, last_directory)?
        }
        Err(failed) => Some(Err(failed)),
    };
    // Nobody is told where the client has gone.
    let Some(ended) = ended else { return Ok(()) };
    drop(visit);
    let report = Box::new(shared.entries.since(&mark));
    say(stream, &Reply::Ended { how: How::of(&ended), report })
}

/// Returns whether a descriptor is a pipe: nothing can be reached by one.
fn is_pipe(fd: &OwnedFd) -> bool {
    let about = rustix::fs::fstat(fd);
    about.is_ok_and(|own| rustix::fs::FileType::from_raw_mode(own.st_mode).is_fifo())
}

/// Checks the streams of a command as for `ringfence run`.
fn given([stdin, stdout, stderr]: [OwnedFd; 3]) -> Result<[OwnedFd; 3], Failed> {
    let streams = Streams { stdin: Some(stdin), stdout: Some(stdout), stderr: Some(stderr) };
    check_streams(&streams)?;
    let Streams { stdin, stdout, stderr } = streams;
    let all = [stdin, stdout, stderr].map(|own| own.ok_or(io::ErrorKind::NotFound));
    match all {
        [Ok(stdin), Ok(stdout), Ok(stderr)] => Ok([stdin, stdout, stderr]),
        _ => Err(Failed::Start(io::ErrorKind::NotFound.into())),
    }
}

/// A client whose command is inside.
struct Conversation<'a, 'v> {
    stream: &'a UnixStream,
    shared: &'a Shared,
    visit: &'a mut Visit<'v>,
    by: EnteredBy,
    /// The command's terminal, until [`SessionEntries`] takes it over.
    terminal: Option<OwnedFd>,
}

/// Returns the result of a command that has ended; `None` if its client has disconnected.
type Outcome = Option<Result<Ended, Failed>>;

impl Conversation<'_, '_> {
    fn run(
        &mut self,
        mut entry: Entry,
        streams: [OwnedFd; 3],
        last_directory: Option<OwnedFd>,
    ) -> io::Result<Outcome> {
        entry.variables = self.variables(&entry);
        let terminal = entry.terminal.stream().and_then(|own| streams.get(usize::from(own)));
        self.terminal = terminal.map(OwnedFd::try_clone).transpose()?;
        let entrant = self.shared.entrance.enter_with(&entry, streams, last_directory.as_ref())?;
        drop(last_directory);
        self.stream.set_read_timeout(None)?;
        let limit = self.shared.limits.seconds.map(Duration::from_secs);
        let mut end = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut is_late = false;
        loop {
            let [inside, outside] = entrant.wait_beside(self.stream.as_fd(), end)?;
            if inside {
                match entrant.next()? {
                    EntrantEvent::Ready(pid) => self.let_begin(&entrant, &entry, pid)?,
                    EntrantEvent::Stopped(signal) => say(self.stream, &Reply::Stopped { signal })?,
                    EntrantEvent::Ended(_) if is_late => return Ok(Some(Ok(Ended::TimedOut))),
                    EntrantEvent::Ended(ended) => return Ok(Some(ended)),
                }
            } else if outside {
                // A client that has gone takes its command's process group with it: the entrant is
                // dropped.
                match hear(self.stream) {
                    Ok(Some(Request::Signal { signal })) => entrant.signal(signal)?,
                    Ok(Some(Request::Foreground)) => entrant.foreground()?,
                    _ => return Ok(None),
                }
            } else if end.is_some_and(|end| end <= Instant::now()) {
                (end, is_late) = (None, true);
                entrant.signal(KILL)?;
            }
        }
    }

    /// Announces the command's PID to the exec gate, and lets the command execute its program.
    fn let_begin(&mut self, entrant: &Entrant, entry: &Entry, pid: i32) -> io::Result<()> {
        self.shared.entries.expect(pid, self.by);
        let words: Vec<_> = entry.argv.iter().map(|word| word.to_string_lossy()).collect();
        self.visit.entered(pid, words.join(" "));
        if let Some(terminal) = self.terminal.take() {
            // Its keeper leads its session.
            let leader = rustix::process::getsid(Pid::from_raw(pid))?;
            self.visit.has_terminal(leader.as_raw_nonzero().get(), terminal);
        }
        entrant.go()
    }

    /// Returns those environment variables of the client that the policy lets the command have.
    fn variables(&self, entry: &Entry) -> Vec<std::ffi::OsString> {
        let split = |own: &std::ffi::OsString| {
            let (name, value) = own.to_str()?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        };
        let given: Vec<(String, String)> = entry.variables.iter().filter_map(split).collect();
        let Shared { plan, guard, scope, .. } = self.shared;
        let chosen = plan.variables_of(&guard.policy(), scope, &given);
        chosen.into_iter().map(|(name, value)| format!("{name}={value}").into()).collect()
    }
}

/// SIGKILL, which no process can block.
const KILL: u8 = 9;
