//! What git still has to do in a rebase.
//!
//! `git rebase --continue` goes on with the lines of a file, and a line that begins with `exec` is a
//! command. Git puts a new file in the place of the old one, so the two can be compared. Whoever
//! writes into the file itself writes after it was looked at, and is refused.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ringfence_core::AccessKind;
use ringfence_sandbox::gate::Deed;

use crate::git::{Renewed, read_or_nothing};

/// The words that begin a line, in full and for short, and run nothing.
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

/// Returns the file that is about to replace such a file, with its content, if it has no line anew
/// that runs a program.
pub(crate) fn harmless(deeds: &[(Deed, PathBuf)]) -> Option<Renewed> {
    let [(Deed::Read, _), (Deed::Delete, from), (Deed::Write, to)] = deeds else { return None };
    if !is_todo(to) {
        return None;
    }
    let (new, old) = (read_or_nothing(from)?, read_or_nothing(to)?);
    running(&new)?.is_subset(&running(&old)?).then(|| (from.clone(), new))
}

/// Whether a deed runs nothing: the file is removed, or its permissions and times are changed.
pub(crate) fn is_plain(deeds: &[(Deed, PathBuf)]) -> bool {
    matches!(deeds, [(Deed::Delete | Deed::About, path)] if is_todo(path))
}

/// Whether a word of a command names such a file to change it: what becomes of it is judged then.
pub(crate) fn is_named(what: &AccessKind) -> bool {
    matches!(what, AccessKind::File(file) if is_todo(Path::new(file.path.real.as_str())))
}

fn is_todo(path: &Path) -> bool {
    path.ends_with("rebase-merge/git-rebase-todo")
}

/// The lines that run programs, and those that nobody knows; none where it is no text.
fn running(text: &[u8]) -> Option<BTreeSet<String>> {
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))?;
    let lines = text.split(['\n', '\r']).map(str::trim);
    let running = lines.filter(|line| {
        let word = line.split(|sign: char| sign.is_whitespace() || sign.is_control()).next();
        let is_word = |word: &&str| word.starts_with(|sign: char| sign.is_alphanumeric());
        // What begins with another sign is said about the file, or nothing that git knows.
        word.filter(is_word).is_some_and(|word| !PLAIN.contains(&word))
    });
    Some(running.map(str::to_owned).collect())
}

#[cfg(test)]
#[path = "todo_tests.rs"]
mod tests;
