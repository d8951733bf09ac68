//! Scripts of ed.

use super::Finding;
use super::cursor::Cursor;

/// Reads a script of ed, line by line.
pub(super) fn read(code: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end_matches('\\');
        if command(line, 0, &mut found) {
            // Text goes up to a line with a dot alone.
            for text in lines.by_ref() {
                if text == "." {
                    break;
                }
            }
        }
    }
    found
}

/// Reads one command; whether text follows it.
fn command(line: &str, depth: usize, found: &mut Vec<Finding>) -> bool {
    let mut cursor = Cursor::new(line);
    addresses(&mut cursor);
    let name = cursor.bump();
    let rest = cursor.rest();
    match name {
        None
        | Some(
            'd' | 'j' | 'k' | 'l' | 'm' | 'n' | 'p' | 't' | 'u' | 'x' | 'y' | 'z' | 'H' | 'h' | 'P'
            | '=' | '#',
        ) => {}
        Some('q' | 'Q') => {}
        Some('a' | 'i' | 'c') => return true,
        Some('!') => shell(rest, found),
        Some('r') => file(rest, Finding::Read, found),
        Some('w' | 'W') => file(rest.trim_start_matches('q'), Finding::Write, found),
        Some('e' | 'E') => file(rest, Finding::Read, found),
        Some('f') if rest.trim().is_empty() => {}
        Some('f') => found.push(Finding::WriteUnknown("ed works on another file".to_owned())),
        Some('s') => substitute(rest, found),
        Some('g' | 'v' | 'G' | 'V') if depth < super::MAX_DEPTH => {
            let Some(delimiter) = cursor.bump() else { return false };
            pattern(&mut cursor, delimiter);
            return command(cursor.rest(), depth.saturating_add(1), found);
        }
        Some(_) => found.push(super::unreadable("it has a command that ed does not know")),
    }
    false
}

fn addresses(cursor: &mut Cursor<'_>) {
    while let Some(c) = cursor.peek() {
        match c {
            '0'..='9' | '.' | '$' | ',' | ';' | '%' | '+' | '-' | '^' | ' ' | '\t' => {
                cursor.bump();
            }
            '\'' => {
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

fn pattern(cursor: &mut Cursor<'_>, delimiter: char) {
    while let Some(c) = cursor.bump() {
        match c {
            '\\' => {
                cursor.bump();
            }
            c if c == delimiter => return,
            _ => {}
        }
    }
}

/// A substitution may go on with the line; what follows its flags is refused.
fn substitute(rest: &str, found: &mut Vec<Finding>) {
    let mut cursor = Cursor::new(rest);
    let Some(delimiter) = cursor.bump() else { return };
    pattern(&mut cursor, delimiter);
    pattern(&mut cursor, delimiter);
    if !cursor.rest().chars().all(|c| c.is_ascii_digit() || "gpnlIir ".contains(c)) {
        found.push(super::unreadable("more follows a substitution than it takes"));
    }
}

/// ed puts its file in place of `%`, and its last command in place of `!`.
fn shell(line: &str, found: &mut Vec<Finding>) {
    found.push(match line.contains(['%', '!']) {
        true => Finding::RunUnknown("ed puts other text into the command that it runs".to_owned()),
        false => Finding::Shell(line.trim().to_owned()),
    });
}

fn file(rest: &str, finding: fn(String) -> Finding, found: &mut Vec<Finding>) {
    let name = rest.trim();
    match name.strip_prefix('!') {
        Some(line) => shell(line, found),
        None if name.is_empty() => {}
        None => found.push(finding(name.to_owned())),
    }
}

#[cfg(test)]
#[path = "ed_tests.rs"]
mod tests;
