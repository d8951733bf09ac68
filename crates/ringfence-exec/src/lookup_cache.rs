//! Caches host lookups of the judge during a run.
//!
//! One judgement makes the same lookup several times and must get the same answer. Where the run
//! can change nothing, answers are kept for a moment longer, because many programs start in that
//! time, mostly the same ones.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::host::FileEntry;
use ringfence_core::path::AbsPath;
use ringfence_sandbox::plan::{FilePlan, Rights};

/// How long an answer is kept where the run can change nothing. Changes by other processes are
/// noticed after that time.
const MOMENT: Duration = Duration::from_secs(1);

/// The suffix that the kernel adds to the name of a deleted file.
const GONE: &str = " (deleted)";
/// The maximum number of components followed in one path.
const MOST_STEPS: usize = 256;

/// The cached lookups.
#[derive(Debug)]
pub(crate) struct LookupCache {
    /// Trees that the run can change, private directories of the run, and kernel file systems.
    changing: Vec<AbsPath>,
    /// The value of `PATH`.
    search_path: Option<String>,
    /// Whether the run can change nothing in any directory of `PATH`; computed when first needed.
    programs_stay: OnceLock<bool>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// Answers for the current question.
    now: HashMap<AbsPath, FileEntry>,
    /// When the other answers were first cached.
    since: Instant,
    entries: HashMap<AbsPath, FileEntry>,
    programs: HashMap<String, Option<AbsPath>>,
    writable: HashMap<AbsPath, bool>,
}

impl LookupCache {
    /// Creates an empty cache for a run with this file plan and `PATH`.
    pub(crate) fn new(files: &FilePlan, search_path: Option<String>) -> LookupCache {
        let changes = |rights: Rights| rights.has(Rights::WRITE) || rights.has(Rights::DELETE);
        let written = files.trees.iter().filter(|tree| changes(tree.rights));
        let written = written.flat_map(|tree| {
            [tree.path.clone()].into_iter().chain(files.mounts.all_names(&tree.path))
        });
        let own = files.private.iter().cloned().chain(KERNELS.iter().map(PathBuf::from));
        let changing = written.chain(own).filter_map(|path| AbsPath::new(path.to_str()?).ok());
        let (changing, known) = (changing.collect(), Mutex::new(Known::new()));
        LookupCache { changing, search_path, programs_stay: OnceLock::new(), known }
    }

    fn programs_stay(&self) -> bool {
        let apart =
            |path: &str| AbsPath::new(path).is_ok_and(|path| !is_below(&self.changing, &path));
        let stays = |directory: &str| {
            let real = Path::new(directory).canonicalize();
            // A missing directory can be created by the run if the run can write there.
            let real = real.is_err() || real.is_ok_and(|real| real.to_str().is_some_and(apart));
            apart(directory) && real
        };
        let all = || self.search_path.as_ref().is_some_and(|path| path.split(':').all(stays));
        *self.programs_stay.get_or_init(all)
    }

    /// Returns whether a path lies outside everything that the run can change. The path must not
    /// contain symlinks.
    pub(crate) fn stays(&self, path: &str) -> bool {
        AbsPath::new(path).is_ok_and(|path| !is_below(&self.changing, &path))
    }

    /// Starts another question: forgets the answers of the last one.
    pub(crate) fn forget(&self) {
        let mut known = self.known();
        known.now.clear();
        if known.since.elapsed() > MOMENT {
            *known = Known::new();
        }
    }

    /// Adds what the exec gate has just seen at a path, for the question that begins.
    pub(crate) fn tell(&self, path: &Path, entry: FileEntry) {
        let Some(path) = path.to_str().filter(|path| !path.ends_with(GONE)) else { return };
        if let Ok(path) = AbsPath::new(path) {
            self.known().now.insert(path, entry);
        }
    }

    /// Returns whether a path still leads where it led before: the run can change none of its
    /// components, including symlinks.
    pub(crate) fn leads_where_it_led(&self, path: &Path) -> bool {
        let mut ahead: Vec<OsString> = names(path);
        let mut at = PathBuf::from("/");
        for _ in 0..MOST_STEPS {
            let Some(name) = ahead.pop() else { return true };
            if name == ".." {
                at.pop();
                continue;
            }
            at.push(name);
            if !at.to_str().is_some_and(|at| self.stays(at)) {
                return false;
            }
            match at.read_link() {
                Ok(target) => {
                    at.pop();
                    if target.is_absolute() {
                        at = PathBuf::from("/");
                    }
                    ahead.extend(names(&target));
                }
                // The component exists and is not a symlink.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// Returns the entry at a path, calling `look` if it is not cached.
    pub(crate) fn entry(&self, path: &AbsPath, look: impl FnOnce() -> FileEntry) -> FileEntry {
        let mut known = self.known();
        if let Some(seen) = known.now.get(path).or_else(|| known.entries.get(path)) {
            return seen.clone();
        }
        let entry = look();
        // Other processes can change the number of hard links of a file.
        let stays = matches!(entry, FileEntry::Dir | FileEntry::Link(_) | FileEntry::Missing);
        let entries = match stays && !is_below(&self.changing, path) {
            true => &mut known.entries,
            false => &mut known.now,
        };
        entries.insert(path.clone(), entry.clone());
        entry
    }

    /// Returns the file of a program, calling `look` if it is not cached.
    pub(crate) fn program(
        &self,
        name: &str,
        look: impl FnOnce() -> Option<AbsPath>,
    ) -> Option<AbsPath> {
        if !self.programs_stay() {
            return look();
        }
        let mut known = self.known();
        if let Some(seen) = known.programs.get(name) {
            return seen.clone();
        }
        let found = look();
        known.programs.insert(name.to_owned(), found.clone());
        found
    }

    /// Returns whether this user can write to a directory, calling `look` if it is not cached.
    pub(crate) fn may_write(&self, directory: &AbsPath, look: impl FnOnce() -> bool) -> bool {
        if is_below(&self.changing, directory) {
            return look();
        }
        let mut known = self.known();
        if let Some(seen) = known.writable.get(directory) {
            return *seen;
        }
        let writable = look();
        known.writable.insert(directory.clone(), writable);
        writable
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// File systems whose contents the kernel generates.
const KERNELS: [&str; 3] = ["/proc", "/sys", "/dev"];

impl Known {
    fn new() -> Known {
        Known {
            now: HashMap::new(),
            since: Instant::now(),
            entries: HashMap::new(),
            programs: HashMap::new(),
            writable: HashMap::new(),
        }
    }
}

/// Returns the components of a path in reverse order.
fn names(path: &Path) -> Vec<OsString> {
    let name = |part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    let mut names: Vec<OsString> = path.components().filter_map(name).collect();
    names.reverse();
    names
}

fn is_below(trees: &[AbsPath], path: &AbsPath) -> bool {
    trees.iter().any(|tree| path.starts_with(tree))
}

#[cfg(test)]
#[path = "lookup_cache_tests.rs"]
mod tests;
