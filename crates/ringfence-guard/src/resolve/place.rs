//! Paths in directories whose own names read like something to be expanded: `/home/u/$(touch x)/a`.
//!
//! The directory in which a call is made is a fact and no text of anybody. What a path has of it is taken
//! as it stands; only what follows is read as paths of calls are.

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

/// Returns the file that a path means, from the first of the known directories on.
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
        // A name behind it may begin with `~`, which means nothing there.
        Some((own, rest)) => resolve_as(host, &format!(".{rest}"), own, home, follow),
        None => {
            let mut known_directories = known_directories;
            let cwd = known_directories.next().unwrap_or(home);
            resolve_as(host, text, cwd, home, follow)
        }
    }
}

/// A directory that is there, by its own name.
fn known(host: &dyn Host, path: AbsPath) -> Result<FilePath, BadPath> {
    let resolved = resolve_path(host, &path, &path, Follow::Final);
    Ok(resolved.unwrap_or_else(|_| FilePath::named(path)))
}

/// Whether a path could be read as more than names.
fn is_odd(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+,".contains(&byte))
}

/// An absolute path whose names are meant as they stand.
fn literal(text: &str) -> Option<AbsPath> {
    let mut names = text.strip_prefix('/')?.split('/');
    names.try_fold(AbsPath::new("/").ok()?, |path, name| path.listed(name))
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
