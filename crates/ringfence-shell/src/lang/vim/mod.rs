//! Commands of vim, as `-c` and its scripts hold them.
//!
//! Names are read as vim reads them when they are cut short. A command that is not known may do
//! anything, and so may keys that are typed and names that are computed.

mod commands;
mod expr;
mod files;
mod options;

use super::Finding;
use super::cursor::Cursor;
use commands::Role;
use files::{file, named, redirect};
use options::{set, set_option};

/// Reads commands, one on each line or parted by bars.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(code);
    while !cursor.is_done() {
        cursor.take_while(|c| c.is_ascii_whitespace() || c == ':' || c == '|');
        if cursor.peek() == Some('\\') {
            found.push(super::unreadable("a line goes on that was begun before"));
        }
        command(&mut cursor, 0, &mut found);
    }
    found
}

fn unknown(found: &mut Vec<Finding>, reason: &str) {
    found.push(Finding::RunUnknown(reason.to_owned()));
}

/// Reads one command and stays before the bar or the end of the line after it.
fn command(cursor: &mut Cursor<'_>, depth: usize, found: &mut Vec<Finding>) {
    if depth > super::MAX_DEPTH {
        cursor.take_line();
        return found.push(super::unreadable("commands are nested too deeply"));
    }
    range(cursor);
    match cursor.peek() {
        None | Some('\n' | '|') => return,
        Some('"') => {
            cursor.take_line();
            return;
        }
        Some('!') => {
            cursor.bump();
            let line = cursor.take_line();
            return shell(line, found);
        }
        Some('@' | '*') => {
            cursor.take_line();
            return unknown(found, "vim runs what a register holds");
        }
        Some('<' | '>' | '=' | '&' | '#' | '~') => {
            rest(cursor);
            return;
        }
        Some(_) => {}
    }
    let name = name(cursor);
    let bang = cursor.peek() == Some('!');
    match commands::role(name) {
        Some(role) => act(role, bang, cursor, depth, found),
        None => {
            cursor.take_line();
            unknown(found, &format!("vim's command `{name}` is not known"));
        }
    }
}

/// Lines, marks and patterns before a command.
fn range(cursor: &mut Cursor<'_>) {
    while let Some(c) = cursor.peek() {
        match c {
            ' ' | '\t' | ':' | '%' | '.' | '$' | ',' | ';' | '+' | '-' | '0'..='9' => {
                cursor.bump();
            }
            '\'' => {
                cursor.bump();
                cursor.bump();
            }
            '\\' => {
                cursor.bump();
                cursor.bump();
            }
            '/' | '?' => {
                cursor.bump();
                pattern(cursor, c);
            }
            _ => return,
        }
    }
}

/// Steps behind the delimiter that ends a pattern.
fn pattern(cursor: &mut Cursor<'_>, delimiter: char) {
    while let Some(c) = cursor.peek() {
        if c == '\n' {
            return;
        }
        cursor.bump();
        match c {
            '\\' => {
                cursor.bump();
            }
            c if c == delimiter => return,
            _ => {}
        }
    }
}

fn name<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let start = cursor.at();
    cursor.take_while(|c| c.is_ascii_alphabetic());
    // `py3` has a digit in it; `k` and `s` take what follows at once.
    if cursor.since(start) == "py"
        || cursor.since(start) == "python"
        || cursor.since(start) == "vim"
    {
        cursor.take_while(|c| c == '3' || c == '9');
        cursor.take_while(|c| c.is_ascii_alphabetic());
    }
    if cursor.at() == start {
        cursor.bump();
    }
    cursor.since(start)
}

/// What follows a command, up to a bar.
fn rest<'t>(cursor: &mut Cursor<'t>) -> &'t str {
    let start = cursor.at();
    while let Some(c) = cursor.peek() {
        match c {
            '\n' | '|' => break,
            '\\' | '\u{16}' => {
                cursor.bump();
                cursor.bump();
            }
            _ => {
                cursor.bump();
            }
        }
    }
    cursor.since(start).trim()
}

