//! Judges URLs and paths of repositories in git's config.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::content::is_inert;
use super::layout::exists;

/// The location of a config file, and the directories that the run can write to.
pub(crate) struct ConfigLocation<'a> {
    /// The directory that contains the config file.
    pub(crate) git_dir: &'a Path,
    /// Whether the run created the repository.
    pub(crate) is_own: bool,
    /// Returns whether the run can write below a directory.
    pub(crate) is_writable: &'a dyn Fn(&Path) -> bool,
}

/// The URL schemes for which git runs no helper chosen by the URL.
const SCHEMES: [&str; 6] = ["https", "http", "ssh", "git", "git+ssh", "ssh+git"];

impl ConfigLocation<'_> {
    /// Returns whether git can use a URL without running anything that the run could have written.
    ///
    /// Refused are helper programs, options, and repositories in directories that the run can write
    /// to. A repository that the run created may name such a directory if the repository there is
    /// inert.
    pub(crate) fn takes_url(&self, url: &str) -> bool {
        if url.is_empty() || url.starts_with('-') || has_helper(url) {
            return false;
        }
        if let Some((scheme, rest)) = url.split_once("://") {
            return match scheme {
                "file" => rest.starts_with('/') && self.takes_local(rest),
                scheme => SCHEMES.contains(&scheme) && !rest.starts_with('-'),
            };
        }
        match is_local(url) {
            true => self.takes_local(url),
            false => true,
        }
    }

    /// Returns whether a value is a known remote or an accepted URL. Git treats an unknown name as
    /// a directory, so such a name is accepted only while no directory has it.
    pub(crate) fn takes_remote(&self, value: &str, is_known: bool) -> bool {
        let is_plain = !value.is_empty()
            && !value.starts_with(['-', '.'])
            && value.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"-_.".contains(&sign));
        let is_nowhere = || self.base().is_some_and(|base| !exists(&base.join(value)));
        value == "." || is_known || is_plain && is_nowhere() || self.takes_url(value)
    }

    /// Returns whether a working tree is a directory that the run can write to, and is not inside a
    /// repository's `.git`.
    pub(crate) fn takes_working_tree(&self, value: &str) -> bool {
        let Some(path) = resolve(self.git_dir, value) else { return false };
        let is_inside = path.iter().any(|part| part.eq_ignore_ascii_case(".git"));
        !is_inside && (self.is_writable)(&path) && real(&path).is_some_and(|own| own == path)
    }

    fn takes_local(&self, path: &str) -> bool {
        let base = if path.starts_with('/') { Some(Path::new("/")) } else { self.base() };
        let Some(path) = base.and_then(|base| self.resolve(base, path)) else { return false };
        let Some(real) = real(&path) else { return false };
        let is_within = (self.is_writable)(&path) || (self.is_writable)(&real);
        !is_within || self.is_own && is_inert(&real)
    }

    /// Resolves a path without following symlinks. Returns `None` if `..` follows a directory that
    /// the run could replace by a symlink, because the path could then change its meaning.
    fn resolve(&self, base: &Path, path: &str) -> Option<PathBuf> {
        let stays = |directory: &Path| {
            let is_kept = directory.parent().is_none_or(|above| !(self.is_writable)(above));
            is_kept && real(directory).is_some_and(|own| own == directory)
        };
        resolve_if(base, path, stays)
    }

    /// Returns the directory that relative URLs start from: the working tree around `.git`, or the
    /// bare repository. Returns `None` for a submodule or worktree.
    fn base(&self) -> Option<&Path> {
        match self.git_dir.ends_with(".git") {
            true => self.git_dir.parent(),
            false if self.git_dir.iter().any(|part| part == ".git") => None,
            false => Some(self.git_dir),
        }
    }
}

/// Returns whether a URL starts with the name of a helper program, such as `ext::`.
fn has_helper(url: &str) -> bool {
    url.split_once("::").is_some_and(|(before, _)| !before.ends_with('['))
}

/// Returns whether git treats a URL as a path: the first `/` comes before any `:`.
fn is_local(url: &str) -> bool {
    let host = url.split('/').next().unwrap_or_default();
    !host.contains(':')
}

/// Resolves a path without following symlinks. Returns `None` if `..` follows a name, which could
/// be a symlink.
pub(super) fn resolve(base: &Path, path: &str) -> Option<PathBuf> {
    resolve_if(base, path, |_| false)
}

/// Resolves a path without following symlinks; `..` may follow only directories for which `stays`
/// returns true.
fn resolve_if(base: &Path, path: &str, stays: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = Path::new(path);
    let mut resolved = if path.is_absolute() { PathBuf::from("/") } else { base.to_owned() };
    let mut is_named = path.is_absolute();
    for part in path.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            Component::ParentDir if !is_named || stays(&resolved) => {
                resolved.pop();
            }
            Component::Normal(name) => {
                is_named = true;
                resolved.push(name);
            }
            Component::ParentDir | Component::Prefix(_) => return None,
        }
    }
    Some(resolved)
}

/// Follows the symlinks in the existing part of a path.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    for above in path.ancestors() {
        match fs::symlink_metadata(above) {
            Ok(_) => {
                let rest = path.strip_prefix(above).ok()?;
                // The target of a dangling symlink can be created later, anywhere.
                let real = fs::canonicalize(above).ok()?;
                return Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
            }
            Err(error) if is_missing(&error) => {}
            Err(_) => return None,
        }
    }
    None
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
