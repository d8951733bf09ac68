//! What git could bring back of the files below a directory.
//!
//! Git's index and its lists of ignored names are read by a strict subset of their formats. What is
//! not read with certainty counts as work that would be lost. Nothing is run: git's own program
//! takes settings from the tree.

use std::collections::BTreeMap;

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::AbsPath;

use super::git_ignored::IgnoredNames;
use super::git_index::{IndexEntry, blob_id, read_index};
use super::git_objects::ObjectStore;

/// The most entries that are looked at below the deleted paths of one call.
const MAX_ENTRIES: usize = 100_000;
/// The longest file whose content is compared.
const MAX_FILE: usize = 8 << 20;
/// The most bytes that are compared in one call.
const MAX_BYTES: usize = 64 << 20;
/// The longest index that is read.
const MAX_INDEX: usize = 32 << 20;

/// A working tree as git sees it.
pub(super) struct GitView<'h> {
    host: &'h dyn Host,
    root: AbsPath,
    /// The tracked files by their paths below the root; `None` for what git cannot bring back.
    tracked: BTreeMap<String, Option<IndexEntry>>,
    ignored: IgnoredNames<'h>,
    store: ObjectStore<'h>,
    entries: usize,
    bytes: usize,
}

impl<'h> GitView<'h> {
    /// Reads the index of a working tree; `None` if the directory has no repository of its own that
    /// can be read with certainty.
    pub(super) fn of(host: &'h dyn Host, root: &AbsPath) -> Option<GitView<'h>> {
        let git = root.child(".git").ok()?;
        if host.entry(&git) != FileEntry::Dir {
            return None;
        }
        let index = git.child("index").ok()?;
        let tracked = match host.entry(&index) {
            FileEntry::Missing => BTreeMap::new(),
            FileEntry::File { .. } => read_index(&host.read(&index, MAX_INDEX).ok()?)?,
            _ => return None,
        };
        let staged = |directory: &str| {
            let name = match directory {
                "" => ".gitignore".to_owned(),
                own => format!("{own}/.gitignore"),
            };
            tracked.get(&name).copied().flatten().filter(|own| !own.is_link).map(|own| own.id)
        };
        let lists = tracked.keys().filter_map(|path| match path.rsplit_once('/') {
            Some((directory, ".gitignore")) => Some(directory),
            None if path == ".gitignore" => Some(""),
            _ => None,
        });
        let lists = lists.filter_map(|own| Some((own.to_owned(), staged(own)?))).collect();
        let ignored = IgnoredNames::new(host, root.clone(), lists);
        let store = ObjectStore::new(host, git.child("objects").ok()?);
        let root = root.clone();
        Some(GitView { host, root, tracked, ignored, store, entries: 0, bytes: 0 })
    }

    /// Returns whether nothing is lost with a path and everything below it: each file is ignored, or
    /// tracked and as it was staged. Never true for the root, nor for a repository.
    pub(super) fn can_restore(&mut self, path: &AbsPath) -> bool {
        let Some(below) = self.below_root(path) else { return false };
        let names: Vec<&str> = below.split('/').collect();
        if names.iter().any(|name| is_git(name)) {
            return false;
        }
        let mut is_ignored = false;
        for end in 1..names.len() {
            let directory = names.get(..end).unwrap_or_default();
            is_ignored |= self.ignored.contains(directory, true);
        }
        self.is_restorable(path, &below, is_ignored)
    }

    /// The same for every entry below a directory whose name `is_meant`, and all below it.
    pub(super) fn can_restore_named(
        &mut self,
        directory: &AbsPath,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> bool {
        let mut open = vec![directory.clone()];
        while let Some(directory) = open.pop() {
            let Some(names) = self.host.list(&directory) else { return false };
            for name in names {
                let Ok(path) = directory.child(&name) else { return false };
                if !self.count() {
                    return false;
                }
                let is_dir = self.host.entry(&path) == FileEntry::Dir;
                match is_meant(&name) {
                    true if !self.can_restore(&path) => return false,
                    false if is_dir => open.push(path),
                    _ => {}
                }
            }
        }
        true
    }

    fn is_restorable(&mut self, path: &AbsPath, below: &str, is_ignored: bool) -> bool {
        if !self.count() {
            return false;
        }
        let names: Vec<&str> = below.split('/').collect();
        let entry = self.host.entry(path);
        match entry {
            FileEntry::Missing => true,
            FileEntry::Unreadable(_) => false,
            FileEntry::Dir => {
                let is_ignored = is_ignored || self.ignored.contains(&names, true);
                let Some(children) = self.host.list(path) else { return false };
                children.iter().all(|name| {
                    !is_git(name)
                        && path.child(name).is_ok_and(|child| {
                            self.is_restorable(&child, &format!("{below}/{name}"), is_ignored)
                        })
                })
            }
            entry => match self.tracked.get(below).copied() {
                Some(tracked) => tracked.is_some_and(|own| self.is_as_staged(path, &entry, own)),
                None => is_ignored || self.ignored.contains(&names, false),
            },
        }
    }

    /// Returns whether a file has exactly the content that was staged, and git keeps that content.
    fn is_as_staged(&mut self, path: &AbsPath, entry: &FileEntry, staged: IndexEntry) -> bool {
        let content = match entry {
            FileEntry::File { .. } if !staged.is_link => self.host.read(path, MAX_FILE).ok(),
            FileEntry::Link(target) if staged.is_link => Some(target.as_bytes().to_vec()),
            _ => None,
        };
        let Some(content) = content else { return false };
        self.bytes = self.bytes.saturating_add(content.len());
        // Nothing is lost with an empty file, whose content git knows without its store.
        self.bytes <= MAX_BYTES
            && blob_id(&content) == staged.id
            && (content.is_empty() || self.store.has(&staged.id))
    }

    /// Counts one entry; false if there are too many.
    fn count(&mut self) -> bool {
        self.entries = self.entries.saturating_add(1);
        self.entries <= MAX_ENTRIES
    }

    /// Returns the path below the root; `None` for the root itself and what is not below it.
    fn below_root(&self, path: &AbsPath) -> Option<String> {
        let rest = path.as_str().strip_prefix(self.root.as_str())?.strip_prefix('/')?;
        (!rest.is_empty()).then(|| rest.to_owned())
    }
}

/// Returns whether a name is one of a repository's directory, on any file system.
fn is_git(name: &str) -> bool {
    name.eq_ignore_ascii_case(".git")
}
