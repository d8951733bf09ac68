//! Judges changes of git's todo list in a rebase.
//!
//! `git rebase --continue` executes the lines of this file, and a line that starts with `exec` is a
//! command. Git replaces the file by a new one, so both can be compared. A write into the existing
//! file could happen after the check, and is refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ringfence_core::AccessKind;
use ringfence_sandbox::gate::Deed;

use crate::git::{JudgedCopy, read_or_nothing};

/// The commands, in full and abbreviated, that run no program.
const PLAIN: [&str; 24] = [
    "pick",
    "p",
    "revert",
    "edit",
    "e",
    "reword",
    "r",
    "fixup",
    "f",
    "squash",
    "s",
    "break",
    "b",
    "label",
    "l",
    "reset",
    "t",
    "merge",
    "m",
    "update-ref",
    "u",
    "noop",
    "drop",
    "d",
];

/// Returns the new file and its content if a todo list is replaced by one without new lines that
/// run a program.
pub(crate) fn harmless(deeds: &[(Deed, PathBuf)]) -> Option<JudgedCopy> {
    let [(Deed::Read, _), (Deed::Delete, from), (Deed::Write, to)] = deeds else { return None };
    if !is_todo(to) {
        return None;
    }
    let (new, old) = (read_or_nothing(from)?, read_or_nothing(to)?);
    running(&new)?.is_subset(&running(&old)?).then(|| (from.clone(), new))
}

/// Returns whether an operation cannot add lines: the file is removed, or its permissions or times
/// are changed.
pub(crate) fn is_plain(deeds: &[(Deed, PathBuf)]) -> bool {
    matches!(deeds, [(Deed::Delete | Deed::About, path)] if is_todo(path))
}

/// Returns whether a command names a todo list as a file to change. The change itself is judged
/// when it happens.
pub(crate) fn is_named(what: &AccessKind) -> bool {
    matches!(what, AccessKind::File(file) if is_todo(Path::new(file.path.real.as_str())))
}

fn is_todo(path: &Path) -> bool {
    path.ends_with("rebase-merge/git-rebase-todo")
}

/// Returns the lines with `exec` or unknown commands, or `None` if the file is not text.
fn running(text: &[u8]) -> Option<BTreeSet<String>> {
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))?;
    let lines = text.split(['\n', '\r']).map(str::trim);
    let running = lines.filter(|line| {
        let word = line.split(|sign: char| sign.is_whitespace() || sign.is_control()).next();
        let is_word = |word: &&str| word.starts_with(|sign: char| sign.is_alphanumeric());
        // A line that starts with another character is a comment, or unknown to git.
        word.filter(is_word).is_some_and(|word| !PLAIN.contains(&word))
    });
    Some(running.map(str::to_owned).collect())
}

#[cfg(test)]
#[path = "rebase_todo_tests.rs"]
mod tests;
