//! Absolute paths in lexical normal form.
//!
//! Nothing here reads a file system; [`resolve`](super::resolve) follows links and `..`. This
//! module must never create a path that is not in normal form.

use std::borrow::Borrow;
use std::fmt;

use smallvec::SmallVec;

use super::{BadPath, Components, PathFault};
use crate::access::Text;
use crate::text::inline_text;

/// The longest path that the kernel accepts, in bytes.
const MAX_PATH: usize = 4095;
/// The longest component that file systems accept, in bytes.
const MAX_COMPONENT: usize = 255;

/// An absolute path in normal form.
///
/// The path starts with `/`. It has no empty, `.` or `..` component, no NUL, and no final slash
/// unless it is the root. Copying a short path needs no allocation. Comparison is by text; see
/// [`PathRules::fold`](super::PathRules::fold) for file systems that ignore case.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
// INVARIANT: the text has the documented form. Every constructor checks or preserves this.
pub struct AbsPath(Text);

impl AbsPath {
    /// Returns the root directory.
    pub fn root() -> AbsPath {
        AbsPath(Text::inline("/"))
    }

    /// Normalises an absolute path by its text alone.
    ///
    /// `..` at the root stays at the root, as in the kernel.
    pub fn new(text: &str) -> Result<AbsPath, BadPath> {
        check_text(text)?;
        if !text.starts_with('/') {
            return Err(BadPath::new(text, PathFault::Relative));
        }
        if is_normal(text) {
            return Ok(AbsPath(Text::from(text)));
        }
        let mut components = ComponentVec::new();
        apply_components(&mut components, text);
        AbsPath::from_components(&components).map_err(|fault| BadPath::new(text, fault))
    }

    /// Creates a path from a text that is in normal form except for its length. The empty text is
    /// the root.
    pub(super) fn from_normal(text: &str) -> Result<AbsPath, PathFault> {
        match text.len() {
            0 => Ok(AbsPath::root()),
            1..=MAX_PATH => Ok(AbsPath(Text::from(text))),
            _ => Err(PathFault::Long),
        }
    }

    /// Joins a directory and a text that descends from it, or takes an absolute text. Returns
    /// `None` if the text has an empty, `.` or `..` component, other than a leading `./`.
    ///
    /// The caller has checked the text with `check_text`.
    pub(super) fn join_descending(directory: &AbsPath, text: &str) -> Option<AbsPath> {
        let from = match text.strip_prefix('/') {
            Some(below) => return is_descending(below).then(|| AbsPath(Text::from(text))),
            None if directory.is_root() => "",
            None => directory.as_str(),
        };
        let len = from.len().saturating_add(text.len()).saturating_add(1);
        let below = text.strip_prefix("./").unwrap_or(text);
        (len <= MAX_PATH && is_descending(below)).then(|| AbsPath(joined([from, "/", below])))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the components, starting below the root; empty for the root itself.
    pub fn components(&self) -> Components<'_> {
        Components(if self.is_root() { "" } else { &self.0 })
    }

    /// Returns the last component; empty for the root.
    pub fn file_name(&self) -> &str {
        self.last_slash().and_then(|at| self.0.get(at.saturating_add(1)..)).unwrap_or_default()
    }

    /// Returns the parent directory; `None` for the root.
    pub fn parent(&self) -> Option<AbsPath> {
        match self.last_slash()? {
            0 if self.is_root() => None,
            0 => Some(AbsPath::root()),
            at => Some(AbsPath(inline_text(self.0.get(..at)?))),
        }
    }

    fn last_slash(&self) -> Option<usize> {
        // A byte loop is faster than a search routine for such short texts.
        self.0.bytes().rposition(|byte| byte == b'/')
    }

    /// Joins a relative text to this directory, by text alone. An absolute text replaces the
    /// directory.
    pub fn join(&self, text: &str) -> Result<AbsPath, BadPath> {
        if text.starts_with('/') {
            return AbsPath::new(text);
        }
        check_text(text)?;
        let mut components: ComponentVec<'_> = self.components().collect();
        apply_components(&mut components, text);
        AbsPath::from_components(&components).map_err(|fault| BadPath::new(text, fault))
    }

    /// Returns the entry with this name in this directory.
    pub fn child(&self, name: &str) -> Result<AbsPath, BadPath> {
        check_entry(name)?;
        let from = if self.is_root() { "" } else { self.as_str() };
        let text = joined([from, "/", name]);
        match text.len() {
            ..=MAX_PATH => Ok(AbsPath(text)),
            _ => Err(BadPath::new(&text, PathFault::Long)),
        }
    }

    /// Returns an entry of this directory that a listing contained. Its path may exceed the usual
    /// limits: a name with invalid UTF-8 grows when converted to text, and a walk can go deeper
    /// than any single path.
    pub fn listed(&self, name: &str) -> Option<AbsPath> {
        let is_name =
            !matches!(name, "" | "." | "..") && !name.bytes().any(|byte| matches!(byte, b'/' | 0));
        let from = if self.is_root() { "" } else { self.as_str() };
        is_name.then(|| AbsPath(joined([from, "/", name])))
    }

