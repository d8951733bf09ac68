//! Further names of hidden files: hard links.
//!
//! A file is judged by the name that it is opened by. If it has several, one of the others may be
//! hidden, and only a look through the trees tells which names those are. Nothing is looked through
//! before a file with several names is opened, so that a run whose files have one name each never pays for it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ringfence_core::judge::PathStates;
use ringfence_core::path::{AbsPath, EntryKind};

use super::build::{Directory, KERNEL_TREES, os_str};
use super::hiding::{Hidden, as_listed};
use super::{FilePlan, Rights};
use crate::sys::{Inode, inode_of};

/// The most names that are looked at in directories which nobody changed since the run began.
const MOST_OLD: usize = 1_000_000;
/// The most in those that somebody changed since.
const MOST_NEW: usize = 1_000_000;
/// The kernel's clock for times of files is this much behind, at most.
const GRANULARITY: i64 = 1;

/// The hidden files that were found, by inode.
#[derive(Debug, Default)]
pub(crate) struct LinkedFiles {
    found: HashMap<Inode, Vec<PathBuf>>,
    /// Whether the run may have made so many names that not all could be looked at.
    is_flooded: bool,
}

impl LinkedFiles {
    /// Returns whether a file with several names must be hidden because of one of them.
    pub(crate) fn hide(&self, inode: Inode) -> bool {
        let still = |own: &PathBuf| {
            use std::os::unix::fs::MetadataExt;
            let now = std::fs::symlink_metadata(own);
            now.is_ok_and(|now| (now.dev(), now.ino()) == inode)
        };
        self.is_flooded || self.found.get(&inode).is_some_and(|names| names.iter().any(still))
    }

    /// Looks through the readable trees of a plan, for a run that began at this time.
    pub(crate) fn find(hidden: &Hidden, files: &FilePlan, began: SystemTime) -> LinkedFiles {
        let began = began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let began = i64::try_from(began).unwrap_or(i64::MAX).saturating_sub(GRANULARITY);
        let mut search =
            Search { hidden, files, began, old: MOST_OLD, new: MOST_NEW, found: HashMap::new() };
        let is_flooded = roots(hidden, files).iter().any(|root| search.look_below(root).is_none());
        LinkedFiles { found: search.found, is_flooded }
    }
}

/// Returns the topmost directories that are read, under every name that they have.
fn roots(hidden: &Hidden, files: &FilePlan) -> Vec<PathBuf> {
    let readable = files.trees.iter().filter(|own| own.rights.has(Rights::READ));
    let mut roots: Vec<PathBuf> = readable.map(|own| own.path.clone()).collect();
    if !hidden.mounts.is_empty() {
        let others = roots.iter().flat_map(|own| {
            let below = hidden.mounts.names_below(own).into_iter().map(|(_, other)| other);
            hidden.mounts.names(own).into_iter().chain(below).collect::<Vec<PathBuf>>()
        });
        let others: Vec<PathBuf> = others.collect();
        roots.extend(others);
    }
    roots.sort();
    let mut topmost: Vec<PathBuf> = Vec::new();
    for root in roots {
        if !topmost.last().is_some_and(|last| root.starts_with(last)) {
            topmost.push(root);
        }
    }
    topmost
}

struct Search<'a> {
    hidden: &'a Hidden,
    files: &'a FilePlan,
    /// When the run began, in seconds.
    began: i64,
    /// How many more names are looked at.
    old: usize,
    new: usize,
    found: HashMap<Inode, Vec<PathBuf>>,
}

impl Search<'_> {
    /// Looks through a directory and all below it; `None` if the run may have made too many names. If
    /// there are too many that the run did not make, the rest is left out.
    fn look_below(&mut self, root: &Path) -> Option<()> {
        let Some(known) = as_listed(root) else { return Some(()) };
        let states = self.hidden.all().at(&known);
        let mut open: Vec<(AbsPath, PathBuf, PathStates)> = vec![(known, root.to_owned(), states)];
        let mut states = PathStates::default();
        while let Some((path, host_path, from)) = open.pop() {
            if self.is_left_out(&host_path) {
                continue;
            }
            let Ok(directory) = Directory::open_itself(&host_path) else { continue };
            let is_new = directory.about().is_none_or(|about| about.st_ctime >= self.began);
            let mut is_over = false;
            directory.each(|name, kind| {
                let left = if is_new { &mut self.new } else { &mut self.old };
                is_over |= *left == 0;
                *left = left.saturating_sub(1);
                if is_over || kind == EntryKind::Link {
                    return;
                }
                let name_as_text = name.to_string_lossy();
                self.hidden.all().step(&from, &name_as_text, &mut states);
                if states.is_over() {
                    return;
                }
                let Some(path) = path.listed(&name_as_text) else { return };
                if kind == EntryKind::Dir {
                    open.push((path, host_path.join(os_str(name)), states.clone()));
                } else if self.hidden.hides_file(&path, &states)
                    && let Some(about) = directory.stat(name)
                {
                    let names = self.found.entry(inode_of(&about)).or_default();
                    names.push(host_path.join(os_str(name)));
                }
            });
            match is_over {
                true if is_new => return None,
                true => return Some(()),
                false => {}
            }
        }
        Some(())
    }

    /// Returns whether a directory is the run's own, or what is hidden in it is covered.
    fn is_left_out(&self, directory: &Path) -> bool {
        let is_below = |own: &Path| directory.starts_with(own);
        KERNEL_TREES.iter().any(|own| is_below(Path::new(own)))
            || self.hidden.is_private(directory)
            || self.files.passed.iter().any(|own| is_below(own))
    }
}

#[cfg(test)]
#[path = "linked_tests.rs"]
mod tests;
