//! The log of refusals that `ringfence log` reads.
//!
//! Each refusal is one line of JSON in a file of the user's state directory; the file is rotated
//! when it gets long. No decision depends on the log or waits for it: if writing fails, that is
//! reported and work goes on. The log must never contain a secret, so every text is redacted first.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringfence_guard::Refusal;
use ringfence_guard::redact::{redact, visible};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::queue::socket_dirs;
use crate::report::RefusedAction;
use crate::time::now;

/// The names of the current file and of the previous one.
const NAMES: [&str; 2] = ["refused.jsonl", "refused.1.jsonl"];
/// The lock file for rotation.
const LOCK: &str = "refused.lock";
/// The size at which a file is rotated, in bytes; two files are kept.
const LONGEST: u64 = 512 * 1024;
/// The maximum size of an entry's text in bytes; a command line may have two megabytes.
const LONGEST_TEXT: usize = 1024;

/// The door that refused a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusingDoor {
    /// An agent's hook.
    Hook,
    /// A confined run.
    Run,
    /// The gateway in front of an MCP server.
    Mcp,
}

/// One refusal in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// When it was first refused, in seconds since 1970.
    pub when: u64,
    /// The door that refused it.
    pub at: RefusingDoor,
    /// Who wanted it: the agent, the command of the run, or the MCP server.
    pub who: String,
    /// The refused action, in words.
    pub what: String,
    /// The reason: the rule and its location, that no rule grants it, or that nobody approved it.
    pub why: String,
    /// The working directory.
    pub directory: String,
    /// How often it was refused.
    pub times: u64,
}

impl LogEntry {
    /// Returns the entry for a refusal that an agent got.
    pub fn of(refusal: &Refusal, at: RefusingDoor, who: &str, directory: &str) -> LogEntry {
        let why = refusal.rule.as_ref().unwrap_or(&refusal.ground);
        let why = match refusal.outcome_text() {
            Some(said) => format!("{why}; {said}"),
            None => why.clone(),
        };
        LogEntry {
            when: now(),
            at,
            who: who.to_owned(),
            what: refusal.action_text(),
            why,
            directory: directory.to_owned(),
            times: 1,
        }
    }

    /// Returns the entry for something that was refused in a run.
    pub fn in_run(refused: &RefusedAction, command: &str, directory: &str) -> LogEntry {
        let program = refused.program.rsplit('/').next().filter(|name| !name.is_empty());
        let by = program.map(|name| format!(" by {name}")).unwrap_or_default();
        LogEntry {
            when: refused.first,
            at: RefusingDoor::Run,
            who: command.to_owned(),
            what: format!("{}{by}", refused.what),
            why: refused.why.clone(),
            directory: directory.to_owned(),
            times: refused.times,
        }
    }

    /// Prepares the texts for writing: redacted, on one line, shortened.
    fn plain(mut self) -> LogEntry {
        for text in [&mut self.who, &mut self.what, &mut self.why, &mut self.directory] {
            *text = visible(&redact(text)).into_owned();
            if text.len() > LONGEST_TEXT {
                let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at));
                text.truncate(end.unwrap_or(0));
                text.push('…');
            }
        }
        self
    }
}

/// The log's directory.
#[derive(Debug, Clone)]
pub struct RefusalLog {
    directory: PathBuf,
}

impl RefusalLog {
    /// Returns the log below ringfence's state directory.
    pub fn new(state: &Path) -> RefusalLog {
        RefusalLog { directory: state.join("refused") }
    }

    /// Appends entries. Several processes may do so at once.
    pub fn add(&self, entries: impl IntoIterator<Item = LogEntry>) -> io::Result<()> {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_none() {
            return Ok(());
        }
        let mut file = self.open()?;
        for entry in entries {
            // Each entry is one `write` in append mode and starts on its own line. A line cut
            // short, for example by a full disk, then damages no other.
            let line = format!("\n{}\n", serde_json::to_string(&entry.plain())?);
            file.write_all(line.as_bytes())?;
        }
        if file.metadata()?.len() > LONGEST {
            self.turn_over()?;
        }
        Ok(())
    }

    /// Returns all entries, newest first.
    pub fn read(&self) -> Vec<LogEntry> {
        if socket_dirs::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let texts = NAMES.iter().filter_map(|name| text(&self.directory.join(name)).ok());
        let mut entries: Vec<LogEntry> = texts
            .flat_map(|text| {
                let lines = text.lines().rev();
                lines.filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<LogEntry>>()
            })
            .collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.when));
        entries
    }

    fn open(&self) -> io::Result<File> {
        let path = self.directory.join(NAMES[0]);
        let mut options = OpenOptions::new();
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).unwrap_or(0);
        options.append(true).create(true).mode(0o600).custom_flags(flags);
        let checked = socket_dirs::check(&self.directory, 0o077);
        match checked {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
                socket_dirs::check(&self.directory, 0o077)?;
            }
            checked => checked?,
        }
        options.open(path)
    }

    /// Rotates the files. If several processes try, one of them does it.
    fn turn_over(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let lock = options.open(self.directory.join(LOCK))?;
        if lock.try_lock().is_err() {
            return Ok(());
        }
        let [current, before] = NAMES.map(|name| self.directory.join(name));
        // Another process may have rotated the files just now.
        match fs::symlink_metadata(&current) {
            Ok(own) if own.len() > LONGEST => fs::rename(current, before),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Reads a file as text. It may exceed its limit a little while several processes write.
fn text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST.saturating_mul(4)).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
#[path = "refusal_log_tests.rs"]
mod tests;
