//! Stores questions that outlive the process that asked them.
//!
//! A hook ends long before some people read its question. Each question is therefore a file in the
//! user's state directory, and the answer is written into the same file. The hook polls the file
//! while it waits; so does the next hook with an equal question.
//!
//! A waiting hook holds a lock on the file. A hook that times out leaves the question in the queue
//! and tells its agent the ID. If a hook is killed, its question is removed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::wire::{QuestionSummary, RunInfo, WireAnswer};
use super::{id, socket_dirs};
use crate::ask::{ApprovalAnswer, ApprovalQuestion};
use crate::exact_call;
use crate::time::now;

/// How long, in seconds, a question can be answered, and an unused answer can be used.
pub(super) const KEPT: u64 = 60 * 60;
/// How long, in seconds, an answer for a session lasts.
pub(super) const SESSION: u64 = 24 * 60 * 60;
/// The maximum number of questions; the oldest are removed.
pub(super) const MOST: usize = 64;
/// The polling interval of a waiting hook.
const LOOK: Duration = Duration::from_millis(50);
/// The maximum size of a file whose content is hashed. For larger files, size and time are used.
const LONGEST: u64 = 4 * 1024 * 1024;

/// The mode of a question's file while a hook waits, and after the question was left in the queue.
const HELD: u32 = 0o600;
const LEFT: u32 = 0o400;

/// The directory of stored questions.
#[derive(Debug, Clone)]
pub struct PersistentQuestions {
    directory: PathBuf,
}

/// Which questions may be removed to make room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// Only questions asked in the same directory.
    Own,
    /// Any question, preferably one asked in the same directory.
    Any,
}

/// The file format of a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredQuestion {
    id: String,
    /// The hash that equal questions share.
    key: String,
    session: String,
    run: RunInfo,
    what: String,
    why: String,
    program: String,
    pattern: Option<String>,
    #[serde(default)]
    exact_pattern: Option<String>,
    /// When the question was asked, in seconds since 1970.
    asked: u64,
    answer: Option<WireAnswer>,
}

impl PersistentQuestions {
    /// Returns the stored questions below ringfence's state directory.
    pub fn new(state: &Path) -> PersistentQuestions {
        PersistentQuestions { directory: state.join("asked") }
    }

    /// Returns an earlier answer to an equal question of this session. An answer for one call is
    /// removed.
    pub fn earlier_answer(
        &self,
        question: &ApprovalQuestion,
        session: &str,
    ) -> Option<ApprovalAnswer> {
        self.earlier_answer_below(question, session, Path::new("/"))
    }

    /// Returns an earlier answer if the question was asked in this directory or below it. The
    /// session in an event from inside a run proves nothing, because the run could name any
    /// session.
    pub fn earlier_answer_below(
        &self,
        question: &ApprovalQuestion,
        session: &str,
        place: &Path,
    ) -> Option<ApprovalAnswer> {
        let key = key(question);
        let equal = |note: &StoredQuestion| note.key == key && note.session == session;
        let is_there = |note: &StoredQuestion| {
            place == Path::new("/") || Path::new(&note.run.directory).starts_with(place)
        };
        let mut notes = self.notes().into_iter().filter(|own| equal(own) && is_there(own));
        let note = notes.find(|own| own.answer.is_some())?;
        match note.answer? {
            // Removing the file claims the answer; of two hooks, only one succeeds.
            WireAnswer::Once => {
                fs::remove_file(self.file(&note.id)).ok().map(|()| ApprovalAnswer::Once)
            }
            word => Some(word.into()),
        }
    }

    /// Stores a question for a later answer and returns its ID. An equal pending question keeps its
    /// ID.
    pub fn store(
        &self,
        run: &RunInfo,
        question: &ApprovalQuestion,
        session: &str,
    ) -> io::Result<String> {
        self.store_while_waiting(run, question, session)?.leave_pending()
    }

    /// Stores a question from inside a run and returns its ID. It never removes or joins questions
    /// asked elsewhere.
    pub fn store_isolated(
        &self,
        run: &RunInfo,
        question: &ApprovalQuestion,
        session: &str,
    ) -> io::Result<String> {
        self.hold_in(run, question, session, Room::Own)?.leave_pending()
    }

