//! Questions that outlive the process that asked them.
//!
//! A hook ends long before some people have read its question. What it asks is written down, one
//! file for each question in a directory of the user's own state, and an answer is written into the
//! file. The hook looks there while it waits, and so does the next one that is asked the same.
//!
//! While a hook waits it holds a lock on the file. One that ends in time leaves the question to be
//! answered later, and its agent knows its name; one that was ended takes the question with it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
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

/// The mode of a file that counts for as long as it is held, and of one that was left for later.
const HELD: u32 = 0o600;
const LEFT: u32 = 0o400;

/// Where questions are written down.
#[derive(Debug, Clone)]
pub struct Shelf {
    directory: PathBuf,
}

/// Which questions make room for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// Those that were asked in the same directory.
    Own,
    /// Any, where there are none of those.
    Any,
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
        self.given_below(question, session, Path::new("/"))
    }

    /// The same, if the question was asked in this directory or below it. What an event from inside
    /// a run says of itself is the run's to choose, so that it could name anybody's session.
    pub fn given_below(&self, question: &Question, session: &str, place: &Path) -> Option<Answer> {
        let key = key(question);
        let equal = |note: &Note| note.key == key && note.session == session;
        let is_there = |note: &Note| {
            place == Path::new("/") || Path::new(&note.run.directory).starts_with(place)
        };
        let mut notes = self.notes().into_iter().filter(|own| equal(own) && is_there(own));
        let note = notes.find(|own| own.answer.is_some())?;
        match note.answer? {
            // Whoever removes it has it; of two at one time, one.
            Word::Once => fs::remove_file(self.file(&note.id)).ok().map(|()| Answer::Once),
            word => Some(word.into()),
        }
    }

    /// Writes a question down for whoever comes later; its name. An equal one that waits already
    /// keeps its own.
    pub fn put(&self, run: &Run, question: &Question, session: &str) -> io::Result<String> {
        self.hold(run, question, session)?.leave()
    }

    /// The same for an event from inside a run, which takes no part in the questions of others: none
    /// of those makes room for it.
    pub fn put_apart(&self, run: &Run, question: &Question, session: &str) -> io::Result<String> {
        self.hold_in(run, question, session, Room::Own)?.leave()
    }

    /// Writes a question down, for as long as this process waits for the answer. An equal one that
    /// waits already keeps its name.
    pub fn hold(&self, run: &Run, question: &Question, session: &str) -> io::Result<Held> {
        self.hold_in(run, question, session, Room::Any)
    }

    fn hold_in(
        &self,
        run: &Run,
        question: &Question,
        session: &str,
        room: Room,
    ) -> io::Result<Held> {
        let key = key(question);
        let notes = self.notes();
        let is_own = |note: &Note| note.run.directory == run.directory;
        let equal = |note: &&Note| {
            note.key == key && note.session == session && (room == Room::Any || is_own(note))
        };
        let waits = notes.iter().find(equal).filter(|note| note.answer.is_none());
        if let Some(held) = waits.and_then(|note| self.join(&note.id)) {
            return Ok(held);
        }
        self.make_room(&notes, is_own, room)?;
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
        Ok(Held { id, file: self.write(&note)? })
    }

    /// Takes the oldest away where there are too many: those asked in the same directory first.
    fn make_room(&self, all: &[Note], own: impl Fn(&Note) -> bool, room: Room) -> io::Result<()> {
        let too_many = (all.len().saturating_add(1)).saturating_sub(MOST);
        let others = all.iter().rev().filter(|note| room == Room::Any && !own(note));
        let oldest = all.iter().rev().filter(|note| own(note)).chain(others);
        let oldest: Vec<&Note> = oldest.take(too_many).collect();
        if oldest.len() < too_many {
            return Err(io::Error::other("there are too many questions"));
        }
        for note in oldest {
            let _ = fs::remove_file(self.file(&note.id));
        }
        Ok(())
    }

    /// Waits with others for the answer to a question; none where it is gone.
    fn join(&self, id: &str) -> Option<Held> {
        let path = self.file(id);
        let file = File::open(&path).ok()?;
        file.lock_shared().ok()?;
        // Whoever found that nobody waits has taken it away meanwhile.
        let is_same = fs::metadata(&path).ok()?.ino() == file.metadata().ok()?.ino();
        is_same.then(|| Held { id: id.to_owned(), file })
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

    /// Replaces a file whole, so that nobody reads half of it. It is locked before anybody sees it.
    fn write(&self, note: &Note) -> io::Result<File> {
        let new = self.directory.join(format!(".{}.{}", note.id, std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(HELD).open(&new)?;
        let written = file
            .lock_shared()
            .and_then(|()| file.write_all(&serde_json::to_vec(note)?))
            .and_then(|()| fs::rename(&new, self.file(&note.id)));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
        written.map(|()| file)
    }
}

/// A question for whose answer this process waits. If it is dropped nobody does.
#[derive(Debug)]
pub struct Held {
    id: String,
    file: File,
}

impl Held {
    /// Leaves the question to whoever comes later; its name. The mark is on the file itself, so that
    /// an answer that replaces the file meanwhile stays.
    pub fn leave(self) -> io::Result<String> {
        self.file.set_permissions(fs::Permissions::from_mode(LEFT))?;
        Ok(self.id)
    }
}

fn read(path: &Path) -> Option<Note> {
    let name = path.file_stem()?.to_str()?;
    if path.extension().is_none_or(|ending| ending != "json") || !id::is_id(name) {
        return None;
    }
    let file = File::open(path).ok();
    let text = file.as_ref().and_then(|file| io::read_to_string(file).ok());
    let note = text.and_then(|text| serde_json::from_str::<Note>(&text).ok());
    let lasts = |note: &Note| match note.answer {
        Some(Word::Session) => SESSION,
        _ => KEPT,
    };
    let counts = |note: &Note| note.answer.is_some() || file.as_ref().is_some_and(is_waited_for);
    let note = note.filter(|note| note.id == name && age(note) < lasts(note) && counts(note));
    if note.is_none() {
        let _ = fs::remove_file(path);
    }
    note
}

/// Whether a question was left for later, or somebody holds it.
fn is_waited_for(file: &File) -> bool {
    let is_left = file.metadata().is_ok_and(|about| about.mode() & 0o777 == LEFT);
    is_left || file.try_lock().is_err()
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
