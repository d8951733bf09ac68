//! Tickets: shell lines that a hook has rewritten, kept as data until the agent's shell redeems them.
//!
//! A ticket is a file in the user's own state directory, which no fence reaches. The rewritten line
//! names the ticket and contains no part of the text but a label of harmless characters. A ticket is
//! claimed once, by a process below the agent that it was issued to, before its end. This module never
//! judges: whoever redeems a ticket asks the guard again.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, fstat, openat, renameat_with, unlinkat,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::process_line::{AgentProcess, is_below};
use crate::time::now;

/// The directory below the user's state.
const NAME: &str = "tickets";
/// For how many seconds a ticket can be redeemed. An agent may ask a person in between.
pub const LIFETIME: u64 = 15 * 60;
/// The largest ticket that is read, in bytes.
const LARGEST: u64 = 40 << 20;
/// The longest label, in bytes.
pub const LONGEST_LABEL: usize = 80;
/// How many digits a ticket's ID has.
const ID_LENGTH: usize = 32;

/// A shell line that a hook has rewritten, with all that redeeming it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ticket {
    /// The text that the shell is to run.
    pub line: String,
    /// The SHA-256 of the text.
    pub hash: String,
    /// The agent's name.
    pub agent: String,
    /// The name of the tool, and its arguments as they were judged.
    pub tool: (String, serde_json::Value),
    /// The working directory that the event named.
    pub cwd: Option<String>,
    /// The project that the event named.
    pub project: String,
    /// The policy files that were named to the hook.
    pub policies: Vec<PathBuf>,
    /// The fingerprint of the documents by which the line was judged.
    pub revision: String,
    /// The name of the session whose fence the line enters.
    pub session: String,
    /// The process of the agent.
    pub owner: AgentProcess,
    /// When the ticket expires, in seconds since 1970.
    pub ends: u64,
}

/// The name of a ticket: random digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TicketId(String);

/// Why a ticket cannot be redeemed.
#[derive(Debug)]
pub enum TicketError {
    /// There is no such ticket, or it was redeemed before.
    Gone,
    /// It has expired.
    Expired,
    /// It was issued to another process, or its text is not the one that was judged.
    Foreign(&'static str),
    /// The directory or the file cannot be used.
    Broken(io::Error),
}

impl fmt::Display for TicketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TicketError::Gone => f.write_str("this call has run already, or was never allowed"),
            TicketError::Expired => f.write_str("this call was allowed too long ago"),
            TicketError::Foreign(reason) => f.write_str(reason),
            TicketError::Broken(error) => write!(f, "the ticket cannot be read: {error}"),
        }
    }
}

impl std::error::Error for TicketError {}

impl From<io::Error> for TicketError {
    fn from(error: io::Error) -> TicketError {
        TicketError::Broken(error)
    }
}

impl TicketId {
    /// Reads an ID; `None` if the text is none.
    pub fn new(text: &str) -> Option<TicketId> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_id = text.len() == ID_LENGTH && text.bytes().all(is_digit);
        is_id.then(|| TicketId(text.to_owned()))
    }

    fn random() -> io::Result<TicketId> {
        let mut bytes = [0_u8; ID_LENGTH / 2];
        File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(TicketId(hex(&bytes)))
    }

    /// Returns the ID as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the SHA-256 of a text, in hexadecimal digits.
