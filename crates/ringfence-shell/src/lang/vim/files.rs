//! Names of files in commands of vim.

use ringfence_core::net::is_url;

use super::super::Finding;
use super::super::cursor::Cursor;
use super::commands::Role;
use super::{rest, shell, unknown};

pub(super) fn file(role: Role, cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let mut ahead = *cursor;
    ahead.skip_blanks();
    if role != Role::EditFile && ahead.eat('!') {
        *cursor = ahead;
        let line = cursor.take_line();
        return shell(line, found);
    }
    let line = rest(cursor).trim_start_matches('>').trim();
    if line.contains("+") && role == Role::EditFile {
        return unknown(found, "a command may follow the `+` before a file");
    }
    for path in line.split_whitespace().filter(|word| !word.starts_with("++")) {
        match role {
            Role::ReadFile => named(path, Finding::Read, found),
            Role::WriteFile => named(path, Finding::Write, found),
            _ => {
                named(path, Finding::Read, found);
                named(path, Finding::Write, found);
            }
        }
    }
}

pub(super) fn redirect(line: &str, found: &mut Vec<Finding>) {
    if let Some(path) = line.strip_prefix('>') {
        named(path.trim_start_matches('>').trim(), Finding::Write, found);
    }
}

/// A file by its name. Backquotes run a command, and the current file stands for `%`.
pub(super) fn named(path: &str, finding: impl Fn(String) -> Finding, found: &mut Vec<Finding>) {
    if path.contains('`') {
        unknown(found, "backquotes in a file name run a command");
    } else if is_url(path) {
        found.push(Finding::Url(path.to_owned()));
    } else if path.contains(['$', '#', '\\']) || path.contains('<') {
        found.push(Finding::WriteUnknown("the name of a file is computed".to_owned()));
    } else if !path.is_empty() && !path.starts_with('%') {
        found.push(finding(path.to_owned()));
    } else if path.starts_with('%') && path.len() > 1 {
        found.push(Finding::WriteUnknown("the name of a file is computed".to_owned()));
    }
}
