//! A strict reader of `.gitignore`.
//!
//! It takes plain lines alone: names and paths with at most one star in each part. A line that it does
//! not take ignores less, which is the careful side. A line that takes a name out again (`!name`)
//! makes every answer below its directory "not ignored". A list counts only as it is staged: what a
//! call has just written into it ignores nothing, though it may still take names out.

use std::collections::HashMap;

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::AbsPath;

use super::git_index::{ObjectId, blob_id};

/// The longest list that is read.
const MAX_LIST: usize = 256 << 10;

/// The names that the lists of a working tree ignore.
pub(super) struct IgnoredNames<'h> {
    host: &'h dyn Host,
    root: AbsPath,
    /// The names of the lists' staged contents, by their directories.
    staged: HashMap<String, ObjectId>,
    /// The lists by their directories; `None` where nothing is certain.
    lists: HashMap<String, Option<Vec<Line>>>,
}

/// One line of a list.
#[derive(Debug)]
struct Line {
    parts: Vec<String>,
    /// Whether the line holds from the list's directory on, and not for a name anywhere below it.
    is_anchored: bool,
    only_directories: bool,
}

impl<'h> IgnoredNames<'h> {
    /// `staged` are the names of the lists' staged contents, by their directories.
    pub(super) fn new(
        host: &'h dyn Host,
        root: AbsPath,
        staged: HashMap<String, ObjectId>,
    ) -> IgnoredNames<'h> {
        IgnoredNames { host, root, staged, lists: HashMap::new() }
    }

    /// Returns whether a list certainly ignores exactly this path, given by its names below the root.
    pub(super) fn contains(&mut self, names: &[&str], is_dir: bool) -> bool {
        let mut is_ignored = false;
        for above in 0..names.len() {
            let (directory, below) = names.split_at(above);
            let key = directory.join("/");
            let list = self.lists.remove(&key).unwrap_or_else(|| self.read(&key));
            let found = list.as_ref().map(|list| list.iter().any(|own| own.matches(below, is_dir)));
            self.lists.insert(key, list);
            let Some(found) = found else { return false };
            is_ignored |= found;
        }
        is_ignored
    }

    fn read(&self, directory: &str) -> Option<Vec<Line>> {
        let path = match directory {
            "" => self.root.child(".gitignore"),
            own => self.root.join(&format!("{own}/.gitignore")),
        };
        let path = path.ok()?;
        match self.host.entry(&path) {
            FileEntry::Missing => Some(Vec::new()),
            FileEntry::File { .. } => {
                let content = self.host.read(&path, MAX_LIST).ok()?;
                let is_staged = self.staged.get(directory) == Some(&blob_id(&content));
                let mut lines = lines(&String::from_utf8(content).ok()?)?;
                lines.retain(|_| is_staged);
                Some(lines)
            }
            _ => None,
        }
    }
}

/// Reads a list; `None` if a line takes names out again.
fn lines(text: &str) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    for text in text.split('\n') {
        // A mark of the byte order may stand before the first line.
        if text.trim_start_matches('\u{feff}').starts_with('!') {
            return None;
        }
        lines.extend(line(text));
    }
    Some(lines)
}

/// Reads one line; `None` for a comment and for what is not plain.
fn line(text: &str) -> Option<Line> {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'@' | b'*' | b'/')
    };
    if text.is_empty() || !text.bytes().all(is_plain) {
        return None;
    }
    let (text, only_directories) = match text.strip_suffix('/') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (text, floats) = match text.strip_prefix("**/") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let is_anchored = text.contains('/');
    let text = text.strip_prefix('/').unwrap_or(text);
    let parts: Vec<String> = text.split('/').map(str::to_owned).collect();
    let is_known = |part: &String| !part.is_empty() && part.matches('*').count() <= 1;
    let is_certain = parts.iter().all(is_known) && !(floats && is_anchored);
    is_certain.then_some(Line { parts, is_anchored, only_directories })
}

impl Line {
    fn matches(&self, below: &[&str], is_dir: bool) -> bool {
        if self.only_directories && !is_dir {
            return false;
        }
        match (self.is_anchored, below, self.parts.as_slice()) {
            (false, [.., name], [part]) => matches(part, name),
            (true, below, parts) if below.len() == parts.len() => {
                parts.iter().zip(below).all(|(part, name)| matches(part, name))
            }
            _ => false,
        }
    }
}

/// Returns whether a part with at most one star matches a name.
fn matches(part: &str, name: &str) -> bool {
    match part.split_once('*') {
        None => part == name,
        Some((start, end)) => {
            name.len() >= start.len().saturating_add(end.len())
                && name.starts_with(start)
                && name.ends_with(end)
        }
    }
}
