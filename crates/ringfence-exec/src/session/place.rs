//! Where sessions have their control sockets: a directory of the user's state that no fence reaches.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::queue::socket_dirs::check;

/// The directory below the user's state.
const NAME: &str = "session";
/// The longest name of a session.
const LONGEST_NAME: usize = 64;
/// The ending of a control socket.
const SOCKET: &str = "sock";
/// The time limit for another client to start a session of the same name.
const PATIENCE: Duration = Duration::from_secs(60);

/// The name of a session: letters, digits, `.`, `_` and `-`, not beginning with `.` or `-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionName(String);

impl SessionName {
    /// Returns the text as a session's name, if it is a valid one.
    pub fn new(name: &str) -> Option<SessionName> {
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
        let begins_well = !name.is_empty() && !name.starts_with(['.', '-']);
        let is_name = begins_well && name.len() <= LONGEST_NAME && name.chars().all(is_plain);
        is_name.then(|| SessionName(name.to_owned()))
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The directory of a user's control sockets.
#[derive(Debug)]
pub struct SessionPlace {
    path: PathBuf,
    /// Sockets are reached by this: the path of one may be longer than an address can be.
    directory: File,
}

/// A lock: while it exists, no other client can start a session of the same name.
#[derive(Debug)]
pub struct SessionLock(#[expect(dead_code, reason = "closing it lets the next one in")] File);

impl SessionPlace {
    /// Opens the directory in a user's state directory, and creates it where it is missing. An error where
    /// others can reach it.
    pub fn open(state: &Path) -> io::Result<SessionPlace> {
        let path = state.join(NAME);
        DirBuilder::new().mode(0o700).recursive(true).create(&path)?;
        check(&path, 0o077)?;
        let directory = File::open(&path)?;
        Ok(SessionPlace { path, directory })
    }

    /// Waits until no other client begins a session of this name.
    pub fn lock(&self, name: &SessionName) -> io::Result<SessionLock> {
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.path.join(format!("{}.lock", name.as_str())))?;
        let end = Instant::now().checked_add(PATIENCE);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(SessionLock(file)),
                Err(fs::TryLockError::Error(error)) => return Err(error),
                Err(fs::TryLockError::WouldBlock) => {}
            }
            if end.is_some_and(|end| end <= Instant::now()) {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Connects to a session; `None` if there is none of this name.
    pub(super) fn connect(&self, name: &SessionName) -> io::Result<Option<UnixStream>> {
        match UnixStream::connect(self.near(name)) {
            Ok(stream) => Ok(Some(stream)),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// Listens for a session. A socket that a killed supervisor left behind is replaced; the caller's
    /// client has the lock.
    pub(super) fn listen(&self, name: &SessionName) -> io::Result<UnixListener> {
        if self.connect(name)?.is_some() {
            return Err(io::ErrorKind::AddrInUse.into());
        }
        self.remove(name);
        UnixListener::bind(self.near(name))
    }

    /// Removes a socket, so that the next client makes a new session.
    pub(super) fn remove(&self, name: &SessionName) {
        let _ = fs::remove_file(self.socket(name));
    }

    /// Lists the names under which somebody may listen.
    pub(super) fn names(&self) -> io::Result<Vec<SessionName>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            let is_socket = path.extension().is_some_and(|ending| ending == SOCKET);
            let name = path.file_stem().and_then(|name| name.to_str()).and_then(SessionName::new);
            names.extend(name.filter(|_| is_socket));
        }
        names.sort();
        Ok(names)
    }

    /// Keeps the last words of a session that ends by itself, for the next client of that name.
    pub(super) fn leave_word(&self, name: &SessionName, word: &str) {
        let _ = fs::write(self.word(name), word);
    }

    /// Takes the last words of the session that had this name before.
    pub fn take_word(&self, name: &SessionName) -> Option<String> {
        let path = self.word(name);
        let word = fs::read_to_string(&path).ok()?;
        let _ = fs::remove_file(path);
        Some(word)
    }

    fn word(&self, name: &SessionName) -> PathBuf {
        self.path.join(format!("{}.ended", name.as_str()))
    }

    fn socket(&self, name: &SessionName) -> PathBuf {
        self.path.join(format!("{}.{SOCKET}", name.as_str()))
    }

    /// The same socket by a short path.
    fn near(&self, name: &SessionName) -> PathBuf {
        let number = self.directory.as_raw_fd();
        PathBuf::from(format!("/proc/self/fd/{number}/{}.{SOCKET}", name.as_str()))
    }
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
