//! What `init` wrote, with a copy of what was there: the way back.
//!
//! Each file has a number. Beside the list lie `NUMBER.before` and `NUMBER.after`, byte by byte.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Site;
use crate::exit::Failure;
use crate::file::Found;

/// What a file that `init` wrote is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The settings of this agent.
    Hook(String),
    /// A policy; that of a project with its root.
    Policy,
}

/// A file that `init` wrote.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    number: u64,
    pub(crate) path: PathBuf,
    pub(crate) purpose: Purpose,
    /// Whether there was a file before.
    was_there: bool,
    /// Directories that were made for it, the innermost first.
    pub(crate) directories: Vec<PathBuf>,
}

/// The list of what `init` wrote.
pub(crate) struct Ledger {
    directory: PathBuf,
    home: PathBuf,
    pub(crate) entries: Vec<Entry>,
}

impl Ledger {
    /// Reads the list; an error where it cannot be relied on.
    pub(crate) fn read(site: &Site) -> Result<Ledger, Failure> {
        let directory = site.state().join("installed");
        let mut ledger = Ledger { directory, home: site.home.clone(), entries: Vec::new() };
        let found = ledger.file("files.json")?;
        let Some(text) = found.text()? else { return Ok(ledger) };
        let broken = || Failure::new(format!("{} cannot be read", found.path.display()));
        let all: Value = serde_json::from_str(text).map_err(|_| broken())?;
        let all = all.get("files").and_then(Value::as_array).ok_or_else(broken)?;
        ledger.entries = all.iter().map(entry).collect::<Option<_>>().ok_or_else(broken)?;
        Ok(ledger)
    }

    /// Keeps what is there and what will be, before it is written.
    pub(crate) fn keep(
        &mut self,
        found: &Found,
        before: Option<&[u8]>,
        after: &[u8],
        purpose: Purpose,
    ) -> Result<(), Failure> {
        let known = self.entries.iter().find(|own| own.path == found.path).cloned();
        let next =
            self.entries.iter().map(|own| own.number).max().map_or(1, |own| own.saturating_add(1));
        let mut entry = known.unwrap_or_else(|| Entry {
            number: next,
            path: found.path.clone(),
            purpose,
            was_there: before.is_some(),
            directories: found.missing_directories(),
        });
        // What init wrote before and nobody changed since has its way back already.
        let is_ours =
            found.before.is_some() && self.after(&entry)?.as_ref() == found.before.as_ref();
        if !is_ours {
            entry.was_there = before.is_some();
            self.put(&format!("{}.before", entry.number), before.unwrap_or_default())?;
        }
        self.put(&format!("{}.after", entry.number), after)?;
        self.entries.retain(|own| own.path != entry.path);
        self.entries.push(entry);
        self.write()
    }

    /// What was there before; none where nothing was.
    pub(crate) fn before(&self, entry: &Entry) -> Result<Option<Vec<u8>>, Failure> {
        if !entry.was_there {
            return Ok(None);
        }
        let copy = self.file(&format!("{}.before", entry.number))?;
        let lost = || Failure::new(format!("the copy of {} is gone", entry.path.display()));
        copy.before.ok_or_else(lost).map(Some)
    }

    /// What was written.
    pub(crate) fn after(&self, entry: &Entry) -> Result<Option<Vec<u8>>, Failure> {
        Ok(self.file(&format!("{}.after", entry.number))?.before)
    }

    /// Strikes a file off the list, with its copies.
    pub(crate) fn strike(&mut self, entry: &Entry) -> Result<(), Failure> {
        self.entries.retain(|own| own.number != entry.number);
        self.write()?;
        for ending in ["before", "after"] {
            let copy = self.file(&format!("{}.{ending}", entry.number))?;
            if copy.before.is_some() {
                copy.remove()?;
            }
        }
        if self.entries.is_empty() {
            self.file("files.json")?.remove()?;
            let _ = std::fs::remove_dir(&self.directory);
        }
        Ok(())
    }

    fn write(&self) -> Result<(), Failure> {
        let files: Vec<Value> = self.entries.iter().map(as_json).collect();
        let text = serde_json::to_string_pretty(&json!({ "files": files }));
        let text = text.map_err(|error| error.to_string())?;
        self.put("files.json", text.as_bytes())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        self.file(name)?.replace(bytes, 0o600, |_| Ok(()))
    }

    fn file(&self, name: &str) -> Result<Found, Failure> {
        Found::look(&self.directory.join(name), &self.home)
    }
}

fn as_json(entry: &Entry) -> Value {
    let agent = match &entry.purpose {
        Purpose::Hook(agent) => Some(agent.as_str()),
        Purpose::Policy => None,
    };
    json!({
        "number": entry.number, "path": entry.path, "agent": agent,
        "was_there": entry.was_there, "directories": entry.directories,
    })
}

fn entry(value: &Value) -> Option<Entry> {
    let path = |value: &Value| value.as_str().map(PathBuf::from).filter(|own| own.is_absolute());
    let purpose = match value.get("agent")? {
        Value::Null => Purpose::Policy,
        agent => Purpose::Hook(agent.as_str()?.to_owned()),
    };
    Some(Entry {
        number: value.get("number")?.as_u64()?,
        path: path(value.get("path")?)?,
        purpose,
        was_there: value.get("was_there")?.as_bool()?,
        directories: value
            .get("directories")?
            .as_array()?
            .iter()
            .map(path)
            .collect::<Option<_>>()?,
    })
}

/// Takes directories away that were made for a file, as long as they are empty.
pub(crate) fn remove_empty(directories: &[PathBuf]) {
    let gone = |own: &&PathBuf| std::fs::remove_dir(own as &Path).is_ok();
    directories.iter().take_while(gone).for_each(drop);
}
