//! Resolves paths below directories whose names look like shell expansions: `/home/u/$(touch x)/a`.
//!
//! The directory of a call is a fact, not text from the call. Its part of a path is taken
//! literally; only the rest is expanded like other paths.

use ringfence_core::host::Host;
use ringfence_core::path::{
    AbsPath, BadPath, EntryKind, FilePath, Follow, resolve_as, resolve_path,
};

/// Returns the directory in which a call is made.
pub(super) fn directory(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    home: &AbsPath,
) -> Result<FilePath, BadPath> {
    let as_it_stands = Some(text).filter(|text| is_odd(text)).and_then(literal);
    let is_there = |path: &AbsPath| host.entry(path).kind() == Some(EntryKind::Dir);
    match as_it_stands.filter(is_there) {
        Some(path) => known(host, path),
        None => resolve_as(host, text, cwd, home, Follow::Final),
    }
}

/// Returns the file that a path names, relative to the first of the known directories.
pub(super) fn file<'k>(
    host: &dyn Host,
    text: &str,
    known_directories: impl Iterator<Item = &'k AbsPath> + Clone,
    home: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    let below = |own: &'k AbsPath| {
        let rest = text.strip_prefix(own.as_str()).filter(|_| is_odd(own.as_str()))?;
        (rest.is_empty() || rest.starts_with('/')).then_some((own, rest))
    };
    match known_directories.clone().find_map(below) {
        Some((own, "")) => known(host, own.clone()),
        // After a directory, a name that begins with `~` is literal.
        Some((own, rest)) => resolve_as(host, &format!(".{rest}"), own, home, follow),
        None => {
            let mut known_directories = known_directories;
            let cwd = known_directories.next().unwrap_or(home);
            resolve_as(host, text, cwd, home, follow)
        }
    }
}

/// Returns an existing directory by its literal name.
fn known(host: &dyn Host, path: AbsPath) -> Result<FilePath, BadPath> {
    let resolved = resolve_path(host, &path, &path, Follow::Final);
    Ok(resolved.unwrap_or_else(|_| FilePath::named(path)))
}

/// Returns whether a path contains characters that could be expanded.
fn is_odd(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+,".contains(&byte))
}

/// Returns an absolute path whose names are taken literally.
fn literal(text: &str) -> Option<AbsPath> {
    let mut names = text.strip_prefix('/')?.split('/');
    names.try_fold(AbsPath::new("/").ok()?, |path, name| path.listed(name))
}

#[cfg(test)]
#[path = "literal_dirs_tests.rs"]
mod tests;
