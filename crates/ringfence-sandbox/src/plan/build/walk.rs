//! Walking directories for names that patterns take.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use ringfence_core::judge::{PathSet, PathStates};
use ringfence_core::path::{AbsPath, EntryKind};

use super::lister::{Listed, Lister};

/// No path that is longer leads anywhere, and no name is longer.
const LONGEST_PATH: usize = 4_094;
const LONGEST_NAME: usize = 255;

/// How many more names may be looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget(pub(super) usize);

impl Budget {
    /// Takes one; false where there is none left.
    pub(super) fn take(&mut self) -> bool {
        let left = self.0.checked_sub(1);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }

    pub(super) fn is_spent(self) -> bool {
        self.0 == 0
    }
}

/// A name that a pattern takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The path as rules know it.
    pub(super) path: AbsPath,
    /// The path as the kernel knows it; the two differ where a name is no text.
    pub(super) host_path: PathBuf,
    pub(super) kind: EntryKind,
    /// Whether a pattern takes everything below it too.
    pub(super) whole: bool,
    /// Whether a pattern may take something below it that no path leads to.
    pub(super) too_deep: bool,
}

/// Everything below a directory that a pattern takes. Links are not followed, and nothing is
/// looked for inside a directory of which a pattern takes everything.
pub(super) fn collect(
    lister: &dyn Lister,
    set: &PathSet,
    start: &AbsPath,
    budget: &mut Budget,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut open: Vec<(AbsPath, PathBuf, PathStates)> =
        vec![(start.clone(), start.as_str().into(), set.at(start))];
    let mut states = PathStates::default();
    while let Some((path, host_path, from)) = open.pop() {
        for entry in list(lister, &host_path) {
            if !budget.take() {
                return found;
            }
            set.step(&from, &entry.name.to_string_lossy(), &mut states);
            if states.is_over() {
                continue;
            }
            let matches = set.matches(&states);
            let whole = matches && set.takes_all(&states);
            let open_up = entry.kind == EntryKind::Dir && !whole;
            if !matches && !open_up {
                continue;
            }
            let Some(path) = below(&path, &entry.name) else { continue };
            let host_path = host_path.join(Path::new(&entry.name));
            let too_deep = open_up && is_too_deep(&host_path);
            if open_up && !too_deep {
                open.push((path.clone(), host_path.clone(), states.clone()));
            }
            if matches || too_deep {
                found.push(Found { path, host_path, kind: entry.kind, whole, too_deep });
            }
        }
    }
    found
}

/// Every regular file below a directory; `None` where there are too many.
pub(super) fn files(
    lister: &dyn Lister,
    start: &Path,
    budget: &mut Budget,
) -> Option<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![start.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in lister.list(&directory) {
            if !budget.take() {
                return None;
            }
            match entry.kind {
                EntryKind::Dir => open.push(directory.join(&entry.name)),
                EntryKind::File => files.push(directory.join(&entry.name)),
                EntryKind::Link | EntryKind::Other => {}
            }
        }
    }
    Some(files)
}

/// The path of an entry as rules know it.
pub(super) fn below(directory: &AbsPath, name: &OsStr) -> Option<AbsPath> {
    directory.listed(&name.to_string_lossy())
}

/// The path of something that was found, as rules know it.
pub(super) fn as_known(host_path: &Path) -> Option<AbsPath> {
    let mut names = host_path.components().filter_map(|own| match own {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    names.try_fold(AbsPath::new("/").ok()?, |path, name| below(&path, name))
}

/// Whether names in a directory lie too deep for any path to lead there: none of them can be covered.
pub(super) fn is_too_deep(directory: &Path) -> bool {
    directory.as_os_str().len() > LONGEST_PATH - LONGEST_NAME
}

/// The entries of a directory, but for processes: a run has its own, and they come and go.
pub(super) fn list(lister: &dyn Lister, directory: &Path) -> Vec<Listed> {
    let mut listed = lister.list(directory);
    if directory == Path::new("/proc") {
        listed.retain(|own| !is_process(own.name.as_encoded_bytes()));
    }
    listed
}

/// Whether a name in `/proc` is that of a process.
pub(super) fn is_process(name: &[u8]) -> bool {
    matches!(name, b"self" | b"thread-self") || name.iter().all(u8::is_ascii_digit)
}
