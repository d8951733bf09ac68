//! Approvals that a person gives in advance.
//!
//! A preapproval answers questions that its pattern covers: only the next one, or all of one session. Preapprovals are files in the user's state directory, next to the questions.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringfence_core::inclusion;
use ringfence_core::pattern::Pattern;
use serde::{Deserialize, Serialize};

use super::persistent_questions::{KEPT, MOST, SESSION};
use super::wire::WireAnswer;
use super::{id, socket_dirs};
use crate::ask::ApprovalAnswer;
use crate::time::now;

/// The directory of preapprovals.
#[derive(Debug, Clone)]
pub struct Preapprovals {
    directory: PathBuf,
}

/// An approval given in advance.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preapproval {
    id: String,
    /// The pattern that it covers.
    pub pattern: String,
    answer: WireAnswer,
    /// The directory below which it applies, or `None` for everywhere.
    pub root: Option<String>,
    /// The session that used it first, if it lasts for a session.
    session: Option<String>,
    /// When it was given, in seconds since 1970.
    given: u64,
}

impl Preapproval {
    /// Returns whether it approves one question or a session.
    pub fn answer(&self) -> ApprovalAnswer {
        self.answer.into()
    }

    /// Returns for how many seconds it is still valid.
    pub fn left(&self) -> u64 {
        let lasts = if self.session.is_some() { SESSION } else { KEPT };
        now().checked_sub(self.given).map_or(0, |age| lasts.saturating_sub(age))
    }

    fn covers(&self, pattern: &Pattern) -> bool {
        Pattern::parse(&self.pattern).is_ok_and(|own| inclusion::includes(&own, pattern))
    }

    fn holds(&self, session: &str, directory: Option<&Path>) -> bool {
        let at = |root: &String| directory.is_some_and(|own| own.starts_with(root));
        self.root.as_ref().is_none_or(at) && self.session.as_ref().is_none_or(|own| own == session)
    }
}

impl Preapprovals {
    /// Returns the preapprovals below ringfence's state directory.
    pub fn new(state: &Path) -> Preapprovals {
        Preapprovals { directory: state.join("given") }
    }

    /// Approves the next question that the pattern covers.
    pub fn give(
        &self,
        pattern: &str,
        answer: ApprovalAnswer,
        root: Option<String>,
    ) -> io::Result<()> {
        self.put(pattern.to_owned(), answer, root, None)
    }

    fn put(
        &self,
        pattern: String,
        answer: ApprovalAnswer,
        root: Option<String>,
        session: Option<String>,
    ) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700).recursive(true).create(&self.directory)?;
        socket_dirs::check(&self.directory, 0o077)?;
        for oldest in self.list().iter().skip(MOST.saturating_sub(1)) {
            let _ = fs::remove_file(self.file(&oldest.id));
        }
        let (id, answer) = (id::new()?, answer.into());
        self.write(&Preapproval { id, pattern, answer, root, session, given: now() })
    }

    /// Approves every question of one session that the pattern covers.
    pub fn give_session(&self, pattern: &str, session: &str) -> io::Result<()> {
        // An empty session ID could stand for any session.
        if session.is_empty() {
            return Err(io::Error::other("the session has no name"));
        }
        let (pattern, session) = (pattern.to_owned(), Some(session.to_owned()));
        self.put(pattern, ApprovalAnswer::Session, None, session)
    }

    /// Returns the answer to a question about these patterns, if preapprovals cover all of them.
    /// Preapprovals for one question are removed; those for a session are bound to this session.
    pub fn take(
        &self,
        asked: &[String],
        session: &str,
        directory: Option<&Path>,
    ) -> Option<ApprovalAnswer> {
        let asked: Vec<Pattern> =
            asked.iter().map(|own| Pattern::parse(own).ok()).collect::<Option<_>>()?;
        let slips = self.list();
        let covering = |pattern: &Pattern| {
            slips.iter().find(|own| own.holds(session, directory) && own.covers(pattern))
        };
        let mut used: Vec<&Preapproval> = asked.iter().map(covering).collect::<Option<_>>()?;
        used.sort_by(|one, other| one.id.cmp(&other.id));
        used.dedup_by(|one, other| one.id == other.id);
        // An empty session ID could stand for any session.
        let lasts = !session.is_empty() && used.iter().all(|own| own.answer == WireAnswer::Session);
        for slip in &used {
            self.spend(slip, session)?;
        }
        match (used.is_empty(), lasts) {
            (true, _) => None,
            (false, true) => Some(ApprovalAnswer::Session),
            (false, false) => Some(ApprovalAnswer::Once),
        }
    }

    /// Removes the preapprovals of a pattern. Returns whether there were any.
    pub fn revoke(&self, pattern: &str) -> bool {
        let Ok(pattern) = Pattern::parse(pattern) else { return false };
        let equal =
            |own: &&Preapproval| Pattern::parse(&own.pattern).is_ok_and(|own| own == pattern);
        let slips = self.list();
        let gone = slips.iter().filter(equal).map(|own| fs::remove_file(self.file(&own.id)));
        gone.fold(false, |any, own| any | own.is_ok())
    }

    /// Returns every valid preapproval, newest first.
    pub fn list(&self) -> Vec<Preapproval> {
        if socket_dirs::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut slips: Vec<Preapproval> = entries.filter_map(|entry| read(&entry.path())).collect();
        slips.sort_by_key(|slip| std::cmp::Reverse(slip.given));
        slips
    }

    /// Uses a preapproval. Removing the file claims it; of two processes, only one succeeds.
    fn spend(&self, slip: &Preapproval, session: &str) -> Option<()> {
        match slip.answer {
            WireAnswer::Session if slip.session.is_some() => Some(()),
            WireAnswer::Session if !session.is_empty() => {
                let (session, given) = (Some(session.to_owned()), now());
                self.write(&Preapproval { session, given, ..slip.clone() }).ok()
            }
            WireAnswer::Session | WireAnswer::Once | WireAnswer::No => {
                fs::remove_file(self.file(&slip.id)).ok()
            }
        }
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    fn write(&self, slip: &Preapproval) -> io::Result<()> {
        let new = self.directory.join(format!(".{}.{}", slip.id, std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        let written = file
            .write_all(&serde_json::to_vec(slip)?)
            .and_then(|()| fs::rename(&new, self.file(&slip.id)));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }
}

/// Reads a preapproval. Removes it if it is malformed or too old.
fn read(path: &Path) -> Option<Preapproval> {
    let name = path.file_stem()?.to_str()?;
    if path.extension().is_none_or(|ending| ending != "json") || !id::is_id(name) {
        return None;
    }
    let slip =
        fs::read(path).ok().and_then(|text| serde_json::from_slice::<Preapproval>(&text).ok());
    let slip =
        slip.filter(|slip| slip.id == name && slip.left() > 0 && slip.answer != WireAnswer::No);
    if slip.is_none() {
        let _ = fs::remove_file(path);
    }
    slip
}

#[cfg(test)]
#[path = "preapprovals_tests.rs"]
mod tests;
