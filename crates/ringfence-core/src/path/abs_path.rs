//! Absolute paths in lexical normal form.
//!
//! Nothing here looks at a file system: what links and `..` really lead to is told by
//! [`resolve`](super::resolve). It must never make a path that is not in normal form.

use std::borrow::Borrow;
use std::fmt;

use smallvec::SmallVec;

use super::{BadPath, Components, PathFault};
use crate::access::Text;
use crate::text::short;

/// The longest path that the kernel takes, in bytes.
const MAX_PATH: usize = 4095;
/// The longest component that file systems take, in bytes.
const MAX_COMPONENT: usize = 255;

/// An absolute path in normal form.
///
/// It starts with `/`, has no empty, `.` or `..` component, no NUL, and no slash at its end
/// unless it is the root. A short one is copied without taking memory. Comparing is by text: see
/// [`PathRules::fold`](super::PathRules::fold) for file systems that ignore case.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
// INVARIANT: as the documentation says; every constructor checks it or keeps it.
pub struct AbsPath(Text);

impl AbsPath {
    /// The root directory.
    pub fn root() -> AbsPath {
        AbsPath(Text::inline("/"))
    }

    /// The normal form of an absolute path, by its text alone.
    ///
    /// `..` above the root stays at the root, as it does in the kernel.
    pub fn new(text: &str) -> Result<AbsPath, BadPath> {
        check_text(text)?;
        if !text.starts_with('/') {
            return Err(BadPath::new(text, PathFault::Relative));
        }
        if is_normal(text) {
            return Ok(AbsPath(Text::from(text)));
        }
        let mut components = Names::new();
        climb(&mut components, text);
        AbsPath::from_components(&components).map_err(|fault| BadPath::new(text, fault))
    }

    /// The path of a text that is in normal form but for its length; nothing is the root.
    pub(super) fn from_normal(text: &str) -> Result<AbsPath, PathFault> {
        match text.len() {
            0 => Ok(AbsPath::root()),
            1..=MAX_PATH => Ok(AbsPath(Text::from(text))),
            _ => Err(PathFault::Long),
        }
    }

    /// The path of an absolute text, or of one that is seen from a directory, where the text goes
    /// straight down: it has no empty, `.` or `..` component, but that it may begin with `./`. `None`
    /// for every other text.
    ///
    /// The text has passed `check_text`.
    pub(super) fn straight_down(directory: &AbsPath, text: &str) -> Option<AbsPath> {
        let from = match text.strip_prefix('/') {
            Some(below) => return has_names(below).then(|| AbsPath(Text::from(text))),
            None if directory.is_root() => "",
            None => directory.as_str(),
        };
        let len = from.len().saturating_add(text.len()).saturating_add(1);
        let below = text.strip_prefix("./").unwrap_or(text);
        (len <= MAX_PATH && has_names(below)).then(|| AbsPath(joined([from, "/", below])))
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The components from the root on; none for the root itself.
    pub fn components(&self) -> Components<'_> {
        Components(if self.is_root() { "" } else { &self.0 })
    }

    /// The last component; empty for the root.
    pub fn file_name(&self) -> &str {
        self.last_slash().and_then(|at| self.0.get(at.saturating_add(1)..)).unwrap_or_default()
    }

    /// The directory that holds this path; `None` for the root.
    pub fn parent(&self) -> Option<AbsPath> {
        match self.last_slash()? {
            0 if self.is_root() => None,
            0 => Some(AbsPath::root()),
            at => Some(AbsPath(short(self.0.get(..at)?))),
        }
    }

    fn last_slash(&self) -> Option<usize> {
        // Names are short: looking at each byte is quicker than to search.
        self.0.bytes().rposition(|byte| byte == b'/')
    }

    /// What `text` names when seen from here, by its text alone; an absolute text stands for
    /// itself.
    pub fn join(&self, text: &str) -> Result<AbsPath, BadPath> {
        if text.starts_with('/') {
            return AbsPath::new(text);
        }
        check_text(text)?;
        let mut components: Names<'_> = self.components().collect();
        climb(&mut components, text);
        AbsPath::from_components(&components).map_err(|fault| BadPath::new(text, fault))
    }

    /// The entry of this directory with exactly this name.
    pub fn child(&self, name: &str) -> Result<AbsPath, BadPath> {
        check_entry(name)?;
        let from = if self.is_root() { "" } else { self.as_str() };
        let text = joined([from, "/", name]);
        match text.len() {
            ..=MAX_PATH => Ok(AbsPath(text)),
            _ => Err(BadPath::new(&text, PathFault::Long)),
        }
    }

    /// The entry of this directory that a listing showed. It may be longer than any path that is asked
    /// for: bytes that are no text take more room as text, and directories are reached step by step.
    pub fn listed(&self, name: &str) -> Option<AbsPath> {
        let is_name =
            !matches!(name, "" | "." | "..") && !name.bytes().any(|byte| matches!(byte, b'/' | 0));
        let from = if self.is_root() { "" } else { self.as_str() };
        is_name.then(|| AbsPath(joined([from, "/", name])))
    }

    /// The path below this one by these names, none of which is empty, `.`, `..` or has a slash.
    pub(crate) fn descend<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<AbsPath, BadPath> {
        let mut text = Draft::default();
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

    /// Whether this path is `directory` or lies below it.
    pub fn starts_with(&self, directory: &AbsPath) -> bool {
        if directory.is_root() {
            return true;
        }
        match self.0.strip_prefix(directory.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }

    /// Whether this is the root directory.
    pub fn is_root(&self) -> bool {
        self.0 == "/"
    }

    /// This path with every component changed to another name.
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

    /// A path of components that are already free of `.`, `..` and slashes.
    pub(super) fn from_components<T: AsRef<str>>(components: &[T]) -> Result<AbsPath, PathFault> {
        let mut text = Draft::default();
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
type Names<'n> = SmallVec<[&'n str; 16]>;

/// A text that is put together to make a path of it: nearly all are short enough to need no memory.
pub(super) struct Draft {
    short: [u8; 128],
    len: usize,
    /// All of it, where it is longer.
    long: String,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft { short: [0; 128], len: 0, long: String::new() }
    }
}

impl Draft {
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
        // INVARIANT: it is made of whole texts.
        let short = self.short.get(..self.len).and_then(|short| str::from_utf8(short).ok());
        short.unwrap_or(&self.long)
    }
}

// Comparing and hashing are by text, so a map by paths can be asked with a text.
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

/// Refuses what no path can be, whatever it is relative to.
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

/// Refuses what no component can be.
pub(super) fn check_name(name: &str) -> Result<(), PathFault> {
    if name.len() > MAX_COMPONENT {
        return Err(PathFault::LongName);
    }
    if name.as_bytes().contains(&0) {
        return Err(PathFault::Nul);
    }
    Ok(())
}

/// Refuses what no entry of a directory can be called.
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

/// Whether an absolute text that passed `check_text` is in normal form as it stands.
fn is_normal(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(has_names)
}

/// Whether a text is names that go down, with single slashes between them.
fn has_names(text: &str) -> bool {
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && name.len() <= MAX_COMPONENT;
    text.as_bytes().split(|byte| *byte == b'/').all(is_name)
}

/// Texts put together.
fn joined(parts: [&str; 3]) -> Text {
    let mut text = Text::with_capacity(parts.iter().map(|part| part.len()).sum());
    parts.into_iter().for_each(|part| text.push_str(part));
    text
}

/// Follows the components of `text` from `components` on, by their text alone.
fn climb<'a>(components: &mut Names<'a>, text: &'a str) {
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
