//! Who decides while the tree runs.

use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

/// Decides what the plan left open. It is asked by the supervisor, one question at a time, and
/// must answer quickly; questions to a person go through [`Answer::Later`].
pub trait Judge: Send + Sync {
    /// Nothing is to be judged at the moment, and soon every program is: the time can be used.
    fn get_ready(&self) {}

    /// A program is to be started.
    fn start(&self, start: &Started) -> Answer;

    /// Whether a path leads where it led a moment ago: nothing of the tree can change what it leads
    /// to, nor any link on the way. What cannot be told does not.
    fn stays(&self, _path: &std::path::Path) -> bool {
        false
    }

    /// A process has become the program that it was last allowed to start.
    fn became(&self, _process: Process) {}

    /// A file is to be opened, made, changed or removed.
    fn change(&self, change: &Change) -> Answer;

    /// The controlling terminal of a session of processes, by the PID of its leader, where the broker is
    /// not in that session and cannot open it. Nothing is decided by this.
    fn terminal(&self, _leader: i32) -> Option<OwnedFd> {
        None
    }

    /// A socket with a name, and maybe others, is to be used.
    fn socket(&self, path: &std::path::Path, also: &[PathBuf]) -> Answer;
}

/// What is decided.
pub enum Answer {
    /// It may be done.
    Allow,
    /// It fails as the kernel's own refusals do.
    Refuse,
    /// It may be done after these files were written anew with the content that was judged, so that
    /// nobody who has one of them open can change it afterwards.
    Renew(Vec<(PathBuf, Vec<u8>)>),
    /// A file may be opened for writing if its content is taken. The process gets a pipe, and what
    /// it wrote is put into the file when the pipe is closed. Refuses anything that is no opening.
    WhenWritten(Box<TakeContent>),
    /// Someone has to be asked; the process waits. The call says whether it may be done. It is told
    /// how to see whether the process still waits.
    Later(Box<Later>),
}

/// Says whether a file may have this content.
pub type TakeContent = dyn FnOnce(&[u8]) -> bool + Send;

/// Asks someone.
pub type Later = dyn FnOnce(&dyn Fn() -> bool) -> bool + Send;

/// A process, by its number and by its beginning: numbers are used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process {
    /// As the supervisor sees it.
    pub number: i32,
    /// What no other process with its number has.
    pub began: u64,
}

/// A program that is to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// The thread that starts it, as the supervisor sees it.
    pub pid: i32,
    /// Its process; none where that cannot be told.
    pub process: Option<Process>,
    /// The nearest process that became a program under the gate: the same, or one above it.
    pub above: Option<Process>,
    /// The program that the process is now, which starts the other one.
    pub by: PathBuf,
    /// As it was asked for.
    pub asked: PathBuf,
    /// The file that will run, links followed.
    pub file: PathBuf,
    /// How many names that file has.
    pub links: u64,
    /// The interpreter that reads it, if it is a script.
    pub interpreter: Option<PathBuf>,
    /// Its words, the first included.
    pub argv: Vec<OsString>,
    /// The variables that it is given and that the process before it had otherwise.
    pub changed: Vec<OsString>,
    /// The directory it starts in.
    pub cwd: PathBuf,
}

/// Something that is to be done to files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The process, as the supervisor sees it.
    pub pid: i32,
    /// What is to be done.
    pub deeds: Vec<(Deed, PathBuf)>,
    /// The symbolic links that appear by it, by whatever deed.
    pub links: Vec<NewLink>,
    /// The same deeds, by other names of what they are done to.
    pub also: Vec<Also>,
}

/// A deed by another name: something is mounted at several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Also {
    /// What is done.
    pub deed: Deed,
    /// The name by which it is done.
    pub path: PathBuf,
    /// Another name of the same.
    pub other: PathBuf,
}

/// A symbolic link that appears: made, renamed, or given a second name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLink {
    /// Where.
    pub at: PathBuf,
    /// What it says; none where that is not known.
    pub leads: Option<PathBuf>,
}

/// What can be done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// It is opened for reading.
    Read,
    /// It is made, written or changed.
    Write,
    /// It is made, as a directory with nothing in it.
    MakeDirectory,
    /// Its permissions, owners, times or attributes are changed.
    About,
    /// It is removed, or renamed away.
    Delete,
}