    /// Returns the path below this one that has these further components. Each must be a plain
    /// name.
    pub(crate) fn descend<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<AbsPath, BadPath> {
        let mut text = TextBuffer::default();
        if !self.is_root() {
            text.push(&self.0);
        }
        for name in names {
            check_entry(name)?;
            text.push("/");
            text.push(name);
        }
        AbsPath::from_normal(text.as_str()).map_err(|fault| BadPath::new(text.as_str(), fault))
    }

    /// Returns whether this path is `directory` or lies below it.
    pub fn starts_with(&self, directory: &AbsPath) -> bool {
        if directory.is_root() {
            return true;
        }
        match self.0.strip_prefix(directory.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }

    /// Returns whether this is the root directory.
    pub fn is_root(&self) -> bool {
        self.0 == "/"
    }

    /// Returns this path with every component replaced.
    pub(super) fn map_components(&self, change: impl Fn(&str) -> String) -> AbsPath {
        let mut text = String::new();
        for component in self.components().map(change) {
            text.push('/');
            text.push_str(&component);
        }
        if text.is_empty() {
            return AbsPath::root();
        }
        AbsPath(Text::from(text))
    }

    /// Creates a path from components that contain no `.`, `..` or slash.
    pub(super) fn from_components<T: AsRef<str>>(components: &[T]) -> Result<AbsPath, PathFault> {
        let mut text = TextBuffer::default();
        for component in components {
            let component = component.as_ref();
            check_name(component)?;
            text.push("/");
            text.push(component);
        }
        AbsPath::from_normal(text.as_str())
    }
}

/// The components of a path.
type ComponentVec<'n> = SmallVec<[&'n str; 16]>;

/// A buffer for building the text of a path. Most paths fit into its inline array.
pub(super) struct TextBuffer {
    short: [u8; 128],
    len: usize,
    /// The whole text, if it does not fit into `short`.
    long: String,
}

impl Default for TextBuffer {
    fn default() -> TextBuffer {
        TextBuffer { short: [0; 128], len: 0, long: String::new() }
    }
}

impl TextBuffer {
    pub(super) fn push(&mut self, text: &str) {
        let end = self.len.saturating_add(text.len());
        match self.short.get_mut(self.len..end) {
            Some(place) => place.copy_from_slice(text.as_bytes()),
            None => {
                if self.long.is_empty() {
                    self.long = self.as_str().to_owned();
                }
                self.long.push_str(text);
            }
        }
        self.len = end;
    }

    pub(super) fn as_str(&self) -> &str {
        // INVARIANT: the array consists of complete UTF-8 texts.
        let short = self.short.get(..self.len).and_then(|short| str::from_utf8(short).ok());
        short.unwrap_or(&self.long)
    }
}

// Comparison and hashing are by text, so a map with path keys can be searched with a text.
impl Borrow<str> for AbsPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// Refuses a text that cannot be a path, absolute or relative.
pub(super) fn check_text(text: &str) -> Result<(), BadPath> {
    let fault = if text.is_empty() {
        PathFault::Empty
    } else if text.as_bytes().contains(&0) {
        PathFault::Nul
    } else if text.len() > MAX_PATH {
        PathFault::Long
    } else {
        return Ok(());
    };
    Err(BadPath::new(text, fault))
}

/// Refuses a text that cannot be a component.
pub(super) fn check_name(name: &str) -> Result<(), PathFault> {
    if name.len() > MAX_COMPONENT {
        return Err(PathFault::LongName);
    }
    if name.as_bytes().contains(&0) {
        return Err(PathFault::Nul);
    }
    Ok(())
}

/// Refuses a text that cannot be the name of a directory entry.
fn check_entry(name: &str) -> Result<(), BadPath> {
    let is_odd = |byte: u8| matches!(byte, b'/' | 0);
    if !matches!(name, "" | "." | "..") && name.len() <= MAX_COMPONENT && !name.bytes().any(is_odd)
    {
        return Ok(());
    }
    let fault = if matches!(name, "" | "." | "..") || name.bytes().any(|byte| byte == b'/') {
        PathFault::NotAName
    } else if name.as_bytes().contains(&0) {
        PathFault::Nul
    } else {
        PathFault::LongName
    };
    Err(BadPath::new(name, fault))
}

/// Returns whether an absolute text is in normal form. The text has passed `check_text`.
fn is_normal(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(is_descending)
}

/// Returns whether a text consists of plain names with single slashes between them.
fn is_descending(text: &str) -> bool {
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && name.len() <= MAX_COMPONENT;
    text.as_bytes().split(|byte| *byte == b'/').all(is_name)
}

/// Concatenates three texts.
fn joined(parts: [&str; 3]) -> Text {
    let mut text = Text::with_capacity(parts.iter().map(|part| part.len()).sum());
    parts.into_iter().for_each(|part| text.push_str(part));
    text
}

/// Applies the components of `text` to a list of components, by text alone.
fn apply_components<'a>(components: &mut ComponentVec<'a>, text: &'a str) {
    for component in text.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            name => components.push(name),
        }
    }
}

#[cfg(test)]
#[path = "abs_path_tests.rs"]
mod tests;
