//! The protocol on the queue's socket: one line of JSON in each direction.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::ApprovalAnswer;

/// The maximum size of a request in bytes.
pub(super) const LONGEST: u64 = 4 * 1024;
/// The maximum size of a list in bytes.
pub(super) const LONGEST_LIST: u64 = 1024 * 1024;
/// The maximum size of a text in a list; a command line may have two megabytes.
const LONGEST_TEXT: usize = 2 * 1024;
/// The time limit for the other end. Both ends are on this machine and idle.
const PATIENCE: Duration = Duration::from_secs(2);

/// A run with questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The PID of the supervisor.
    pub pid: u32,
    /// The command of the run.
    pub command: String,
    /// The directory in which the command runs.
    pub directory: String,
    /// The policy file to which a lasting answer is added.
    pub policy: String,
}

/// A pending question, as shown to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionSummary {
    /// The ID of the question.
    pub id: String,
    /// How long the question has been pending, in seconds.
    pub age: u64,
    /// How long the question stays pending, in seconds.
    pub left: u64,
    /// The program that asks.
    pub program: String,
    /// The action, in words.
    pub what: String,
    /// The reason of the question.
    pub why: String,
    /// The pattern of a rule that would make the question unnecessary.
    pub pattern: Option<String>,
    /// The pattern of exactly what is asked about.
    #[serde(default)]
    pub exact_pattern: Option<String>,
    /// The agent's session or the run that an answer for a session is for; empty if it has no name.
    #[serde(default)]
    pub session: String,
}

impl QuestionSummary {
    /// Shortens long texts.
    pub(super) fn cut(mut self) -> QuestionSummary {
        for text in [&mut self.program, &mut self.what, &mut self.why] {
            if text.len() > LONGEST_TEXT {
                let end = (0..=LONGEST_TEXT).rev().find(|at| text.is_char_boundary(*at));
                text.truncate(end.unwrap_or(0));
                text.push('…');
            }
        }
        // A shortened pattern would be another pattern.
        self.pattern = self.pattern.filter(|pattern| pattern.len() <= LONGEST_TEXT);
        self.exact_pattern = self.exact_pattern.filter(|pattern| pattern.len() <= LONGEST_TEXT);
        self
    }
}

/// A request to a run.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Request {
    /// Lists the pending questions.
    List,
    /// Answers one of them.
    Answer { id: String, answer: WireAnswer },
}

/// An answer in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WireAnswer {
    No,
    Once,
    Session,
}

impl From<ApprovalAnswer> for WireAnswer {
    fn from(answer: ApprovalAnswer) -> WireAnswer {
        match answer {
            ApprovalAnswer::No => WireAnswer::No,
            ApprovalAnswer::Once => WireAnswer::Once,
            ApprovalAnswer::Session => WireAnswer::Session,
        }
    }
}

impl From<WireAnswer> for ApprovalAnswer {
    fn from(word: WireAnswer) -> ApprovalAnswer {
        match word {
            WireAnswer::No => ApprovalAnswer::No,
            WireAnswer::Once => ApprovalAnswer::Once,
            WireAnswer::Session => ApprovalAnswer::Session,
        }
    }
}

/// A run's reply.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Reply {
    /// The pending questions.
    List { run: RunInfo, questions: Vec<QuestionSummary> },
    /// Whether the question was still pending.
    Answered { waited: bool },
    /// The request was refused for this reason.
    Refused { reason: String },
}

/// Sets time limits, so that neither end waits forever.
pub(super) fn be_patient(stream: &UnixStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))
}

/// Reads one line of at most `longest` bytes.
pub(super) fn read<T: DeserializeOwned>(stream: &UnixStream, longest: u64) -> io::Result<T> {
    let mut line = Vec::new();
    BufReader::new(stream.take(longest)).read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "incomplete line"));
    }
    serde_json::from_slice(&line).map_err(io::Error::from)
}

/// Writes one line.
pub(super) fn write<T: Serialize>(mut stream: &UnixStream, said: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    stream.write_all(&line)
}
