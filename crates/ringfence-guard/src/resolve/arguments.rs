//! The paths and URLs in a tool's arguments, at whatever depth.

use ringfence_core::net::is_url;
use serde_json::Value;

use super::patch::is_patch;
use super::tool_name::words;

/// How deep arguments may be nested before nothing is believed of them.
pub(super) const MAX_DEPTH: usize = 32;
/// How many paths and URLs one call may name.
const MAX_FOUND: usize = 10_000;

/// A path or URL in a tool's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found<'v> {
    /// What its key says about it.
    pub(crate) part: Part,
    /// The text.
    pub(crate) text: &'v str,
}

/// The part that an argument plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is worked on.
    Path,
    /// Where something comes from.
    Source,
    /// Where something goes.
    Destination,
    /// What a link points at, or where something goes.
    Target,
    /// The name that a link gets.
    LinkName,
    /// A shape of paths, seen from the path that is worked on.
    Glob,
    /// A URL.
    Url,
    /// No key says that this is a path, but it looks like nothing else.
    Loose,
    /// A path inside an option: `--output=/x`.
    OptionValue,
    /// A patch, which names the files that it touches.
    Patch,
}

impl Found<'_> {
    /// Whether this is a path by itself.
    pub(crate) fn is_path(&self) -> bool {
        !matches!(self.part, Part::Url | Part::Glob | Part::OptionValue | Part::Patch)
    }
}

/// The arguments could not be looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) &'static str);

/// Every path and URL in the arguments.
///
/// `free` says which further keys hold text that is no path for this tool.
pub(crate) fn find<'v>(input: &'v Value, free: &[&str]) -> Result<Vec<Found<'v>>, Unreadable> {
    let mut finder = Finder { found: Vec::new(), free };
    finder.walk(None, input, 0)?;
    Ok(finder.found)
}

#[derive(Default)]
pub(super) struct Finder<'v, 'f> {
    pub(super) found: Vec<Found<'v>>,
    free: &'f [&'f str],
}

impl<'v> Finder<'v, '_> {
    fn walk(
        &mut self,
        key: Option<&Key>,
        value: &'v Value,
        depth: usize,
    ) -> Result<(), Unreadable> {
        if depth > MAX_DEPTH {
            return Err(Unreadable("its arguments are nested too deep"));
        }
        let below = depth.saturating_add(1);
        match value {
            Value::String(text) => self.add(key, text)?,
            Value::Array(items) => {
                items.iter().try_for_each(|item| self.walk(key, item, below))?;
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.walk(Some(&Key::new(name, self.free)), value, below)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                if key.is_some_and(Key::must_be_text) && !value.is_null() {
                    return Err(Unreadable("a path in its arguments is no text"));
                }
            }
        }
        Ok(())
    }

    pub(super) fn add(&mut self, key: Option<&Key>, text: &'v str) -> Result<(), Unreadable> {
        let value = option_value(text);
        let whole = text;
        let text = value.unwrap_or(text);
        let (part, text) = match key {
            Some(Key::FreeText) => return Ok(()),
            // What is called a patch and has no such form cannot be told from one that has.
            Some(Key::Patch) if whole.trim().is_empty() => return Ok(()),
            Some(Key::Patch) => (Part::Patch, whole),
            Some(Key::MaybePatch) if is_patch(whole) => (Part::Patch, whole),
            Some(Key::MaybePatch) => return Ok(()),
            None | Some(Key::Other) if is_patch(whole) => (Part::Patch, whole),
            _ if value.is_some() => (Part::OptionValue, text),
            Some(Key::Part(_)) if is_url(text) && !is_file_url(text) => (Part::Url, text),
            Some(Key::Part(part)) => (*part, text),
            None | Some(Key::Other) if is_url(text) && !is_file_url(text) => (Part::Url, text),
            None | Some(Key::Other) if looks_like_path(text) => (Part::Loose, text),
            None | Some(Key::Other) => return Ok(()),
        };
        if self.found.len() >= MAX_FOUND {
            return Err(Unreadable("its arguments name too many paths"));
        }
        self.found.push(Found { part, text });
        Ok(())
    }
}

