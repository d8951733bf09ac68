//! The way of a hook inside a run to the run outside.
//!
//! A hook inside cannot reach the queue, nor write down a question: whoever is inside must not be
//! able to answer. It hands over its event instead. The run outside judges that itself, asks in its
//! own words, and says what came of it. So nothing that is said here can become an answer, and a
//! question is never worded by whoever is inside.

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

use super::{id, place};

/// Below the user's state, where nothing inside a run writes.
const NAME: &str = "hooks";
/// The longest event that is handed over, in bytes.
const LONGEST: u64 = 4 << 20;
/// The longest answer.
const LONGEST_ANSWER: u64 = 4 * 1024;
/// How long the other end may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a hook waits for a run to listen.
const SOON: Duration = Duration::from_millis(300);
/// The most hooks that are listened to at one time; one more has to do without.
const MOST: usize = 32;

/// What a hook hands over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handed {
    /// The agent whose hook it is.
    pub agent: String,
    /// The event, as the agent sent it.
    pub event: String,
    /// The variables by which the agent says more about it.
    pub variables: Vec<(String, String)>,
    /// The directory in which the hook was started.
    pub directory: String,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Outcome {
    /// A person agreed.
    Agreed,
    /// A person said no.
    Declined,
    /// Nobody answered; where the question still waits, under this name.
    Unanswered {
        /// The name.
        id: Option<String>,
    },
}

/// Says what comes of an event. It is told how to see whether the hook still waits.
pub type Answerer = dyn Fn(&Handed, &dyn Fn() -> bool) -> Outcome + Send + Sync;

/// A socket at which a run takes the events of hooks inside, gone when this is dropped.
pub struct Channel {
    path: PathBuf,
    closed: Arc<AtomicBool>,
}

impl Channel {
    /// Listens below the user's state, at a path that is told before anybody can find it.
    pub fn open(
        state: &Path,
        answerer: Arc<Answerer>,
        tell: impl FnOnce(&Path),
    ) -> io::Result<Channel> {
        let place = prepare(state)?.canonicalize()?;
        let path = place.join(format!("{}.sock", id::new()?));
        tell(&path);
        let listener = UnixListener::bind(&path)?;
        let closed = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&closed);
        std::thread::Builder::new()
            .name("ringfence-hooks".to_owned())
            .spawn(move || serve(&listener, &seen, &answerer))?;
        Ok(Channel { path, closed })
    }

    #[cfg(test)]
    fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Release);
        // Whoever listens wakes up, sees that it is over, and ends.
        let _ = UnixStream::connect(&self.path);
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes the directory below the user's state in which runs listen to hooks, and says which it is. What
/// a run may read is bound to what is there when it begins.
pub fn prepare(state: &Path) -> io::Result<PathBuf> {
    let place = state.join(NAME);
    fs::create_dir_all(state)?;
    place::prepare_in(&place)?;
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
            // A broken conversation is the other end's loss.
            let _ = hear(&stream, &*answerer);
            counted.fetch_sub(1, Ordering::AcqRel);
        };
        // Where the run has used up what its user may start, the other end is told nothing.
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
    let handed: Handed = read(stream, LONGEST)?;
    write(stream, &answerer(&handed, &|| waits(stream)))
}

/// Whether the other end still waits. It has said all that it has to say: what can be read is its end.
fn waits(stream: &UnixStream) -> bool {
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    let read = recv(stream, &mut [0_u8; 1][..], flags);
    !matches!(read, Ok((_, 0)) | Err(Errno::CONNRESET | Errno::PIPE))
}

/// Hands an event to the run outside; none where there is no way, or nobody answers in time.
pub fn hand_over(state: &Path, handed: &Handed, wait: Duration) -> Option<Outcome> {
    let ask = |socket: PathBuf| -> io::Result<Outcome> {
        let stream = UnixStream::connect(socket)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_read_timeout(Some(wait.max(PATIENCE)))?;
        write(&stream, handed)?;
        read(&stream, LONGEST_ANSWER)
    };
    // The gate lets a run use its own one alone.
    soon(state).into_iter().find_map(|socket| ask(socket).ok())
}

/// Whether this may be inside a run that takes events.
pub fn is_there(state: &Path) -> bool {
    !soon(state).is_empty()
}

/// The sockets, once there is one: a run that has just begun may still be making its own.
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
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no whole line"));
    }
    serde_json::from_slice(&line).map_err(io::Error::from)
}

fn write<T: Serialize>(mut stream: &UnixStream, said: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    stream.write_all(&line)
}

#[cfg(test)]
#[path = "channel_tests.rs"]
mod tests;
