//! What was looked up for the judge while a tree runs.
//!
//! A judgement asks several times for the same, and is to be told the same. Where the tree can
//! change nothing, the same is told for a moment longer: hundreds of programs are started in that
//! time, mostly the same ones from the same directories.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ringfence_core::host::FileEntry;
use ringfence_core::path::AbsPath;
use ringfence_sandbox::plan::{FilePlan, Rights};

/// For so long it is told what was seen where the tree can change nothing. What others change there
/// is seen after that.
const MOMENT: Duration = Duration::from_secs(1);

/// What the kernel adds to a name that something had.
const GONE: &str = " (deleted)";
/// The most steps of one way.
const MOST_STEPS: usize = 256;

/// What was looked up.
#[derive(Debug)]
pub(crate) struct Seen {
    /// What the tree may change, has for itself, or is made up by the kernel.
    changing: Vec<AbsPath>,
    /// Where programs are looked for.
    search_path: Option<String>,
    /// Whether these are directories alone in which the tree changes nothing, once that was asked.
    programs_stay: OnceLock<bool>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    /// For the question that is being judged.
    now: HashMap<AbsPath, FileEntry>,
    /// Since when the rest is known.
    since: Instant,
    entries: HashMap<AbsPath, FileEntry>,
    programs: HashMap<String, Option<AbsPath>>,
    writable: HashMap<AbsPath, bool>,
}

impl Seen {
    /// Nothing yet, for a tree that is held to this, whose programs are found by this `PATH`.
    pub(crate) fn new(files: &FilePlan, search_path: Option<String>) -> Seen {
        let changes = |rights: Rights| rights.has(Rights::WRITE) || rights.has(Rights::DELETE);
        let written = files.trees.iter().filter(|tree| changes(tree.rights));
        let written = written.flat_map(|tree| {
            [tree.path.clone()].into_iter().chain(files.mounts.all_names(&tree.path))
        });
        let own = files.private.iter().cloned().chain(KERNELS.iter().map(PathBuf::from));
        let changing = written.chain(own).filter_map(|path| AbsPath::new(path.to_str()?).ok());
        let (changing, known) = (changing.collect(), Mutex::new(Known::new()));
        Seen { changing, search_path, programs_stay: OnceLock::new(), known }
    }

    fn programs_stay(&self) -> bool {
        let apart =
            |path: &str| AbsPath::new(path).is_ok_and(|path| !is_below(&self.changing, &path));
        let stays = |directory: &str| {
            let real = Path::new(directory).canonicalize();
            // What is not there yet may be made by the tree where it may make something.
            let real = real.is_err() || real.is_ok_and(|real| real.to_str().is_some_and(apart));
            apart(directory) && real
        };
        let all = || self.search_path.as_ref().is_some_and(|path| path.split(':').all(stays));
        *self.programs_stay.get_or_init(all)
    }

    /// Whether the tree can change nothing at a path that is free of links.
    pub(crate) fn stays(&self, path: &str) -> bool {
        AbsPath::new(path).is_ok_and(|path| !is_below(&self.changing, &path))
    }

    /// Begins another question.
    pub(crate) fn forget(&self) {
        let mut known = self.known();
        known.now.clear();
        if known.since.elapsed() > MOMENT {
            *known = Known::new();
        }
    }

    /// The gate has just seen what lies at a path, for the question that begins.
    pub(crate) fn tell(&self, path: &Path, entry: FileEntry) {
        let Some(path) = path.to_str().filter(|path| !path.ends_with(GONE)) else { return };
        if let Ok(path) = AbsPath::new(path) {
            self.known().now.insert(path, entry);
        }
    }

    /// Whether a path leads where it led a moment ago: the tree can change nothing on the way, of
    /// which links are a part.
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
                // It is there, and no link.
                Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                Err(_) => return false,
            }
        }
        false
    }

    /// What lies at a path.
    pub(crate) fn entry(&self, path: &AbsPath, look: impl FnOnce() -> FileEntry) -> FileEntry {
        let mut known = self.known();
        if let Some(seen) = known.now.get(path).or_else(|| known.entries.get(path)) {
            return seen.clone();
        }
        let entry = look();
        // How many names a file has can be changed from elsewhere.
        let stays = matches!(entry, FileEntry::Dir | FileEntry::Link(_) | FileEntry::Missing);
        let entries = match stays && !is_below(&self.changing, path) {
            true => &mut known.entries,
            false => &mut known.now,
        };
        entries.insert(path.clone(), entry.clone());
        entry
    }

    /// The file of a program.
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

    /// Whether a directory can be written by this user.
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

/// What the kernel makes up.
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

/// The names of a path, the first one last.
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
#[path = "seen_tests.rs"]
mod tests;