fn act(role: Role, bang: bool, cursor: &mut Cursor<'_>, depth: usize, found: &mut Vec<Finding>) {
    if bang && !matches!(role, Role::ReadFile) {
        cursor.bump();
    }
    match role {
        Role::Inert => {
            rest(cursor);
        }
        Role::Expression => expr::read(cursor, found),
        Role::Nested => command(cursor, depth.saturating_add(1), found),
        Role::Global => {
            if let Some(delimiter) = delimiter(cursor, found) {
                pattern(cursor, delimiter);
                command(cursor, depth.saturating_add(1), found);
            }
        }
        Role::Substitute => substitute(cursor, found),
        Role::Set => set(rest(cursor), found),
        Role::Execute => execute(cursor, found),
        Role::Normal => normal(cursor.take_line(), found),
        Role::ReadFile | Role::WriteFile | Role::EditFile => file(role, cursor, found),
        Role::Source => named(rest(cursor), |path| Finding::CodeFile("vim", path), found),
        Role::Redirect => redirect(rest(cursor), found),
        Role::Terminal => match cursor.take_line().trim() {
            "" => unknown(found, "vim starts a shell"),
            line => shell(line, found),
        },
        Role::Code(language) => match cursor.take_line().trim() {
            code if code.starts_with("<<") => unknown(found, "code follows on the next lines"),
            code => found.push(Finding::Code(language, code.to_owned())),
        },
        Role::CodeFile(language) => {
            named(rest(cursor), |path| Finding::CodeFile(language, path), found);
        }
        Role::Unknown => {
            cursor.take_line();
            unknown(found, "a command of vim may run anything");
        }
        Role::Unsettled => {
            rest(cursor);
            found.push(Finding::WriteUnknown("vim reads and writes other files".to_owned()));
        }
    }
}

/// A command line for a shell. vim puts names of files in place of `%`, `#` and `!`.
fn shell(line: &str, found: &mut Vec<Finding>) {
    let line = line.trim();
    if line.is_empty() || line.contains(['%', '#', '!']) {
        return unknown(found, "vim puts other text into the command that it runs");
    }
    found.push(Finding::Shell(line.to_owned()));
}

fn delimiter(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) -> Option<char> {
    cursor.skip_blanks();
    match cursor.bump() {
        Some(c) if !c.is_alphanumeric() && !matches!(c, '"' | '|' | '\\' | '\n') => Some(c),
        _ => {
            cursor.take_line();
            unknown(found, "a pattern of vim is missing");
            None
        }
    }
}

/// `s/PATTERN/REPLACEMENT/flags`, where the replacement may be an expression.
fn substitute(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    cursor.skip_blanks();
    // Without a pattern the last one is used again.
    if matches!(cursor.peek(), None | Some('\n' | '|' | 'g' | '&')) {
        rest(cursor);
        return;
    }
    let Some(delimiter) = delimiter(cursor, found) else { return };
    pattern(cursor, delimiter);
    if cursor.rest().starts_with("\\=") {
        let line = cursor.take_line();
        let mut inner = Cursor::new(line);
        while !inner.is_done() {
            expr::read(&mut inner, found);
            inner.bump();
        }
        return;
    }
    pattern(cursor, delimiter);
    rest(cursor);
}

/// `execute` with one constant is that command; anything else is computed.
fn execute(cursor: &mut Cursor<'_>, found: &mut Vec<Finding>) {
    let line = cursor.take_line().trim();
    let quote = line.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = quote.and_then(|quote| line.strip_prefix(quote)?.strip_suffix(quote));
    match inner {
        Some(inner) if !inner.contains(['\\', '"', '\'']) => found.extend(read(inner)),
        _ => unknown(found, "vim runs a command that is computed"),
    }
}

/// Keys are harmless if they only move, change and indent.
fn normal(keys: &str, found: &mut Vec<Finding>) {
    let keys = keys.trim_start_matches('!').trim();
    let plain = keys.chars().all(|c| {
        (c.is_ascii_alphanumeric() || " =><$^.{}(),;'\"".contains(c)) && !"KQ".contains(c)
    });
    if !plain || ["gx", "gf", "gF", "gQ", "\"="].iter().any(|bad| keys.contains(bad)) {
        unknown(found, "vim's `normal` types keys that may run commands");
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
