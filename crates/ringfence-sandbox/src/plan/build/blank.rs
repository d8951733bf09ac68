//! Settings in the home directory that programs look for when they start.
//!
//! A shell says aloud that it may not read its start-up file, and goes on; one that finds the file
//! empty says nothing. What the file holds stays unread either way: it may set secrets.

use ringfence_core::Effect;
use ringfence_core::access::FileOp;
use ringfence_core::path::EntryKind;

use super::trees::Trees;
use crate::plan::Rights;

/// Start-up files of shells, and settings of the terminal and of editors.
const SETTINGS: [&str; 14] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".inputrc",
    ".zshenv",
    ".zprofile",
    ".zshrc",
    ".zlogin",
    ".zlogout",
    ".vimrc",
    ".nanorc",
];

/// Adds those that are there and may not be read.
pub(super) fn add(trees: &mut Trees<'_>) {
    // What is judged at every opening is refused by its name.
    if trees.openings {
        return;
    }
    for name in SETTINGS {
        let Ok(path) = trees.site.context.home.child(name) else { continue };
        let is_file = trees.site.kind(&path) == Some(EntryKind::File);
        let may_read = trees.oracle.at(FileOp::Read, &path) == Effect::Allow;
        if is_file && !may_read && !trees.has(&path, Rights::READ) {
            trees.add(&path, Rights::READ);
            trees.blank.push(path.as_str().into());
        }
    }
}
