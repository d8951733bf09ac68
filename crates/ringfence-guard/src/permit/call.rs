//! The permit for a whole call, which is taken apart into permits for its acts.

use std::fmt;
use std::fs::File;
use std::io;

use ringfence_core::AccessKind;
use ringfence_core::access::FileOp;

use super::{OpenFile, Outcome, Permit, RunCommand};
use crate::call::Call;
use crate::guard::{Guard, Part};
use crate::refusal::Refusal;

/// The act of making a call, with all that it would do.
#[derive(Debug)]
pub struct WholeCall {
    files: Vec<OpenFile>,
    command: Option<RunCommand>,
}

/// Why a call has no single act of the kind that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotOne {
    /// The call reads no file, or several.
    Read,
    /// The call writes no file, or several.
    Write,
    /// The call is no command line and no argv, or its program was not found.
    Command,
}

impl fmt::Display for NotOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotOne::Read => "the call does not read exactly one file",
            NotOne::Write => "the call does not write exactly one file",
            NotOne::Command => "the call runs no program that could be found",
        })
    }
}

impl std::error::Error for NotOne {}

impl From<NotOne> for io::Error {
    fn from(error: NotOne) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, error)
    }
}

impl Guard {
    /// Decides a call: the permit to carry it out, or the refusal that the agent reads instead. A
    /// call about which a person has to be asked is refused; [`Guard::judge_call`] tells them apart.
    pub fn judge(&self, call: &Call) -> Result<Permit, Box<Refusal>> {
        let judgement = match self.judge_call(call) {
            Outcome::Allowed(permit) | Outcome::Observed(permit, _) => return Ok(permit),
            Outcome::Asks(open) => open.declined(),
            Outcome::Refused(judgement) => judgement,
        };
        Err(Box::new(Refusal::new(call, &judgement)))
    }

    /// Decides a call for a door that can ask a person.
    pub fn judge_call(&self, call: &Call) -> Outcome<WholeCall> {
        let judgement = self.consider(call);
        let command = self.with_surroundings(|around| RunCommand::of(call, around));
        let files = judgement.parts().filter_map(file).collect();
        Outcome::of(WholeCall { files, command }, judgement)
    }
}

/// Returns the opening that a part of a call is, if it is one.
fn file(part: Part<'_>) -> Option<OpenFile> {
    match &part.access.what {
        AccessKind::File(file) if file.op != FileOp::Delete => {
            Some(OpenFile::new(file.path.clone(), file.op))
        }
        _ => None,
    }
}

impl Permit<WholeCall> {
    /// Takes the call apart into the files that it opens, a permit for each.
    pub fn into_files(self) -> Vec<Permit<OpenFile>> {
        let basis = self.basis();
        let files = self.into_act().files.into_iter();
        files.map(|file| Permit::new(file, basis)).collect()
    }

    /// Returns the permit to read the one file that the call reads.
    pub fn into_read(self) -> Result<Permit<OpenFile>, NotOne> {
        self.into_only(FileOp::Read).ok_or(NotOne::Read)
    }

    /// Returns the permit to write the one file that the call writes.
    pub fn into_write(self) -> Result<Permit<OpenFile>, NotOne> {
        self.into_only(FileOp::Write).ok_or(NotOne::Write)
    }

    /// Returns the permit to start the command that the call runs.
    pub fn into_command(self) -> Result<Permit<RunCommand>, NotOne> {
        let basis = self.basis();
        let command = self.into_act().command.ok_or(NotOne::Command)?;
        Ok(Permit::new(command, basis))
    }

    /// Opens the one file that the call reads: the file that was judged, and no other.
    pub fn open(self) -> io::Result<File> {
        self.into_read()?.open()
    }

    /// Creates or empties the one file that the call writes: the file that was judged.
    pub fn create(self) -> io::Result<File> {
        self.into_write()?.open()
    }

    fn into_only(self, operation: FileOp) -> Option<Permit<OpenFile>> {
        let mut files = self.into_files();
        files.retain(|file| file.act().operation() == operation);
        match files.len() {
            1 => files.pop(),
            _ => None,
        }
    }
}
