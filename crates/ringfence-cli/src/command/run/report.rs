//! The file of `--report`.
//!
//! It is opened before the command begins and written when all of the run is over. A name must
//! never be looked up in between: whoever may write the project may have it lead anywhere by then.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use ringfence_exec::Report;
use ringfence_guard::redact::visible;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::exit::Failure;

/// The magic number of the file system in which pipes without a name lie.
const PIPES: rustix::fs::FsWord = 0x5049_5045;

/// Where the report goes.
#[derive(Debug)]
pub(super) struct ReportFile {
    path: PathBuf,
    file: File,
}

impl ReportFile {
    /// Opens it, and makes it where there is none. What it says stays until the report is there.
    pub(super) fn open(path: &Path) -> Result<ReportFile, Failure> {
        let mut flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC | OFlags::NOCTTY;
        // A pipe that nobody reads would be waited for.
        flags |= OFlags::NONBLOCK;
        // A link may be what an earlier run left. The kernel's own name open descriptors.
        if !(path.starts_with("/dev") || path.starts_with("/proc")) {
            flags |= OFlags::NOFOLLOW;
        }
        let file = rustix::fs::open(path, flags, Mode::from_raw_mode(0o666));
        let file = File::from(file.map_err(|errno| unwritten(path, reason(errno)))?);
        if !is_taken(&file) {
            return Err(unwritten(path, "it is no file"));
        }
        // Whoever reads a pipe may take their time.
        let waits = rustix::fs::fcntl_setfl(&file, OFlags::empty());
        waits.map_err(|errno| unwritten(path, reason(errno)))?;
        Ok(ReportFile { path: path.to_owned(), file })
    }

    /// Writes the report, in the place of what the file said.
    pub(super) fn write(mut self, report: &Report) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(report).map_err(|error| error.to_string())? + "\n";
        let about = self.file.metadata().map_err(|error| unwritten(&self.path, error))?;
        let emptied = if about.is_file() { self.file.set_len(0) } else { Ok(()) };
        emptied
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .map_err(|error| unwritten(&self.path, error))?;
        match about.is_file() && std::os::unix::fs::MetadataExt::nlink(&about) == 0 {
            true => Err(unwritten(&self.path, "it was removed during the run")),
            false => Ok(()),
        }
    }
}

/// Whether a report may be written there: a file, a terminal or another device, or a pipe that this
/// process was given. A pipe with a name is anybody's.
fn is_taken(file: &File) -> bool {
    let Ok(about) = rustix::fs::fstat(file) else { return false };
    match FileType::from_raw_mode(about.st_mode) {
        FileType::RegularFile | FileType::CharacterDevice => true,
        FileType::Fifo => rustix::fs::fstatfs(file).is_ok_and(|about| about.f_type == PIPES),
        _ => false,
    }
}

fn reason(errno: Errno) -> String {
    match errno {
        Errno::LOOP => "it is a symbolic link".to_owned(),
        Errno::NXIO => "it is no file".to_owned(),
        errno => std::io::Error::from(errno).to_string(),
    }
}

fn unwritten(path: &Path, reason: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{} could not be written: {reason}", visible(&path.to_string_lossy())))
}
