//! Recognizes directories that git treats as repositories.
//!
//! Git looks at a directory's contents, not its name. A directory with `HEAD`, `objects` and `refs`
//! is a repository, and so is one with `HEAD` and `commondir`. A run can create such a directory
//! under any name and in any order, or move one into place.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ringfence_sandbox::gate::{Change, Deed};

/// The files and directories that make a directory a repository.
const MARKS: [&str; 4] = ["HEAD", "objects", "refs", "commondir"];
/// The config files, and the file that leads to a directory with another config file.
const FILES: [&str; 3] = ["config", "config.worktree", "commondir"];
/// The directories in which git finds hooks and old-style remotes.
const DIRECTORIES: [&str; 3] = ["hooks", "remotes", "branches"];

/// The kind of a file through which git could run a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GitFileKind {
    /// A config file.
    Config,
    /// The file that leads from a worktree to its repository.
    CommonDir,
    /// The file or symlink named `.git`.
    DotGit,
    /// A hook, an old-style remote, or a symlink in place of one; never accepted by content.
    Never,
}

/// A file through which git could run a program, as it will be after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SensitiveFile {
    pub(crate) kind: GitFileKind,
    /// The repository's directory.
    pub(crate) git_dir: PathBuf,
    /// The path after the change.
    pub(crate) path: PathBuf,
    /// The path before the change, or `None` if the content is written later.
    pub(crate) source: Option<PathBuf>,
}

impl SensitiveFile {
    /// Returns the path under which rules on `.git` match the file.
    pub(crate) fn alias(&self) -> PathBuf {
        let below = self.path.strip_prefix(&self.git_dir).unwrap_or(&self.path);
        self.git_dir.join(".git").join(below)
    }
}

/// A change, and the state of the file system after it.
pub(crate) struct StateAfter<'a> {
    change: &'a Change,
    moved: BTreeMap<&'a Path, &'a Path>,
}

impl<'a> StateAfter<'a> {
    pub(crate) fn of(change: &'a Change) -> StateAfter<'a> {
        let mut moved = BTreeMap::new();
        for pair in change.deeds.windows(2) {
            if let [(Deed::Delete, from), (Deed::Write, to)] = pair {
                moved.insert(to.as_path(), from.as_path());
            }
        }
        StateAfter { change, moved }
    }

    /// Returns the path from which a file is moved to `path`.
    pub(crate) fn source_of(&self, path: &Path) -> Option<&'a Path> {
        self.moved.get(path).copied()
    }

    /// Returns whether the change creates a symlink at a path.
    pub(crate) fn is_link(&self, path: &Path) -> bool {
        self.change.links.iter().any(|link| link.at == path)
    }

    /// Returns the sensitive files in directories that are repositories after the change but are
    /// not named `.git`, and the directories that become repositories.
    pub(crate) fn sensitive(&self) -> (Vec<SensitiveFile>, Vec<PathBuf>) {
        let (mut found, mut becoming) = (Vec::new(), Vec::new());
        for (deed, path) in &self.change.deeds {
            if !matches!(deed, Deed::Write | Deed::MakeDirectory) {
                continue;
            }
            let (Some(name), Some(directory)) = (path.file_name(), path.parent()) else { continue };
            if is_one_of(&FILES, name) && self.is_repository(directory) {
                found.push(self.file(directory, path));
            }
            if is_one_of(&DIRECTORIES, name) && self.is_link(path) && self.is_repository(directory)
            {
                found.push(never(directory, path.clone()));
            }
            let above = directory.parent().filter(|_| is_listed(directory, name));
            if let Some(above) = above.filter(|above| self.is_repository(above)) {
                found.push(never(above, path.clone()));
            }
            let is_new = is_one_of(&MARKS, name) && self.is_repository(directory);
            if is_new && !is_repository(directory) && !becoming.iter().any(|own| own == directory) {
                found.extend(self.contents(directory));
                becoming.push(directory.to_owned());
            }
        }
        found.dedup();
        (found, becoming)
    }