pub fn hash_of(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a text of harmless characters by which people recognise a line: letters, digits, blanks and
/// `._/=-`, in one line. It never begins with `-`, and no shell finds anything special in it.
pub fn label_of(line: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/=-".contains(c);
    let words = line.split(|c| !plain(c)).filter(|word| !word.is_empty());
    let mut label = String::new();
    for word in words {
        let word = if label.is_empty() { word.trim_start_matches('-') } else { word };
        let blank = usize::from(!label.is_empty());
        let room = LONGEST_LABEL.saturating_sub(label.len()).saturating_sub(blank);
        // Every character has one byte.
        let part: String = word.chars().take(room).collect();
        if part.is_empty() {
            continue;
        }
        if blank == 1 {
            label.push(' ');
        }
        label.push_str(&part);
    }
    if label.is_empty() { "command".to_owned() } else { label }
}

/// The directory of a user's tickets.
#[derive(Debug)]
pub struct TicketStore(OwnedFd);

impl TicketStore {
    /// Opens the directory in a user's state directory, and creates it if it is missing. Returns an
    /// error if others can reach it, or if it is a link.
    pub fn open(state: &Path) -> io::Result<TicketStore> {
        let path = state.join(NAME);
        std::fs::DirBuilder::new().mode(0o700).recursive(true).create(state)?;
        match std::fs::DirBuilder::new().mode(0o700).create(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(&path, flags, Mode::empty())?;
        // What is open is checked, not the path.
        let about = fstat(&directory)?;
        let user = rustix::process::geteuid().as_raw();
        if about.st_uid != user || about.st_mode & 0o077 != 0 {
            let reason = format!("{} is not the user's own directory", path.display());
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        Ok(TicketStore(directory))
    }

    /// Issues a ticket. Expired tickets are removed.
    pub fn issue(&self, ticket: &Ticket) -> io::Result<TicketId> {
        self.sweep();
        let id = TicketId::random()?;
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = openat(&self.0, id.as_str(), flags | OFlags::CLOEXEC, mode)?;
        let mut file = File::from(file);
        // What was written is there under its name or not at all: a full disk leaves no half ticket.
        let written = file.write_all(&serde_json::to_vec(ticket)?);
        if written.is_err() {
            let _ = unlinkat(&self.0, id.as_str(), AtFlags::empty());
        }
        written.map(|()| id)
    }

    /// Takes a ticket, once: of several that try, one gets it. `process` is the PID of the one that
    /// redeems it; the agent that the ticket was issued to must be among its ancestors.
    pub fn claim(&self, id: &TicketId, process: u32) -> Result<Ticket, TicketError> {
        let claimed = format!("{}.{process}", id.as_str());
        let renamed =
            renameat_with(&self.0, id.as_str(), &self.0, &claimed, RenameFlags::NOREPLACE);
        renamed.map_err(|errno| match errno {
            rustix::io::Errno::NOENT => TicketError::Gone,
            other => TicketError::Broken(other.into()),
        })?;
        let read = self.read(&claimed);
        let _ = unlinkat(&self.0, &claimed, AtFlags::empty());
        let ticket = read?;
        if ticket.ends < now() || ticket.ends > now().saturating_add(LIFETIME) {
            return Err(TicketError::Expired);
        }
        if hash_of(&ticket.line) != ticket.hash {
            return Err(TicketError::Foreign("the text is not the one that was judged"));
        }
        if !is_below(process, &ticket.owner) {
            return Err(TicketError::Foreign("this call was allowed to another process"));
        }
        Ok(ticket)
    }

    fn read(&self, name: &str) -> io::Result<Ticket> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::empty())?;
        let about = fstat(&file)?;
        let user = rustix::process::geteuid().as_raw();
        let is_own = FileType::from_raw_mode(about.st_mode).is_file()
            && about.st_uid == user
            && about.st_nlink == 1
            && about.st_mode & 0o077 == 0;
        if !is_own {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "no file of the user's own",
            ));
        }
        let mut bytes = Vec::new();
        File::from(file).take(LARGEST).read_to_end(&mut bytes)?;
        serde_json::from_slice(&bytes).map_err(io::Error::from)
    }

    /// Removes what is older than a ticket can be.
    fn sweep(&self) {
        let Ok(entries) = rustix::fs::Dir::read_from(&self.0) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let about = rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW);
            let changed = about.ok().and_then(|own| u64::try_from(own.st_mtime).ok());
            if changed.is_none_or(|changed| changed.saturating_add(LIFETIME) < now()) {
                let _ = unlinkat(&self.0, name, AtFlags::empty());
            }
        }
    }
}

#[cfg(test)]
#[path = "tickets_tests.rs"]
mod tests;
