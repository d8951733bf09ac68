//! Resolution of a path text to the path that is judged.

use super::abs_path::{TextBuffer, check_text};
use super::expand::expand;
use super::walk::{followed, walk};
use super::{AbsPath, BadPath, EntryKind, FilePath, PathFault, proc_names};
use crate::host::{FileEntry, Host};

/// Whether an operation follows a link at the end of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Follow {
    /// Follows it: reading, writing, listing, running.
    Final,
    /// Acts on the link itself: deleting, renaming, making a link.
    Parent,
}

/// Resolves a path that a tool received, for an operation that follows links.
///
/// `~`, `~user`, leading variables and `file:` URLs are expanded; see [`resolve_as`].
pub fn resolve(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    home: &AbsPath,
) -> Result<FilePath, BadPath> {
    resolve_as(host, text, cwd, home, Follow::Final)
}

/// Resolves a path that a tool received.
///
/// The text is expanded, made absolute, and resolved as the kernel does. Missing parent entries are
/// treated as directories that will be created.
///
/// An ambiguous text is refused. A path is also refused if `..` follows a link, so that the kernel
/// reaches another path than a tool that normalises the text first. So `asked` and `real` are all
/// the paths that the text can mean.
pub fn resolve_as(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    home: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    check_text(text)?;
    let bad = |fault| BadPath::new(text, fault);
    let expanded = expand(host, text, home).map_err(bad)?;
    resolve_text(host, &expanded, cwd, follow).map_err(bad)
}

/// Resolves a path without expansion: a word that a shell has already expanded, or a path from the
/// host.
pub fn resolve_literal(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    check_text(text)?;
    resolve_text(host, text, cwd, follow).map_err(|fault| BadPath::new(text, fault))
}

/// Resolves a path in normal form, like [`resolve_literal`].
pub fn resolve_path(
    host: &dyn Host,
    path: &AbsPath,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    match resolve_link_free(host, path, follow) {
        Some((links, kind)) => {
            Ok(FilePath { asked: path.clone(), real: path.clone(), links, kind })
        }
        None => resolve_literal(host, path.as_str(), cwd, follow),
    }
}

/// Returns link count and kind of the entry at a path, if the host quickly knows that no parent is
/// a link.
fn resolve_link_free(
    host: &dyn Host,
    asked: &AbsPath,
    follow: Follow,
) -> Option<(u64, Option<EntryKind>)> {
    if host.path_rules().windows || proc_names::is_special(asked.as_str()) {
        return None;
    }
    let entry = host.entry_if_link_free(asked)?;
    match (&entry, follow) {
        (FileEntry::Unreadable(_), _) | (FileEntry::Link(_), Follow::Final) => None,
        _ => Some((entry.links(), entry.kind())),
    }
}

fn resolve_text(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, PathFault> {
    let text = host.path_rules().clean(text)?;
    if text == "."
        && let Some((links, kind)) = resolve_link_free(host, cwd, Follow::Final)
    {
        return Ok(FilePath { asked: cwd.clone(), real: cwd.clone(), links, kind });
    }
    // Most texts descend to a path without links.
    if let Some(asked) = AbsPath::join_descending(cwd, &text)
        && let Some((links, kind)) = resolve_link_free(host, &asked, follow)
    {
        return Ok(FilePath { real: asked.clone(), asked, links, kind });
    }
    resolve_by_walk(host, &text, cwd, follow)
}

/// Like [`resolve_text`], for a text with `..` or a path that may contain links.
fn resolve_by_walk(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, PathFault> {
    let mut buffer = TextBuffer::default();
    let absolute = match text.starts_with('/') {
        true => text,
        false => {
            [cwd.as_str(), "/", text].into_iter().for_each(|part| buffer.push(part));
            buffer.as_str()
        }
    };
    let asked = AbsPath::new(absolute).map_err(|error| error.fault().clone())?;
    let is_normal = absolute == asked.as_str();
    let climbs = !is_normal && absolute.split('/').any(|name| name == "..");
    if !climbs
        && let Some((links, kind)) = resolve_link_free(host, &asked, followed(absolute, follow))
    {
        return Ok(FilePath { real: asked.clone(), asked, links, kind });
    }
    let end = walk(host, absolute, cwd, follow)?;
    if climbs {
        let by_text = walk(host, asked.as_str(), cwd, follow)?;
        if by_text.path != end.path {
            let places = (end.path, by_text.path);
            return Err(PathFault::Disputed(Box::new(places)));
        }
    }
    let (links, kind) = (end.entry.links(), end.entry.kind());
    // Without links, both paths share one text.
    let real = if end.path == asked { asked.clone() } else { end.path };
    Ok(FilePath { asked, real, links, kind })
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
