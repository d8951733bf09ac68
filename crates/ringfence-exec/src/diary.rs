//! What was refused, written down for the user: `ringfence log` reads it.
//!
//! One line of JSON for each refusal, in a file of the user's own state that is added to and turned
//! over when it is long. Nothing is decided by it, and a decision never waits for it: whoever cannot
//! write says so, and goes on. It must never hold a secret: what is written here was redacted.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringfence_guard::Refusal;
use ringfence_guard::redact::{redact, visible};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::queue::place;
use crate::report::Refused;
use crate::time::now;

/// The name of the file that is added to, and of the one before it.
const NAMES: [&str; 2] = ["refused.jsonl", "refused.1.jsonl"];
/// Held while one file takes the place of the other.
const LOCK: &str = "refused.lock";
/// Beyond so many bytes a file is turned over; two of them are kept.
const LONGEST: u64 = 512 * 1024;
/// The longest text of an entry, in bytes; a command line may be two megabytes.
const LONGEST_TEXT: usize = 1024;

/// The door at which something was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    /// An agent's hook.
    Hook,
    /// A run.
    Run,
    /// The gateway in front of an MCP server.
    Mcp,
}

/// Something that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// When it was first refused, in seconds since 1970.
    pub when: u64,
    /// At which door.
    pub at: At,
    /// Who wanted it: the agent, the command of the run, the server.
    pub who: String,
    /// What would have been done, in words.
    pub what: String,
    /// Why not: the rule and its place, or that nothing grants it, or that nobody agreed.
    pub why: String,
    /// In which directory.
    pub directory: String,
    /// How often.
    pub times: u64,
}

impl Entry {
    /// A refusal that an agent was given.
    pub fn of(refusal: &Refusal, at: At, who: &str, directory: &str) -> Entry {
        let why = refusal.rule.as_ref().unwrap_or(&refusal.ground);
        let why = match refusal.said() {
            Some(said) => format!("{why}; {said}"),
            None => why.clone(),
        };
        Entry {
            when: now(),
            at,
            who: who.to_owned(),
            what: refusal.deed(),
            why,
            directory: directory.to_owned(),
            times: 1,
        }
    }

    /// Something that was refused in a run.
    pub fn in_run(refused: &Refused, command: &str, directory: &str) -> Entry {
        let program = refused.program.rsplit('/').next().filter(|name| !name.is_empty());
        let by = program.map(|name| format!(" by {name}")).unwrap_or_default();
        Entry {
            when: refused.first,
            at: At::Run,
            who: command.to_owned(),
            what: format!("{}{by}", refused.what),
            why: refused.why.clone(),
            directory: directory.to_owned(),
            times: refused.times,
        }
    }

    /// The same as it is written: without secrets, on one line, not too long.
    fn plain(mut self) -> Entry {
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

/// Where refusals are written down.
#[derive(Debug, Clone)]
pub struct Diary {
    directory: PathBuf,
}

impl Diary {
    /// The diary of a user with this directory of ringfence's own records.
    pub fn new(state: &Path) -> Diary {
        Diary { directory: state.join("refused") }
    }

    /// Adds entries. Several processes may do so at one time.
    pub fn add(&self, entries: impl IntoIterator<Item = Entry>) -> io::Result<()> {
        let mut entries = entries.into_iter().peekable();
        if entries.peek().is_none() {
            return Ok(());
        }
        let mut file = self.open()?;
        for entry in entries {
            // One write, at whatever is the end then. It begins on a line of its own, so that one
            // that was cut short, by a full disk perhaps, spoils itself alone.
            let line = format!("\n{}\n", serde_json::to_string(&entry.plain())?);
            file.write_all(line.as_bytes())?;
        }
        if file.metadata()?.len() > LONGEST {
            self.turn_over()?;
        }
        Ok(())
    }

    /// Everything that is still written down, the newest first.
    pub fn read(&self) -> Vec<Entry> {
        if place::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let texts = NAMES.iter().filter_map(|name| text(&self.directory.join(name)).ok());
        let mut entries: Vec<Entry> = texts
            .flat_map(|text| {
                let lines = text.lines().rev();
                lines.filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<Entry>>()
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
        let checked = place::check(&self.directory, 0o077);
        match checked {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
                place::check(&self.directory, 0o077)?;
            }
            checked => checked?,
        }
        options.open(path)
    }

    /// Begins a new file. Of several that see that it is time, one does it.
    fn turn_over(&self) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let lock = options.open(self.directory.join(LOCK))?;
        if lock.try_lock().is_err() {
            return Ok(());
        }
        let [current, before] = NAMES.map(|name| self.directory.join(name));
        // Somebody else may have done it just now, and nobody written since.
        match fs::symlink_metadata(&current) {
            Ok(own) if own.len() > LONGEST => fs::rename(current, before),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// What a file says, as far as it is text; it grows a little beyond its length while several write.
fn text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LONGEST.saturating_mul(4)).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
#[path = "diary_tests.rs"]
mod tests;
