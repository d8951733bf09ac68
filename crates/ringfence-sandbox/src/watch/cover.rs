//! Covers what must not be seen.

use std::collections::HashMap;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_core::path::EntryKind;

use crate::gate::{Appeared, Judge, received, root_of};
use crate::line::Line;
use crate::plan::{Identity, Lister, RealLister};
use crate::sys::{self, Inode, inode_of};

/// More hidden files are not known by their numbers.
const MOST_SECRETS: usize = 4096;
/// How often it is tried to cover something that changes meanwhile.
const TRIES: usize = 5;

/// Something that must be hidden and could not be.
#[derive(Debug)]
pub(crate) struct Uncovered {
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

/// Covers paths in a run.
pub(super) struct Covers {
    judge: Arc<dyn Judge>,
    line: Line,
    /// The init, through whose root it is seen what the tree sees.
    init: i32,
    /// Files that are hidden, and the name of each: a second name of one is hidden too.
    secrets: HashMap<Identity, PathBuf>,
}

impl Covers {
    pub(super) fn new(judge: Arc<dyn Judge>, line: Line, init: i32) -> Covers {
        Covers { judge, line, init, secrets: HashMap::new() }
    }

    /// Keeps in mind which files are hidden.
    pub(super) fn remember(&mut self, path: &Path) {
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop().filter(|_| self.secrets.len() < MOST_SECRETS) {
            let Ok(identity) = identity(&path) else { continue };
            match kind(&path) {
                Some(EntryKind::File) => drop(self.secrets.insert(identity, path)),
                Some(EntryKind::Dir) => {
                    let names = RealLister.list(&path).into_iter();
                    open.extend(names.map(|entry| path.join(entry.name)));
                }
                _ => {}
            }
        }
    }

    /// Whether a file is hidden under another name.
    pub(super) fn is_second_name(&self, path: &Path) -> bool {
        let other = RealLister.shared(path).and_then(|own| Some((own, self.secrets.get(&own)?)));
        // The number may be another file's by now.
        other.is_some_and(|(own, other)| identity(other).is_ok_and(|now| now == own))
    }

    /// Covers a path, unless it is covered or gone.
    pub(super) fn cover(&mut self, path: &Path) -> Result<(), Uncovered> {
        let mut failed = io::Error::from_raw_os_error(libc::EBUSY);
        for _ in 0..TRIES {
            let Some((inode, is_directory)) = self.seen(path) else { return Ok(()) };
            match self.line.hide(path, inode, is_directory) {
                Ok(()) => {
                    self.remember(path);
                    self.judge.appeared(&Appeared::Hidden(path.to_owned()));
                }
                // The run is over.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                // It went away, or became something else.
                Err(error) => failed = error,
            }
        }
        match self.seen(path) {
            Some(_) => Err(Uncovered { path: path.to_owned(), error: failed }),
            None => Ok(()),
        }
    }

    /// Returns the inode that lies at a path, and whether it is a directory, if the tree sees the same
    /// one there. What a symbolic link leads to is judged at its own path.
    fn seen(&self, path: &Path) -> Option<(Inode, bool)> {
        let outside = look(None, path).ok()?;
        let is_seen = match root_of(self.init).and_then(|root| look(Some(&root), path)) {
            Ok(inside) => inside == outside,
            // Something above it is covered, unless nothing can be seen from inside at all.
            Err(_) => fs::metadata(format!("/proc/{}/root/", self.init)).is_err(),
        };
        is_seen.then_some(outside)
    }
}

/// Returns the inode at a path, and whether it is a directory. Symbolic links are not followed.
fn look(root: Option<&OwnedFd>, path: &Path) -> io::Result<(Inode, bool)> {
    let path = if root.is_some() { path.strip_prefix("/").unwrap_or(path) } else { path };
    let path = CString::new(path.as_os_str().as_bytes())?;
    let root = root.map_or(libc::AT_FDCWD, AsRawFd::as_raw_fd);
    let file = received(sys::open_exact(root, &path, libc::O_PATH)?);
    let stat = sys::stat(file.as_raw_fd())?;
    Ok((inode_of(&stat), stat.st_mode & libc::S_IFMT == libc::S_IFDIR))
}

/// Which file it is that lies at a path.
fn identity(path: &Path) -> io::Result<Identity> {
    fs::symlink_metadata(path).map(|own| (own.dev(), own.ino()))
}

/// What lies at a path, links not followed.
pub(super) fn kind(path: &Path) -> Option<EntryKind> {
    let kind = fs::symlink_metadata(path).ok()?.file_type();
    Some(match () {
        () if kind.is_dir() => EntryKind::Dir,
        () if kind.is_file() => EntryKind::File,
        () if kind.is_symlink() => EntryKind::Link,
        () => EntryKind::Other,
    })
}