    /// Stores a question for as long as this process waits for the answer. An equal pending
    /// question keeps its ID.
    pub fn store_while_waiting(
        &self,
        run: &RunInfo,
        question: &ApprovalQuestion,
        session: &str,
    ) -> io::Result<HeldQuestion> {
        self.hold_in(run, question, session, Room::Any)
    }

    fn hold_in(
        &self,
        run: &RunInfo,
        question: &ApprovalQuestion,
        session: &str,
        room: Room,
    ) -> io::Result<HeldQuestion> {
        let key = key(question);
        let notes = self.notes();
        let is_own = |note: &StoredQuestion| note.run.directory == run.directory;
        let equal = |note: &&StoredQuestion| {
            note.key == key && note.session == session && (room == Room::Any || is_own(note))
        };
        let waits = notes.iter().find(equal).filter(|note| note.answer.is_none());
        if let Some(held) = waits.and_then(|note| self.join(&note.id)) {
            return Ok(held);
        }
        self.make_room(&notes, is_own, room)?;
        fs::DirBuilder::new().mode(0o700).recursive(true).create(&self.directory)?;
        socket_dirs::check(&self.directory, 0o077)?;
        let ApprovalQuestion { what, pattern, exact_pattern, program, why, .. } = question.clone();
        let (run, session) = (run.clone(), session.to_owned());
        let (id, asked) = (id::new()?, now());
        let note = StoredQuestion {
            id: id.clone(),
            key,
            session,
            run,
            what,
            why,
            program,
            pattern,
            exact_pattern,
            asked,
            answer: None,
        };
        Ok(HeldQuestion { id, file: self.write(&note)? })
    }

    /// Removes the oldest questions if there are too many, first those asked in the same directory.
    fn make_room(
        &self,
        all: &[StoredQuestion],
        own: impl Fn(&StoredQuestion) -> bool,
        room: Room,
    ) -> io::Result<()> {
        let too_many = (all.len().saturating_add(1)).saturating_sub(MOST);
        let others = all.iter().rev().filter(|note| room == Room::Any && !own(note));
        let oldest = all.iter().rev().filter(|note| own(note)).chain(others);
        let oldest: Vec<&StoredQuestion> = oldest.take(too_many).collect();
        if oldest.len() < too_many {
            return Err(io::Error::other("there are too many questions"));
        }
        for note in oldest {
            let _ = fs::remove_file(self.file(&note.id));
        }
        Ok(())
    }

    /// Waits together with other hooks for the answer. Returns `None` if the question is gone.
    fn join(&self, id: &str) -> Option<HeldQuestion> {
        let path = self.file(id);
        let file = File::open(&path).ok()?;
        file.lock_shared().ok()?;
        // Another process may have removed the question between `open` and `lock`.
        let is_same = fs::metadata(&path).ok()?.ino() == file.metadata().ok()?.ino();
        is_same.then(|| HeldQuestion { id: id.to_owned(), file })
    }

    /// Waits for the answer. Returns `None` if none came in time.
    pub fn wait(
        &self,
        question: &ApprovalQuestion,
        session: &str,
        limit: Duration,
    ) -> Option<ApprovalAnswer> {
        let began = Instant::now();
        loop {
            if let Some(answer) = self.earlier_answer(question, session) {
                return Some(answer);
            }
            let left = limit.saturating_sub(began.elapsed());
            if left.is_zero() {
                return None;
            }
            std::thread::sleep(left.min(LOOK));
        }
    }

    /// Returns the pending questions, oldest first.
    pub fn pending(&self) -> Vec<(RunInfo, QuestionSummary)> {
        let waiting = self.notes().into_iter().rev().filter(|note| note.answer.is_none());
        waiting.map(|note| (note.run.clone(), shown(note))).collect()
    }

    /// Returns all stored questions and their answers, newest first.
    pub fn log(&self) -> Vec<(RunInfo, QuestionSummary, Option<ApprovalAnswer>)> {
        let all = self.notes().into_iter();
        all.map(|note| (note.run.clone(), note.answer.map(ApprovalAnswer::from), note))
            .map(|(run, answer, note)| (run, shown(note), answer))
            .collect()
    }

