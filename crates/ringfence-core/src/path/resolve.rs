//! From the text of a path to the path that is judged.

use super::abs_path::{Draft, check_text};
use super::expand::expand;
use super::walk::{followed, walk};
use super::{AbsPath, BadPath, EntryKind, FilePath, PathFault, process};
use crate::host::{Entry, Host};

/// Whether an operation acts on what a link at the end of a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Follow {
    /// It does: reading, writing, listing, running.
    Final,
    /// It acts on the name itself: deleting, renaming, making a link.
    Parent,
}

/// Resolves the path that a tool was given, for an operation that follows links.
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

/// Resolves the path that a tool was given.
///
/// What the path stands for is expanded and made absolute, then gone as the kernel would go it.
/// Where the kernel would fail (something on the way is missing or no directory) it is gone as
/// if the rest were to be made. A path is refused where its text cannot be told, or where
/// `..` behind a link leads the kernel to another place than a tool that first tidies up the
/// text; so `asked` and `real` are all the places that it can mean.
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

/// Resolves a path whose text is final: a word that a shell has already expanded, or a path from
/// the host itself.
pub fn resolve_literal(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    check_text(text)?;
    resolve_text(host, text, cwd, follow).map_err(|fault| BadPath::new(text, fault))
}

/// Resolves a path that is in normal form, as [`resolve_literal`] does its text.
pub fn resolve_path(
    host: &dyn Host,
    path: &AbsPath,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, BadPath> {
    match straight(host, path, follow) {
        Some((links, kind)) => {
            Ok(FilePath { asked: path.clone(), real: path.clone(), links, kind })
        }
        None => resolve_literal(host, path.as_str(), cwd, follow),
    }
}

/// What lies at a path, where it can be told at once that nothing on the way leads elsewhere.
fn straight(host: &dyn Host, asked: &AbsPath, follow: Follow) -> Option<(u64, Option<EntryKind>)> {
    if host.path_rules().windows || process::is_special(asked.as_str()) {
        return None;
    }
    let entry = host.straight(asked)?;
    match (&entry, follow) {
        (Entry::Unreadable(_), _) | (Entry::Link(_), Follow::Final) => None,
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
        && let Some((links, kind)) = straight(host, cwd, Follow::Final)
    {
        return Ok(FilePath { asked: cwd.clone(), real: cwd.clone(), links, kind });
    }
    // Nearly every text goes straight down to a place that no link leads away from.
    if let Some(asked) = AbsPath::straight_down(cwd, &text)
        && let Some((links, kind)) = straight(host, &asked, follow)
    {
        return Ok(FilePath { real: asked.clone(), asked, links, kind });
    }
    resolve_bent(host, &text, cwd, follow)
}

/// As [`resolve_text`], for a text that goes up or a way that may lead elsewhere.
fn resolve_bent(
    host: &dyn Host,
    text: &str,
    cwd: &AbsPath,
    follow: Follow,
) -> Result<FilePath, PathFault> {
    let mut draft = Draft::default();
    let absolute = match text.starts_with('/') {
        true => text,
        false => {
            [cwd.as_str(), "/", text].into_iter().for_each(|part| draft.push(part));
            draft.as_str()
        }
    };
    let asked = AbsPath::new(absolute).map_err(|error| error.fault().clone())?;
    let is_normal = absolute == asked.as_str();
    let climbs = !is_normal && absolute.split('/').any(|name| name == "..");
    if !climbs && let Some((links, kind)) = straight(host, &asked, followed(absolute, follow)) {
        return Ok(FilePath { real: asked.clone(), asked, links, kind });
    }
    let arrival = walk(host, absolute, cwd, follow)?;
    if climbs {
        let by_text = walk(host, asked.as_str(), cwd, follow)?;
        if by_text.path != arrival.path {
            let places = (arrival.path, by_text.path);
            return Err(PathFault::Disputed(Box::new(places)));
        }
    }
    let (links, kind) = (arrival.entry.links(), arrival.entry.kind());
    // Where no link lies between, both are one text.
    let real = if arrival.path == asked { asked.clone() } else { arrival.path };
    Ok(FilePath { asked, real, links, kind })
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