    /// Returns the sensitive files in a directory that is about to become a repository.
    fn contents(&self, directory: &Path) -> Vec<SensitiveFile> {
        let files = FILES.iter().map(|name| directory.join(name)).filter(|path| exists(path));
        let mut found: Vec<SensitiveFile> = files.map(|path| self.file(directory, &path)).collect();
        for name in DIRECTORIES {
            match listed(&directory.join(name)) {
                Ok(paths) => found.extend(paths.into_iter().map(|path| never(directory, path))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // A symlink, or a directory that cannot be read.
                Err(_) => found.push(never(directory, directory.join(name))),
            }
        }
        found
    }

    fn file(&self, directory: &Path, path: &Path) -> SensitiveFile {
        let kind =
            if path.ends_with("commondir") { GitFileKind::CommonDir } else { GitFileKind::Config };
        let is_written =
            self.change.deeds.iter().any(|(deed, own)| *deed == Deed::Write && own == path);
        let source = match self.source_of(path) {
            Some(from) => Some(from.to_owned()),
            None if is_written => None,
            None => Some(path.to_owned()),
        };
        let (git_dir, path) = (directory.to_owned(), path.to_owned());
        SensitiveFile { kind, git_dir, path, source }
    }

    /// Returns whether a directory is a repository after the change. Directories named `.git` are
    /// excluded, because rules match them by name.
    fn is_repository(&self, directory: &Path) -> bool {
        let has = |name: &str| self.exists(&directory.join(name));
        !directory.ends_with(".git")
            && has("HEAD")
            && (has("objects") && has("refs") || has("commondir"))
    }

    fn exists(&self, path: &Path) -> bool {
        let makes = |(deed, own): &(Deed, PathBuf)| {
            matches!(deed, Deed::Write | Deed::MakeDirectory) && own == path
        };
        exists(path) || self.change.deeds.iter().any(makes)
    }
}

fn never(directory: &Path, path: PathBuf) -> SensitiveFile {
    SensitiveFile { kind: GitFileKind::Never, git_dir: directory.to_owned(), path, source: None }
}

fn is_one_of(names: &[&str], name: &OsStr) -> bool {
    names.iter().any(|own| name == *own)
}

/// Returns whether git reads a file with this name in a directory of hooks or remotes.
fn is_listed(directory: &Path, name: &OsStr) -> bool {
    let is_sample = || name.as_encoded_bytes().ends_with(b".sample");
    let is_kept = directory.file_name().is_some_and(|own| is_one_of(&DIRECTORIES, own));
    is_kept && !(directory.ends_with("hooks") && is_sample())
}

/// Lists the files that git reads in a directory of hooks or remotes.
fn listed(directory: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::symlink_metadata(directory)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_listed(directory, &entry.file_name()) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// Returns whether a path exists, or cannot be checked.
pub(crate) fn exists(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => {
            !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        }
    }
}

/// Returns whether git treats a directory as a repository.
pub(crate) fn is_repository(directory: &Path) -> bool {
    let has = |name: &str| exists(&directory.join(name));
    has("HEAD") && (has("objects") && has("refs") || has("commondir"))
}

/// Returns whether a repository has neither hooks nor old-style remotes.
pub(crate) fn is_bare_of_programs(git_dir: &Path) -> bool {
    DIRECTORIES.iter().all(|name| match listed(&git_dir.join(name)) {
        Ok(found) => found.is_empty(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    })
}

/// Returns the kind of a file below a directory `.git`, judged by its name.
pub(crate) fn kind_by_name(path: &Path) -> Option<GitFileKind> {
    if path.ends_with(".git") {
        return Some(GitFileKind::DotGit);
    }
    let name = path.file_name()?;
    let is_below = path.iter().any(|part| part == ".git");
    match is_below && is_one_of(&FILES, name) {
        true if name == "commondir" => Some(GitFileKind::CommonDir),
        true => Some(GitFileKind::Config),
        false => None,
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
