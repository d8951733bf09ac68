//! Answers that a person gave before anybody asked.
//!
//! A slip says yes to the next question that its pattern covers: that one, or all of the session
//! that asked it. It lies beside the questions, in a directory of the user's own state.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use ringfence_core::inclusion;
use ringfence_core::pattern::Pattern;
use serde::{Deserialize, Serialize};

use super::shelf::{KEPT, MOST, SESSION};
use super::wire::Word;
use super::{id, place};
use crate::ask::Answer;
use crate::time::now;

/// Where slips are kept.
#[derive(Debug, Clone)]
pub struct Slips {
    directory: PathBuf,
}

/// A yes that was given beforehand.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    id: String,
    /// What it covers.
    pub pattern: String,
    answer: Word,
    /// Where it holds: in this directory and below; everywhere where none is named.
    pub root: Option<String>,
    /// The session that has it, once one does.
    session: Option<String>,
    /// When it was given, in seconds since 1970.
    given: u64,
}

impl Slip {
    /// Whether it says yes once, or for a session.
    pub fn answer(&self) -> Answer {
        self.answer.into()
    }

    /// Seconds for which it can still be used.
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

impl Slips {
    /// The slips of a user with this directory of ringfence's own records.
    pub fn new(state: &Path) -> Slips {
        Slips { directory: state.join("given") }
    }

    /// Says yes to the next question that a pattern covers.
    pub fn give(&self, pattern: &str, answer: Answer, root: Option<String>) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700).recursive(true).create(&self.directory)?;
        place::check(&self.directory, 0o077)?;
        for oldest in self.list().iter().skip(MOST.saturating_sub(1)) {
            let _ = fs::remove_file(self.file(&oldest.id));
        }
        let (pattern, answer) = (pattern.to_owned(), answer.into());
        self.write(&Slip { id: id::new()?, pattern, answer, root, session: None, given: now() })
    }

    /// The answer to a question about these things, if slips cover every one of them. What is for
    /// one time is gone then, and what is for a session is this session's.
    pub fn take(
        &self,
        asked: &[String],
        session: &str,
        directory: Option<&Path>,
    ) -> Option<Answer> {
        let asked: Vec<Pattern> =
            asked.iter().map(|own| Pattern::parse(own).ok()).collect::<Option<_>>()?;
        let slips = self.list();
        let covering = |pattern: &Pattern| {
            slips.iter().find(|own| own.holds(session, directory) && own.covers(pattern))
        };
        let mut used: Vec<&Slip> = asked.iter().map(covering).collect::<Option<_>>()?;
        used.sort_by(|one, other| one.id.cmp(&other.id));
        used.dedup_by(|one, other| one.id == other.id);
        // A session without a name would be every session without one.
        let lasts = !session.is_empty() && used.iter().all(|own| own.answer == Word::Session);
        for slip in &used {
            self.spend(slip, session)?;
        }
        match (used.is_empty(), lasts) {
            (true, _) => None,
            (false, true) => Some(Answer::Session),
            (false, false) => Some(Answer::Once),
        }
    }

    /// Takes back what was given for a pattern; whether there was anything.
    pub fn take_back(&self, pattern: &str) -> bool {
        let Ok(pattern) = Pattern::parse(pattern) else { return false };
        let equal = |own: &&Slip| Pattern::parse(&own.pattern).is_ok_and(|own| own == pattern);
        let slips = self.list();
        let gone = slips.iter().filter(equal).map(|own| fs::remove_file(self.file(&own.id)));
        gone.fold(false, |any, own| any | own.is_ok())
    }

    /// Every slip that can still be used, the newest first.
    pub fn list(&self) -> Vec<Slip> {
        if place::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut slips: Vec<Slip> = entries.filter_map(|entry| read(&entry.path())).collect();
        slips.sort_by_key(|slip| std::cmp::Reverse(slip.given));
        slips
    }

    /// Whoever removes a slip for one time has it; of two at one time, one.
    fn spend(&self, slip: &Slip, session: &str) -> Option<()> {
        match slip.answer {
            Word::Session if slip.session.is_some() => Some(()),
            Word::Session if !session.is_empty() => {
                let (session, given) = (Some(session.to_owned()), now());
                self.write(&Slip { session, given, ..slip.clone() }).ok()
            }
            Word::Session | Word::Once | Word::No => fs::remove_file(self.file(&slip.id)).ok(),
        }
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    fn write(&self, slip: &Slip) -> io::Result<()> {
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

/// A slip that is whole and not too old; others are removed.
fn read(path: &Path) -> Option<Slip> {
    let name = path.file_stem()?.to_str()?;
    if path.extension().is_none_or(|ending| ending != "json") || !id::is_id(name) {
        return None;
    }
    let slip = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Slip>(&text).ok());
    let slip = slip.filter(|slip| slip.id == name && slip.left() > 0 && slip.answer != Word::No);
    if slip.is_none() {
        let _ = fs::remove_file(path);
    }
    slip
}

#[cfg(test)]
#[path = "slips_tests.rs"]
mod tests;
