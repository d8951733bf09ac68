//! A host wrapper that records questions and answers, so that they can be replayed.
//!
//! A result that was computed from a host is valid while every recorded question has the same
//! answer. The answers can be saved, compared with the host again, or replayed in place of the
//! host.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{FileEntry, Host};
use crate::bytes::{ByteReader, ByteWriter};
use crate::net::HostName;
use crate::path::{AbsPath, PathRules};

/// A question to a host. These kinds occur while a policy is compiled or a plan is made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum HostQuestion {
    Entry(AbsPath),
    List(AbsPath),
    MayWrite(AbsPath),
    Env(Box<str>),
    HomeOf(Box<str>),
    Program(Box<str>),
    Registry(Box<str>),
}

/// The host's answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
enum HostAnswer {
    Entry(FileEntry),
    Names(Option<Vec<Box<str>>>),
    Flag(bool),
    Text(Option<String>),
    Path(Option<AbsPath>),
}

/// The recorded questions with their answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostAnswers {
    known: BTreeMap<HostQuestion, HostAnswer>,
    /// Whether a question was asked that cannot be recorded.
    partial: bool,
}

impl HostAnswers {
    /// Encodes the answers as bytes; `None` if some question could not be recorded.
    pub fn pack(&self) -> Option<Vec<u8>> {
        let mut to = ByteWriter::new();
        to.each(&self.known, |to, (question, answer)| {
            question.pack(to);
            answer.pack(to);
        });
        (!self.partial).then(|| to.finish())
    }

    /// Decodes the bytes of [`HostAnswers::pack`]; `None` if they are malformed.
    pub fn unpack(packed: &[u8]) -> Option<HostAnswers> {
        let mut from = ByteReader::new(packed);
        let known =
            from.each(|from| Some((HostQuestion::unpack(from)?, HostAnswer::unpack(from)?)))?;
        let known = known.into_iter().collect();
        from.is_over().then_some(HostAnswers { known, partial: false })
    }

    /// Returns whether a host still gives every answer in these bytes.
    pub fn still_hold(packed: &[u8], host: &dyn Host) -> bool {
        let mut from = ByteReader::new(packed);
        let same = |from: &mut ByteReader<'_>| {
            let question = HostQuestion::unpack(from)?;
            (question.ask(host) == HostAnswer::unpack(from)?).then_some(())
        };
        let Some(number) = from.number() else { return false };
        (0..number).all(|_| same(&mut from).is_some()) && from.is_over()
    }
}

/// A host that asks the wrapped host each question once and records the answer.
pub struct RecordingHost<'h> {
    host: &'h dyn Host,
    answers: Mutex<HostAnswers>,
}

impl<'h> RecordingHost<'h> {
    /// Wraps a host. Questions in `known` are answered from there.
    pub fn new(host: &'h dyn Host, known: HostAnswers) -> RecordingHost<'h> {
        RecordingHost { host, answers: Mutex::new(known) }
    }

    /// Returns all recorded answers.
    pub fn into_answers(self) -> HostAnswers {
        self.answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, question: HostQuestion) -> HostAnswer {
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers().known.get(&question) {
            return known.clone();
        }
        let answer = question.ask(self.host);
        answers().known.insert(question, answer.clone());
        answer
    }

    /// Asks a question that cannot be recorded, and marks the record as partial.
    fn pass<T>(&self, ask: impl FnOnce(&dyn Host) -> T) -> T {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).partial = true;
        ask(self.host)
    }
}

impl Host for RecordingHost<'_> {
    fn entry(&self, path: &AbsPath) -> FileEntry {
        match self.ask(HostQuestion::Entry(path.clone())) {
            HostAnswer::Entry(entry) => entry,
            _ => self.pass(|host| host.entry(path)),
        }
    }

    fn list(&self, directory: &AbsPath) -> Option<Vec<Box<str>>> {
        match self.ask(HostQuestion::List(directory.clone())) {
            HostAnswer::Names(names) => names,
            _ => self.pass(|host| host.list(directory)),
        }
    }

    fn read(&self, path: &AbsPath, limit: usize) -> Result<Vec<u8>, String> {
        self.pass(|host| host.read(path, limit))
    }

    fn env(&self, name: &str) -> Option<String> {
        match self.ask(HostQuestion::Env(name.into())) {
            HostAnswer::Text(text) => text,
            _ => self.pass(|host| host.env(name)),
        }
    }

    fn home_of(&self, user: &str) -> Option<AbsPath> {
        match self.ask(HostQuestion::HomeOf(user.into())) {
            HostAnswer::Path(path) => path,
            _ => self.pass(|host| host.home_of(user)),
        }
    }

    fn addresses(&self, name: &HostName) -> Option<Vec<std::net::IpAddr>> {
        self.pass(|host| host.addresses(name))
    }

    fn find_program(&self, name: &str) -> Option<AbsPath> {
        match self.ask(HostQuestion::Program(name.into())) {
            HostAnswer::Path(path) => path,
            _ => self.pass(|host| host.find_program(name)),
        }
    }

    fn path_rules(&self) -> PathRules {
        // The path rules depend on the operating system only, so they need no record.
        self.host.path_rules()
    }

    fn registry_hosts(&self, registry: &str) -> Vec<Box<str>> {
        match self.ask(HostQuestion::Registry(registry.into())) {
            HostAnswer::Names(names) => names.unwrap_or_default(),
            _ => self.pass(|host| host.registry_hosts(registry)),
        }
    }

    fn may_write(&self, directory: &AbsPath) -> bool {
        match self.ask(HostQuestion::MayWrite(directory.clone())) {
            HostAnswer::Flag(may) => may,
            _ => self.pass(|host| host.may_write(directory)),
        }
    }
}

