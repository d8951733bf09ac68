//! The files that belong to the repository: tracked, or new and not ignored.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::Failure;

/// All files of the repository, with their text.
#[derive(Debug)]
pub(super) struct Tree {
    files: Vec<File>,
}

/// One file.
#[derive(Debug)]
pub(super) struct File {
    /// The path from the root, with `/` between components.
    pub(super) path: String,
    /// What it says; `None` where that is not UTF-8.
    pub(super) text: Option<String>,
}

impl Tree {
    /// The tree as git and the file system show it now.
    pub(super) fn scan(root: &Path) -> Result<Tree, Failure> {
        let mut files = Vec::new();
        for path in list(root)? {
            match fs::read(root.join(&path)) {
                Ok(bytes) => files.push(File { path, text: String::from_utf8(bytes).ok() }),
                // Tracked, but deleted in the work tree; or a link to a directory.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::NotFound | io::ErrorKind::IsADirectory
                    ) => {}
                Err(error) => return Err(Failure(format!("`{path}`: {error}"))),
            }
        }
        Ok(Tree { files })
    }

    /// A tree of these paths and texts.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        let file = |(path, text): &(&str, &str)| File {
            path: (*path).to_owned(),
            text: Some((*text).to_owned()),
        };
        Tree { files: files.iter().map(file).collect() }
    }

    /// Every file, in order of paths.
    pub(super) fn files(&self) -> &[File] {
        &self.files
    }

    /// Path and text of every text file whose path `wanted` takes.
    pub(super) fn texts<'tree>(
        &'tree self,
        wanted: impl Fn(&str) -> bool + 'tree,
    ) -> impl Iterator<Item = (&'tree str, &'tree str)> {
        self.files
            .iter()
            .filter(move |file| wanted(&file.path))
            .filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)))
    }

    /// Path and text of every Rust source file.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts(|path| path.ends_with(".rs"))
    }
}

fn list(root: &Path) -> Result<Vec<String>, Failure> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| Failure(format!("`git ls-files` could not start: {error}")))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(Failure(format!("`git ls-files`: {}", complaint.trim_end())));
    }
    let listing = String::from_utf8(output.stdout)
        .map_err(|_| Failure("a file's name is not UTF-8".to_owned()))?;
    let mut paths: Vec<String> =
        listing.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;
