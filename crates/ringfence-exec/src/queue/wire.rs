//! What is said on the socket: one line of JSON there, one back.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::Answer;

/// The longest question or answer, in bytes.
pub(super) const LONGEST: u64 = 4 * 1024;
/// The longest list.
pub(super) const LONGEST_LIST: u64 = 1024 * 1024;
/// The longest text in a list; a command line may be two megabytes.
const LONGEST_TEXT: usize = 2 * 1024;
/// How long the other end may take. Both are on this machine, and have nothing else to do.
const PATIENCE: Duration = Duration::from_secs(2);

/// A run that asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The process that supervises it.
    pub pid: u32,
    /// The command, in words.
    pub command: String,
    /// The directory in which it runs.
    pub directory: String,
    /// The policy in which an answer that lasts belongs.
    pub policy: String,
}

/// A question, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Its name.
    pub id: String,
    /// How long it has been waiting, in seconds.
    pub age: u64,
    /// How long it goes on waiting, in seconds.
    pub left: u64,
    /// The program that wants it.
    pub program: String,
    /// What would be done, in words.
    pub what: String,
    /// Why it is asked.
    pub why: String,
    /// The pattern that would spare the question.
    pub pattern: Option<String>,
}

impl Shown {
    /// The same with texts that are not too long.
    pub(super) fn cut(mut self) -> Shown {
        for text in [&mut self.program, &mut self.what, &mut self.why] {
            if text.len() > LONGEST_TEXT {
                let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at));
                text.truncate(end.unwrap_or(0));
                text.push('…');
            }
        }
        // A pattern that was cut would be another pattern.
        self.pattern = self.pattern.filter(|pattern| pattern.len() <= LONGEST_TEXT);
        self
    }
}

/// What is asked of a run.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// Which questions wait?
    List,
    /// This is the answer to one of them.
    Answer { id: String, answer: Word },
}

/// An answer as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    No,
    Once,
    Session,
}

impl From<Answer> for Word {
    fn from(answer: Answer) -> Word {
        match answer {
            Answer::No => Word::No,
            Answer::Once => Word::Once,
            Answer::Session => Word::Session,
        }
    }
}

impl From<Word> for Answer {
    fn from(word: Word) -> Answer {
        match word {
            Word::No => Answer::No,
            Word::Once => Answer::Once,
            Word::Session => Answer::Session,
        }
    }
}

/// What a run says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Reply {
    /// These questions wait.
    List { run: Run, questions: Vec<Shown> },
    /// Whether the question was still waiting.
    Answered { waited: bool },
    /// It is not answered, for this reason.
    Refused { reason: String },
}

/// Neither end waits for ever.
pub(super) fn be_patient(stream: &UnixStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))
}

/// Reads one line of at most this length.
pub(super) fn read<T: DeserializeOwned>(stream: &UnixStream, longest: u64) -> io::Result<T> {
    let mut line = Vec::new();
    BufReader::new(stream.take(longest)).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no whole line"));
    }
    serde_json::from_slice(&line).map_err(io::Error::from)
}

/// Writes one line.
pub(super) fn write<T: Serialize>(mut stream: &UnixStream, said: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    stream.write_all(&line)
}
