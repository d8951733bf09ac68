//! A person's end of the socket.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use super::wire::{self, Reply, Request, Run, Shown};
use super::{id, peer, place};
use crate::ask::Answer;

/// A run that asks, and its questions.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The run.
    pub run: Run,
    /// Its questions, oldest first.
    pub questions: Vec<Shown>,
    socket: PathBuf,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// The runs that ask.
    pub runs: Vec<Seen>,
    /// What could not be looked at, and why.
    pub unreachable: Vec<String>,
}

/// Why a question cannot be answered.
#[derive(Debug)]
pub enum Unanswerable {
    /// No question of this name waits: it was answered, it came too late, or it never was.
    Gone,
    /// The run could not be reached.
    Unreachable(String),
}

impl fmt::Display for Unanswerable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswerable::Gone => f.write_str("no question of this name is waiting"),
            Unanswerable::Unreachable(reason) => write!(f, "the run cannot be reached: {reason}"),
        }
    }
}

impl std::error::Error for Unanswerable {}

/// The questions of all runs that listen in these places.
pub fn pending(places: &[PathBuf]) -> Found {
    let mut found = Found::default();
    for place in places {
        if let Err(error) = look(place, &mut found) {
            found.unreachable.push(format!("{}: {error}", place.display()));
        }
    }
    found.runs.sort_by_key(|seen| seen.run.pid);
    found
}

/// Answers a question; which run it was, and what it had asked.
pub fn answer(places: &[PathBuf], id: &str, answer: Answer) -> Result<(Run, Shown), Unanswerable> {
    let (seen, question) = find(places, id)?;
    let request = Request::Answer { id: id.to_owned(), answer: answer.into() };
    match ask(&seen.socket, &request) {
        Ok(Reply::Answered { waited: true }) => Ok((seen.run, question)),
        Ok(Reply::Answered { waited: false }) => Err(Unanswerable::Gone),
        Ok(Reply::Refused { reason }) => Err(Unanswerable::Unreachable(reason)),
        Ok(Reply::List { .. }) => Err(Unanswerable::Unreachable("it says something else".into())),
        Err(error) => Err(Unanswerable::Unreachable(error.to_string())),
    }
}

fn find(places: &[PathBuf], id: &str) -> Result<(Seen, Shown), Unanswerable> {
    let found = if id::is_id(id) { pending(places) } else { Found::default() };
    let of = |seen: Seen| {
        let question = seen.questions.iter().find(|own| own.id == id).cloned();
        question.map(|question| (seen, question))
    };
    match found.runs.into_iter().find_map(of) {
        Some(found) => Ok(found),
        None if found.unreachable.is_empty() => Err(Unanswerable::Gone),
        None => Err(Unanswerable::Unreachable(found.unreachable.join("; "))),
    }
}

fn look(place: &Path, found: &mut Found) -> io::Result<()> {
    match place::check(place, 0o077) {
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
                found.runs.push(Seen { run, questions, socket });
            }
            Ok(Reply::Refused { reason }) => found.unreachable.push(reason),
            Ok(Reply::Answered { .. }) => {}
            // It was left behind by a run that was killed.
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
    // What something inside a run says is no question to a person.
    peer::check(&stream)
        .map_err(|reason| io::Error::new(io::ErrorKind::PermissionDenied, reason))?;
    wire::write(&stream, request)?;
    wire::read(&stream, wire::LONGEST_LIST)
}
