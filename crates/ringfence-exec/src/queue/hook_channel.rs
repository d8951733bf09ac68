//! Carries events of hooks inside a run to the run's supervisor outside.
//!
//! A hook inside the run cannot reach the queue or write a question, because nothing inside may be
//! able to answer one. It sends its event instead. The supervisor judges the event itself, words
//! the question and reports the outcome. Nothing sent here can become an answer.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::net::{RecvFlags, recv};
use serde::{Deserialize, Serialize};

use super::{id, socket_dirs};

/// The directory's name below the user's state directory, where nothing inside a run can write.
const NAME: &str = "hooks";
/// The maximum size of an event in bytes.
const LONGEST: u64 = 4 << 20;
/// The maximum size of an answer in bytes.
const LONGEST_ANSWER: u64 = 4 * 1024;
/// The time limit for sending and receiving an event.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a hook waits for the supervisor's socket to appear.
const SOON: Duration = Duration::from_millis(300);
/// The maximum number of hooks served at once; others get no answer.
const MOST: usize = 32;

/// The event that a hook sends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForwardedEvent {
    /// The agent that called the hook.
    pub agent: String,
    /// The event, as the agent sent it.
    pub event: String,
    /// Environment variables with which the agent describes the event.
    pub variables: Vec<(String, String)>,
    /// The directory in which the hook was started.
    pub directory: String,
}

/// The outcome of a question about an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum EventOutcome {
    /// A person agreed.
    Agreed,
    /// A person declined.
    Declined,
    /// Nobody answered in time.
    Unanswered {
        /// The ID under which the question stays in the queue, if it does.
        id: Option<String>,
    },
    /// Nobody could be asked.
    Unasked {
        /// The ID under which the question stays in the queue, if it does.
        id: Option<String>,
    },
}

/// Decides an event. The second argument tells whether the hook still waits.
pub type Answerer = dyn Fn(&ForwardedEvent, &dyn Fn() -> bool) -> EventOutcome + Send + Sync;

/// The socket on which a run receives events of hooks inside it. Dropping it closes the socket.
pub struct HookChannel {
    path: PathBuf,
    closed: Arc<AtomicBool>,
}

impl HookChannel {
    /// Creates the socket below the user's state directory. `tell` gets its path before the socket
    /// exists.
    pub fn open(
        state: &Path,
        answerer: Arc<Answerer>,
        tell: impl FnOnce(&Path),
    ) -> io::Result<HookChannel> {
        let place = prepare(state)?.canonicalize()?;
        let path = place.join(format!("{}.sock", id::new()?));
        tell(&path);
        let listener = UnixListener::bind(&path)?;
        let closed = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&closed);
        std::thread::Builder::new()
            .name("ringfence-hooks".to_owned())
            .spawn(move || serve(&listener, &seen, &answerer))?;
        Ok(HookChannel { path, closed })
    }

    #[cfg(test)]
    fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for HookChannel {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Release);
        // Connecting wakes the listening thread, which then ends.
        let _ = UnixStream::connect(&self.path);
        let _ = fs::remove_file(&self.path);
    }
}

/// Creates the directory for these sockets and returns it. This must happen before a run starts,
/// because a run's readable paths are fixed then.
pub fn prepare(state: &Path) -> io::Result<PathBuf> {
    let place = state.join(NAME);
    fs::create_dir_all(state)?;
    socket_dirs::prepare_in(&place)?;
    Ok(place)
}

fn serve(listener: &UnixListener, closed: &AtomicBool, answerer: &Arc<Answerer>) {
    let busy = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if closed.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if busy.fetch_add(1, Ordering::AcqRel) >= MOST {
            busy.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (counted, answerer) = (Arc::clone(&busy), Arc::clone(answerer));
        let talk = move || {
            // An error on one connection concerns only the other end.
            let _ = hear(&stream, &*answerer);
            counted.fetch_sub(1, Ordering::AcqRel);
        };
        // If no thread can be started, the other end gets no answer.
        if std::thread::Builder::new().spawn(talk).is_err() {
            busy.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn hear(stream: &UnixStream, answerer: &Answerer) -> io::Result<()> {
    let peer = socket_peercred(stream)?;
    if peer.uid != rustix::process::geteuid() {
        return Ok(());
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let handed: ForwardedEvent = read(stream, LONGEST)?;
    write(stream, &answerer(&handed, &|| waits(stream)))
}

/// Returns whether the other end still waits. The other end sends nothing more, so a readable
/// socket means that it was closed.
fn waits(stream: &UnixStream) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    let read = recv(stream, &mut [0_u8; 1][..], flags);
    !matches!(read, Ok((_, 0)) | Err(Errno::CONNRESET | Errno::PIPE))
}

/// Sends an event to the supervisor. Returns `None` if no supervisor listens or answers in time.
pub fn hand_over(state: &Path, handed: &ForwardedEvent, wait: Duration) -> Option<EventOutcome> {
    let ask = |socket: PathBuf| -> io::Result<EventOutcome> {
        let stream = UnixStream::connect(socket)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_read_timeout(Some(wait.max(PATIENCE)))?;
        write(&stream, handed)?;
        read(&stream, LONGEST_ANSWER)
    };
    // The exec gate lets a run connect to its own socket only.
    soon(state).into_iter().find_map(|socket| ask(socket).ok())
}

/// Returns whether this process may be inside a run that accepts events.
pub fn is_there(state: &Path) -> bool {
    !soon(state).is_empty()
}

/// Returns the sockets, waiting a moment for the first one: a run that has just started may still
/// be creating it.
fn soon(state: &Path) -> Vec<PathBuf> {
    let begun = Instant::now();
    loop {
        let found = sockets(state);
        if !found.is_empty() || begun.elapsed() > SOON {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn sockets(state: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(state.join(NAME)).into_iter().flatten().flatten();
    let sockets = entries.map(|entry| entry.path());
    sockets.filter(|path| path.extension().is_some_and(|ending| ending == "sock")).collect()
}

fn read<T: serde::de::DeserializeOwned>(stream: &UnixStream, longest: u64) -> io::Result<T> {
    let mut line = Vec::new();
    BufReader::new(stream.take(longest)).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "incomplete line"));
    }
    serde_json::from_slice(&line).map_err(io::Error::from)
}

fn write<T: Serialize>(mut stream: &UnixStream, said: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    stream.write_all(&line)
}

#[cfg(test)]
#[path = "hook_channel_tests.rs"]
mod tests;
