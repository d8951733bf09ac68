//! Judges files and symlinks that lead git from one directory to another.

use std::path::{Component, Path, PathBuf};

use super::url::{real, resolve};

/// Returns whether a `.git` file contains only `gitdir: PATH`, and the path is a directory in which
/// git keeps a submodule or a worktree.
pub(crate) fn is_plain_file(at: &Path, content: &[u8]) -> bool {
    let text = std::str::from_utf8(content).ok();
    let path = text.and_then(|text| text.strip_prefix("gitdir: "));
    let path = path.map(|path| path.strip_suffix('\n').unwrap_or(path));
    path.is_some_and(|path| is_plain_target(at, path))
}

/// Returns whether a symlink named `.git` may lead to a path. The path must be below `.git/modules`
/// or `.git/worktrees`, where every name is judged, and contain no symlink.
pub(crate) fn is_plain_target(at: &Path, path: &str) -> bool {
    let is_text = !path.is_empty() && path == path.trim() && !path.contains(char::is_control);
    let target = at.parent().filter(|_| is_text).and_then(|base| resolve(base, path));
    target.is_some_and(|target| is_kept_by_git(&target) && real(&target) == Some(target))
}

/// Returns whether a worktree's `commondir` file has the content that git gives it.
pub(crate) fn is_plain_common(at: &Path, content: &[u8]) -> bool {
    let is_worktrees =
        at.parent().and_then(Path::parent).is_some_and(|own| own.ends_with("worktrees"));
    is_worktrees && at.iter().any(|part| part == ".git") && matches!(content, b"../..\n" | b"../..")
}

/// Returns whether a directory lies below `.git/modules` or `.git/worktrees`.
fn is_kept_by_git(target: &Path) -> bool {
    let mut parts = target.components().skip_while(|part| !is(*part, ".git")).skip(1);
    let is_kept = parts.next().is_some_and(|part| is(part, "modules") || is(part, "worktrees"));
    is_kept && parts.next().is_some()
}

fn is(part: Component<'_>, name: &str) -> bool {
    part.as_os_str() == name
}

/// Returns the target of a symlink if it is UTF-8.
pub(crate) fn text_of(leads: Option<&PathBuf>) -> Option<&str> {
    leads.and_then(|leads| leads.to_str())
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
