//! Looks up programs in `PATH`.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use ringfence_core::path::AbsPath;
use rustix::fs::{Access, FileType};
use rustix::io::Errno;

use super::real_path::follow;

/// The door's own `PATH`, fixed when the door starts.
///
/// The list ends before the first entry that is empty, relative or not UTF-8. A shell would resolve
/// such an entry differently in each directory, so a later match is uncertain too.
#[derive(Debug, Default)]
pub(super) struct SearchPath(Vec<AbsPath>);

impl SearchPath {
    /// Parses the value of `PATH`.
    pub(super) fn new(path: Option<&OsStr>) -> SearchPath {
        let Some(path) = path else { return SearchPath::default() };
        let entries = path.as_bytes().split(|byte| *byte == b':');
        SearchPath(entries.map_while(|entry| directory(std::str::from_utf8(entry).ok()?)).collect())
    }

    /// Returns the file that a PATH lookup finds for a program's name.
    pub(super) fn find(&self, name: &str) -> Option<AbsPath> {
        let candidates = self.0.iter().map_while(|directory| directory.child(name).ok());
        candidates.into_iter().find(is_program)
    }
}

fn directory(entry: &str) -> Option<AbsPath> {
    let by_text = AbsPath::new(entry).ok()?;
    if !entry.split('/').any(|name| name == "..") {
        return Some(by_text);
    }
    // After a symlink, `..` leads elsewhere than its text suggests.
    match follow(entry) {
        Ok(real) => Some(real),
        Err(Errno::ILSEQ | Errno::NAMETOOLONG) => None,
        Err(_) => Some(by_text),
    }
}

/// Returns whether a path is an executable file.
fn is_program(path: &AbsPath) -> bool {
    let is_file = rustix::fs::stat(path.as_str())
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile);
    is_file && rustix::fs::access(path.as_str(), Access::EXEC_OK).is_ok()
}

#[cfg(test)]
#[path = "search_path_tests.rs"]
mod tests;
