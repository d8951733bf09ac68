//! Questions that outlive the process that asked them.
//!
//! A hook ends long before some people have read its question. What it asks is written down, one
//! file for each question in a directory of the user's own state, and an answer is written into the
//! file. The hook looks there while it waits, and so does the next one that is asked the same.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::wire::{Run, Shown, Word};
use super::{id, place};
use crate::ask::{Answer, Question};
use crate::script;
use crate::time::now;

/// How long a question can be answered, and an answer that was not used yet be used.
pub(super) const KEPT: u64 = 60 * 60;
/// How long an answer for a session holds.
pub(super) const SESSION: u64 = 24 * 60 * 60;
/// The most questions that are kept; the oldest make room.
pub(super) const MOST: usize = 64;
/// How often a hook that waits looks.
const LOOK: Duration = Duration::from_millis(50);
/// The longest file whose content is looked at; of others, size and time.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Where questions are written down.
#[derive(Debug, Clone)]
pub struct Shelf {
    directory: PathBuf,
}

/// A question as it is written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    id: String,
    /// What makes questions equal, as a fingerprint.
    key: String,
    session: String,
    run: Run,
    what: String,
    why: String,
    program: String,
    pattern: Option<String>,
    /// When it was asked, in seconds since 1970.
    asked: u64,
    answer: Option<Word>,
}

impl Shelf {
    /// The shelf of a user with this directory of ringfence's own records.
    pub fn new(state: &Path) -> Shelf {
        Shelf { directory: state.join("asked") }
    }

    /// The answer to an equal question of this session that was given before; once used, an answer
    /// that was for one time is gone.
    pub fn given(&self, question: &Question, session: &str) -> Option<Answer> {
        let key = key(question);
        let equal = |note: &Note| note.key == key && note.session == session;
        let note = self.notes().into_iter().find(|own| equal(own) && own.answer.is_some())?;
        match note.answer? {
            // Whoever removes it has it; of two at one time, one.
            Word::Once => fs::remove_file(self.file(&note.id)).ok().map(|()| Answer::Once),
            word => Some(word.into()),
        }
    }

    /// Writes a question down; its name. An equal one that waits already keeps its own.
    pub fn put(&self, run: &Run, question: &Question, session: &str) -> io::Result<String> {
        let key = key(question);
        let notes = self.notes();
        let equal = |note: &&Note| note.key == key && note.session == session;
        if let Some(note) = notes.iter().find(equal).filter(|note| note.answer.is_none()) {
            return Ok(note.id.clone());
        }
        for oldest in notes.iter().skip(MOST.saturating_sub(1)) {
            let _ = fs::remove_file(self.file(&oldest.id));
        }
        fs::DirBuilder::new().mode(0o700).recursive(true).create(&self.directory)?;
        place::check(&self.directory, 0o077)?;
        let Question { what, pattern, program, why, .. } = question.clone();
        let (run, session) = (run.clone(), session.to_owned());
        let (id, asked) = (id::new()?, now());
        let note = Note {
            id: id.clone(),
            key,
            session,
            run,
            what,
            why,
            program,
            pattern,
            asked,
            answer: None,
        };
        self.write(&note)?;
        Ok(id)
    }

    /// Waits for the answer to a question; none where nobody gave one in time.
    pub fn wait(&self, question: &Question, session: &str, limit: Duration) -> Option<Answer> {
        let began = Instant::now();
        loop {
            if let Some(answer) = self.given(question, session) {
                return Some(answer);
            }
            let left = limit.saturating_sub(began.elapsed());
            if left.is_zero() {
                return None;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    /// The questions that wait, oldest first.
    pub fn pending(&self) -> Vec<(Run, Shown)> {
        let waiting = self.notes().into_iter().rev().filter(|note| note.answer.is_none());
        waiting.map(|note| (note.run.clone(), shown(note))).collect()
    }

    /// All that is still written down, the newest first: questions, and what was answered.
    pub fn log(&self) -> Vec<(Run, Shown, Option<Answer>)> {
        let all = self.notes().into_iter();
        all.map(|note| (note.run.clone(), note.answer.map(Answer::from), note))
            .map(|(run, answer, note)| (run, shown(note), answer))
            .collect()
    }

    /// Answers a question; which it was, if it still waited.
    pub fn answer(&self, id: &str, answer: Answer) -> io::Result<Option<(Run, Shown)>> {
        let waits = |note: &Note| note.id == id && note.answer.is_none();
        let Some(mut note) = self.notes().into_iter().find(waits) else { return Ok(None) };
        note.answer = Some(answer.into());
        // From now on it is the answer that lasts.
        note.asked = now();
        self.write(&note)?;
        Ok(Some((note.run.clone(), shown(note))))
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    /// Every question that still counts, the newest first. What is too old, or cannot be read, is
    /// removed: a question that nobody can read is a question that nobody can answer.
    fn notes(&self) -> Vec<Note> {
        if place::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut notes: Vec<Note> = entries.filter_map(|entry| read(&entry.path())).collect();
        notes.sort_by_key(|note| std::cmp::Reverse(note.asked));
        notes
    }

    /// Replaces a file whole, so that nobody reads half of it.
    fn write(&self, note: &Note) -> io::Result<()> {
        let new = self.directory.join(format!(".{}.{}", note.id, std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        let written = file
            .write_all(&serde_json::to_vec(note)?)
            .and_then(|()| fs::rename(&new, self.file(&note.id)));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written
    }
}

fn read(path: &Path) -> Option<Note> {
    let name = path.file_stem()?.to_str()?;
    if path.extension().is_none_or(|ending| ending != "json") || !id::is_id(name) {
        return None;
    }
    let note = fs::read(path).ok().and_then(|text| serde_json::from_slice::<Note>(&text).ok());
    let lasts = |note: &Note| match note.answer {
        Some(Word::Session) => SESSION,
        _ => KEPT,
    };
    let note = note.filter(|note| note.id == name && age(note) < lasts(note));
    if note.is_none() {
        let _ = fs::remove_file(path);
    }
    note
}

fn shown(note: Note) -> Shown {
    let age = age(&note);
    let Note { id, what, why, program, pattern, .. } = note;
    Shown { id, age, left: KEPT.saturating_sub(age), program, what, why, pattern }.cut()
}

/// One that was asked in the future, by a clock that was set since, is as old as can be.
fn age(note: &Note) -> u64 {
    now().checked_sub(note.asked).unwrap_or(u64::MAX)
}

fn key(question: &Question) -> String {
    let text = format!("{:?} {:?} {:?}", question.what, question.program, question.exact);
    hex(&Sha256::digest(text.as_bytes()))
}

/// Fingerprints of files, for what an answer is bound to: what a call reads is part of the call.
pub fn fingerprints(files: &[String]) -> String {
    let one = |path: &String| {
        let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let content = match about.len() <= LONGEST {
            true => script::content(Path::new(path)).map(|hash| hex(&hash)),
            false => None,
        };
        let looks = || format!("{} {} {}", about.len(), about.mtime(), about.ino());
        Some(format!("{path} {}", content.unwrap_or_else(looks)))
    };
    files.iter().filter_map(one).collect::<Vec<_>>().join("\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