impl HostQuestion {
    fn ask(&self, host: &dyn Host) -> HostAnswer {
        match self {
            HostQuestion::Entry(path) => HostAnswer::Entry(host.entry(path)),
            HostQuestion::List(path) => HostAnswer::Names(host.list(path)),
            HostQuestion::MayWrite(path) => HostAnswer::Flag(host.may_write(path)),
            HostQuestion::Env(name) => HostAnswer::Text(host.env(name)),
            HostQuestion::HomeOf(user) => HostAnswer::Path(host.home_of(user)),
            HostQuestion::Program(name) => HostAnswer::Path(host.find_program(name)),
            HostQuestion::Registry(name) => HostAnswer::Names(Some(host.registry_hosts(name))),
        }
    }

    fn pack(&self, to: &mut ByteWriter) {
        let (kind, about) = match self {
            HostQuestion::Entry(path) => (0, path.as_str()),
            HostQuestion::List(path) => (1, path.as_str()),
            HostQuestion::MayWrite(path) => (2, path.as_str()),
            HostQuestion::Env(name) => (3, &**name),
            HostQuestion::HomeOf(name) => (4, &**name),
            HostQuestion::Program(name) => (5, &**name),
            HostQuestion::Registry(name) => (6, &**name),
        };
        to.number(kind);
        to.text(about);
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<HostQuestion> {
        let kind = from.number()?;
        let about = from.text()?;
        let path = || AbsPath::new(about).ok();
        Some(match kind {
            0 => HostQuestion::Entry(path()?),
            1 => HostQuestion::List(path()?),
            2 => HostQuestion::MayWrite(path()?),
            3 => HostQuestion::Env(about.into()),
            4 => HostQuestion::HomeOf(about.into()),
            5 => HostQuestion::Program(about.into()),
            6 => HostQuestion::Registry(about.into()),
            _ => return None,
        })
    }
}

impl HostAnswer {
    fn pack(&self, to: &mut ByteWriter) {
        match self {
            HostAnswer::Entry(entry) => pack_entry(entry, to),
            HostAnswer::Names(names) => {
                to.number(6);
                to.maybe(names.as_ref(), |to, names| to.each(names, |to, own| to.text(&**own)));
            }
            HostAnswer::Flag(flag) => {
                to.number(7);
                to.flag(*flag);
            }
            HostAnswer::Text(text) => {
                to.number(8);
                to.maybe(text.as_ref(), ByteWriter::text);
            }
            HostAnswer::Path(path) => {
                to.number(9);
                to.maybe(path.as_ref(), |to, path| to.text(path.as_str()));
            }
        }
    }

    fn unpack(from: &mut ByteReader<'_>) -> Option<HostAnswer> {
        Some(match from.number()? {
            0 => HostAnswer::Entry(FileEntry::Missing),
            1 => HostAnswer::Entry(FileEntry::File { links: from.number()? }),
            2 => HostAnswer::Entry(FileEntry::Dir),
            3 => HostAnswer::Entry(FileEntry::Link(from.text()?.into())),
            4 => HostAnswer::Entry(FileEntry::Other),
            5 => HostAnswer::Entry(FileEntry::Unreadable(from.text()?.to_owned())),
            6 => HostAnswer::Names(from.maybe(|from| from.each(|from| Some(from.text()?.into())))?),
            7 => HostAnswer::Flag(from.flag()?),
            8 => HostAnswer::Text(from.maybe(ByteReader::text)?.map(str::to_owned)),
            9 => HostAnswer::Path(from.maybe(|from| AbsPath::new(from.text()?).ok())?),
            _ => return None,
        })
    }
}

fn pack_entry(entry: &FileEntry, to: &mut ByteWriter) {
    match entry {
        FileEntry::Missing => to.number(0),
        FileEntry::File { links } => {
            to.number(1);
            to.number(*links);
        }
        FileEntry::Dir => to.number(2),
        FileEntry::Link(target) => {
            to.number(3);
            to.text(&**target);
        }
        FileEntry::Other => to.number(4),
        FileEntry::Unreadable(reason) => {
            to.number(5);
            to.text(reason);
        }
    }
}

#[cfg(test)]
#[path = "recorded_tests.rs"]
mod tests;
