//! The person's side of the queue's socket: lists and answers questions.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::wire::{self, QuestionSummary, Reply, Request, RunInfo};
use super::{id, peer, socket_dirs};
use crate::ask::ApprovalAnswer;

/// A run and its pending questions.
#[derive(Debug, Clone)]
pub struct RunQuestions {
    /// The run.
    pub run: RunInfo,
    /// The run's questions, oldest first.
    pub questions: Vec<QuestionSummary>,
    socket: PathBuf,
}

/// The result of searching for pending questions.
#[derive(Debug, Default)]
pub struct PendingQuestions {
    /// The runs with questions.
    pub runs: Vec<RunQuestions>,
    /// Messages about sockets that could not be read.
    pub unreachable: Vec<String>,
}

/// Why a question cannot be answered.
#[derive(Debug)]
pub enum AnswerError {
    /// No question with this ID is pending: it was answered, it timed out, or it never existed.
    Gone,
    /// The run could not be reached; contains the reason.
    Unreachable(String),
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnswerError::Gone => f.write_str("no question with this ID is pending"),
            AnswerError::Unreachable(reason) => write!(f, "the run cannot be reached: {reason}"),
        }
    }
}

impl std::error::Error for AnswerError {}

/// Returns the pending questions of all runs that listen in these directories.
pub fn pending(places: &[PathBuf]) -> PendingQuestions {
    let mut found = PendingQuestions::default();
    for place in places {
        if let Err(error) = look(place, &mut found) {
            found.unreachable.push(format!("{}: {error}", place.display()));
        }
    }
    found.runs.sort_by_key(|seen| seen.run.pid);
    found
}

/// Answers a question. Returns the run and the question.
pub fn answer(
    places: &[PathBuf],
    id: &str,
    answer: ApprovalAnswer,
) -> Result<(RunInfo, QuestionSummary), AnswerError> {
    let (seen, question) = find(places, id)?;
    let request = Request::Answer { id: id.to_owned(), answer: answer.into() };
    match ask(&seen.socket, &request) {
        Ok(Reply::Answered { waited: true }) => Ok((seen.run, question)),
        Ok(Reply::Answered { waited: false }) => Err(AnswerError::Gone),
        Ok(Reply::Refused { reason }) => Err(AnswerError::Unreachable(reason)),
        Ok(Reply::List { .. }) => {
            Err(AnswerError::Unreachable("its reply is not an answer".into()))
        }
        Err(error) => Err(AnswerError::Unreachable(error.to_string())),
    }
}

fn find(places: &[PathBuf], id: &str) -> Result<(RunQuestions, QuestionSummary), AnswerError> {
    let found = if id::is_id(id) { pending(places) } else { PendingQuestions::default() };
    let of = |seen: RunQuestions| {
        let question = seen.questions.iter().find(|own| own.id == id).cloned();
        question.map(|question| (seen, question))
    };
    match found.runs.into_iter().find_map(of) {
        Some(found) => Ok(found),
        None if found.unreachable.is_empty() => Err(AnswerError::Gone),
        None => Err(AnswerError::Unreachable(found.unreachable.join("; "))),
    }
}

fn look(place: &Path, found: &mut PendingQuestions) -> io::Result<()> {
    match socket_dirs::check(place, 0o077) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        checked => checked?,
    }
    for entry in fs::read_dir(place)? {
        let socket = entry?.path();
        if socket.extension().is_none_or(|ending| ending != "sock") {
            continue;
        }
        match ask(&socket, &Request::List) {
            Ok(Reply::List { run, questions }) => {
                found.runs.push(RunQuestions { run, questions, socket });
            }
            Ok(Reply::Refused { reason }) => found.unreachable.push(reason),
            Ok(Reply::Answered { .. }) => {}
            // The socket of a run that was killed.
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                let _ = fs::remove_file(&socket);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => found.unreachable.push(format!("{}: {error}", socket.display())),
        }
    }
    Ok(())
}

fn ask(socket: &Path, request: &Request) -> io::Result<Reply> {
    let stream = UnixStream::connect(socket)?;
    wire::be_patient(&stream)?;
    // Only a process outside any run may ask a person.
    peer::check(&stream)
        .map_err(|reason| io::Error::new(io::ErrorKind::PermissionDenied, reason))?;
    wire::write(&stream, request)?;
    wire::read(&stream, wire::LONGEST_LIST)
}