    /// Answers a question. Returns it if it was still pending.
    pub fn answer(
        &self,
        id: &str,
        answer: ApprovalAnswer,
    ) -> io::Result<Option<(RunInfo, QuestionSummary)>> {
        let waits = |note: &StoredQuestion| note.id == id && note.answer.is_none();
        let Some(mut note) = self.notes().into_iter().find(waits) else { return Ok(None) };
        note.answer = Some(answer.into());
        // From now on, the age is that of the answer.
        note.asked = now();
        self.write(&note)?;
        Ok(Some((note.run.clone(), shown(note))))
    }

    fn file(&self, id: &str) -> PathBuf {
        self.directory.join(format!("{id}.json"))
    }

    /// Returns every valid question, newest first. Removes questions that are too old or
    /// unreadable, because nobody can answer them.
    fn notes(&self) -> Vec<StoredQuestion> {
        if socket_dirs::check(&self.directory, 0o077).is_err() {
            return Vec::new();
        }
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut notes: Vec<StoredQuestion> =
            entries.filter_map(|entry| read(&entry.path())).collect();
        notes.sort_by_key(|note| std::cmp::Reverse(note.asked));
        notes
    }

    /// Replaces a question's file atomically. The new file is locked before it becomes visible.
    fn write(&self, note: &StoredQuestion) -> io::Result<File> {
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

/// A question for whose answer this process waits. Dropping it stops waiting.
#[derive(Debug)]
pub struct HeldQuestion {
    id: String,
    file: File,
}

impl HeldQuestion {
    /// Leaves the question in the queue and returns its ID. The change of mode applies to this file
    /// only, so an answer that has already replaced the file is kept.
    pub fn leave_pending(self) -> io::Result<String> {
        self.file.set_permissions(fs::Permissions::from_mode(LEFT))?;
        Ok(self.id)
    }
}

fn read(path: &Path) -> Option<StoredQuestion> {
    let name = path.file_stem()?.to_str()?;
    if path.extension().is_none_or(|ending| ending != "json") || !id::is_id(name) {
        return None;
    }
    let file = File::open(path).ok();
    let text = file.as_ref().and_then(|file| io::read_to_string(file).ok());
    let note = text.and_then(|text| serde_json::from_str::<StoredQuestion>(&text).ok());
    let lasts = |note: &StoredQuestion| match note.answer {
        Some(WireAnswer::Session) => SESSION,
        _ => KEPT,
    };
    let counts =
        |note: &StoredQuestion| note.answer.is_some() || file.as_ref().is_some_and(is_waited_for);
    let note = note.filter(|note| note.id == name && age(note) < lasts(note) && counts(note));
    if note.is_none() {
        let _ = fs::remove_file(path);
    }
    note
}

/// Returns whether a question was left in the queue, or a hook holds its lock.
fn is_waited_for(file: &File) -> bool {
    let is_left = file.metadata().is_ok_and(|about| about.mode() & 0o777 == LEFT);
    is_left || file.try_lock().is_err()
}

fn shown(note: StoredQuestion) -> QuestionSummary {
    let age = age(&note);
    let left = KEPT.saturating_sub(age);
    let StoredQuestion { id, what, why, program, pattern, exact_pattern, session, .. } = note;
    QuestionSummary { id, age, left, program, what, why, pattern, exact_pattern, session }.cut()
}

/// Returns the age in seconds. If the clock was set back, the question is infinitely old.
fn age(note: &StoredQuestion) -> u64 {
    now().checked_sub(note.asked).unwrap_or(u64::MAX)
}

fn key(question: &ApprovalQuestion) -> String {
    let text = format!("{:?} {:?} {:?}", question.what, question.program, question.exact);
    hex(&Sha256::digest(text.as_bytes()))
}

/// Returns hashes of the files that a call reads. An answer is bound to them.
pub fn fingerprints(files: &[String]) -> String {
    let one = |path: &String| {
        let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let content = match about.len() <= LONGEST {
            true => exact_call::content(Path::new(path)).map(|hash| hex(&hash)),
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
#[path = "persistent_questions_tests.rs"]
mod tests;
