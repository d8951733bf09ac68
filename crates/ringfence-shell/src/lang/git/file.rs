//! Files of git's configuration: sections with keys, as `.gitconfig` and `config` have them.
//!
//! Accepts less than git does: a line that git could read in another way makes the whole file
//! unreadable.

use crate::lang::{self, Finding};

/// Reads a file of settings and returns what its keys do. A text without any section is no such
/// file, and does nothing.
pub(crate) fn read_file(text: &str) -> Vec<Finding> {
    if !text.lines().any(|line| line.trim_start().starts_with('[')) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut section: Option<String> = None;
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, behind)) = header(rest) else { return unreadable(line) };
            section = Some(name);
            line = behind.trim_start();
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let Some(section) = &section else { return unreadable(line) };
        let (key, value) = match line.split_once('=') {
            Some((key, value)) => (key.trim_end(), value.trim_start()),
            None => (line, "true"),
        };
        match unquoted(value) {
            Some(value) => found.extend(super::read_set(&format!("{section}.{key}={value}"))),
            None => return unreadable(line),
        }
    }
    found
}

fn unreadable(line: &str) -> Vec<Finding> {
    vec![lang::unreadable(&format!("the line `{line}` of git's settings"))]
}

/// Returns the name of a section, and what stands behind its bracket: `core]`, `diff "x"] a = b`.
fn header(text: &str) -> Option<(String, &str)> {
    let Some((name, rest)) = text.split_once('"') else {
        let (name, behind) = text.split_once(']')?;
        return Some((name.trim().to_owned(), behind));
    };
    if name.contains(']') {
        let (name, behind) = text.split_once(']')?;
        return Some((name.trim().to_owned(), behind));
    }
    let (subsection, behind) = rest.split_once('"')?;
    let behind = behind.strip_prefix(']').filter(|_| !subsection.contains('\\'))?;
    Some((format!("{}.{subsection}", name.trim()), behind))
}

/// Returns a value without its quotes, escapes and comment.
fn unquoted(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut quoted = false;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            '\\' => match chars.next()? {
                own @ ('\\' | '"') => value.push(own),
                'n' => value.push('\n'),
                't' => value.push('\t'),
                _ => return None,
            },
            own => value.push(own),
        }
    }
    (!quoted).then(|| value.trim_end().to_owned())
}