fn is_file_url(text: &str) -> bool {
    text.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

/// Whether a text without a telling key is a path: absolute, in a home, or with a `..` component.
pub(super) fn looks_like_path(text: &str) -> bool {
    text.starts_with('/')
        || is_home_path(text)
        || text.starts_with('\\')
        || is_file_url(text)
        || text.split(['/', '\\']).any(|name| name == "..")
        || text.get(1..3).is_some_and(|drive| matches!(drive, ":\\" | ":/"))
}

/// `~`, `~/x`, `~user` and `~user/x`; a version such as `~1.2.3` is none.
fn is_home_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('~') else { return false };
    let user = rest.split('/').next().unwrap_or_default();
    let mut chars = user.chars();
    chars.next().is_none_or(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The path that an option carries, if the text is an option with one.
fn option_value(text: &str) -> Option<&str> {
    if !text.starts_with('-') {
        return None;
    }
    let after_sign = text.split_once('=').map(|(_, value)| value);
    let glued = text.find(['/', '~']).and_then(|at| text.get(at..));
    after_sign.filter(|value| looks_like_path(value) || value.contains('/')).or(glued)
}

/// What the key of an argument says.
#[derive(Debug)]
pub(super) enum Key {
    Part(Part),
    FreeText,
    /// A patch, and nothing else.
    Patch,
    /// Free text, which may be a patch.
    MaybePatch,
    Other,
}

/// Keys under which tools take patches, and those under which they take other texts as well.
const PATCHES: [&str; 3] = ["patch", "patch_text", "patches"];
const MAYBE_PATCHES: [&str; 2] = ["diff", "command"];

const FREE_TEXT: [&str; 32] = [
    "content",
    "contents",
    "text",
    "query",
    "message",
    "body",
    "description",
    "title",
    "prompt",
    "comment",
    "summary",
    "question",
    "string",
    "str",
    "code",
    "instructions",
    "explanation",
    "reason",
    "note",
    "notes",
    "replacement",
    "command",
    "cmd",
    "script",
    "data",
    "html",
    "markdown",
    "answer",
    "subject",
    "regex",
    "sql",
    "diff",
];
const PATHS: [&str; 17] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "uri",
    "uris",
    "cwd",
];
const SOURCES: [&str; 6] = ["source", "src", "from", "old", "original", "sources"];
const DESTINATIONS: [&str; 8] =
    ["destination", "dest", "dst", "to", "new", "output", "out", "destinations"];
const GLOBS: [&str; 6] = ["glob", "globs", "include", "includes", "pattern", "patterns"];

impl Key {
    pub(super) fn new(name: &str, free: &[&str]) -> Key {
        // Most names are one word, and then no memory is needed for it.
        if name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9')) {
            return Key::of(Words { joined: name, first: name, last: name }, free);
        }
        let words = words(name);
        let joined = &*words.join("_");
        let last = words.last().map(String::as_str).unwrap_or_default();
        let first = words.first().map(String::as_str).unwrap_or_default();
        Key::of(Words { joined, first, last }, free)
    }

    /// Whether its value is a path: one that is no text cannot be judged, and no tool should guess
    /// at it.
    pub(super) fn must_be_text(&self) -> bool {
        matches!(self, Key::Part(Part::Path | Part::Source | Part::Destination))
    }

    fn of(Words { joined, first, last }: Words<'_>, free: &[&str]) -> Key {
        if free.contains(&joined) {
            return Key::FreeText;
        }
        if PATCHES.contains(&joined) {
            return Key::Patch;
        }
        if MAYBE_PATCHES.contains(&joined) {
            return Key::MaybePatch;
        }
        let names_path = PATHS.contains(&last);
        let alone = joined.len() == first.len();
        let part = match first {
            "link" | "linkname" | "symlink" if alone || names_path || last == "name" => {
                Part::LinkName
            }
            "target" if alone || names_path => Part::Target,
            first if SOURCES.contains(&first) && (alone || names_path || last == "name") => {
                Part::Source
            }
            first if DESTINATIONS.contains(&first) && (alone || names_path || last == "name") => {
                Part::Destination
            }
            _ if names_path => Part::Path,
            _ if GLOBS.contains(&last) => Part::Glob,
            _ if FREE_TEXT.contains(&last) => return Key::FreeText,
            _ => return Key::Other,
        };
        Key::Part(part)
    }
}

/// The words of a name: all of them with `_` between, the first, and the last.
struct Words<'n> {
    joined: &'n str,
    first: &'n str,
    last: &'n str,
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
