//! Reads simple lines of a TOML file.
//!
//! Supported are tables, dotted keys, strings, and lists of strings on one line. Inline tables and
//! multi-line strings are skipped. The hosts found are granted, so uncertain text must add none.

/// A line `key = value` with its table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The names of the tables, then the key.
    pub(super) path: Vec<String>,
    /// The value as written.
    pub(super) value: String,
}

/// Returns every simple line.
pub(super) fn read(text: &str) -> Vec<Line> {
    let mut table: Option<Vec<String>> = Some(Vec::new());
    let mut lines = Vec::new();
    let mut inside: Option<&str> = None;
    for line in text.lines().map(str::trim) {
        if let Some(end) = inside {
            if line.contains(end) {
                inside = None;
            }
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            table = table_name(name);
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        inside = opened(value);
        let key = split_key(key);
        if let (Some(table), Some(key), None) = (&table, key, inside) {
            let path = table.iter().cloned().chain(key).collect();
            lines.push(Line { path, value: value.trim().to_owned() });
        }
    }
    lines
}

/// Returns the string in a value, or the strings in a list.
pub(super) fn strings(value: &str) -> Vec<String> {
    let Some(list) = value.strip_prefix('[') else {
        return string(value).map(|(text, _)| text).into_iter().collect();
    };
    let mut found = Vec::new();
    let mut rest = list.trim_start();
    while let Some((text, after)) = string(rest) {
        found.push(text);
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    found
}

/// Returns the string at the start of a text, and the text after it. Strings with escapes are
/// rejected; URLs need none.
fn string(text: &str) -> Option<(String, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (content, rest) = text.strip_prefix(quote)?.split_once(quote)?;
    (!content.contains('\\')).then(|| (content.to_owned(), rest))
}

/// Returns the end mark of a multi-line string that the value opens but does not close.
fn opened(value: &str) -> Option<&'static str> {
    ["\"\"\"", "'''"].into_iter().find(|mark| value.matches(mark).count() == 1)
}

fn table_name(name: &str) -> Option<Vec<String>> {
    let name = name.strip_prefix('[').unwrap_or(name);
    split_key(name.split_once(']')?.0)
}

/// Splits a dotted key.
fn split_key(key: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = key.trim();
    loop {
        let (part, after) = match string(rest) {
            Some((part, after)) => (part, after.trim_start()),
            None => {
                let end = rest.find('.').unwrap_or(rest.len());
                let (part, after) = rest.split_at_checked(end)?;
                (part.trim().to_owned(), after)
            }
        };
        parts.push(part);
        match after.strip_prefix('.') {
            Some(next) => rest = next.trim_start(),
            None => return after.is_empty().then_some(parts),
        }
    }
}
