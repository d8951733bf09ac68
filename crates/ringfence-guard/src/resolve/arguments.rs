//! The paths and URLs in a tool's arguments, at whatever depth.

use std::borrow::Cow;

use serde_json::Value;

use super::connection::{ConnectionPair, connection_pairs};
use super::form::{
    host_of_address, hosts_behind_scheme, is_file_url, is_net_url, looks_like_path, may_be_address,
    option_value, other_reading,
};
use super::key::Key;
use super::patch::is_patch;

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
    pub(crate) text: Cow<'v, str>,
    /// Whether its key says that it is a directory.
    pub(crate) is_place: bool,
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
    /// A host, with or without a port.
    Host,
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
        !matches!(self.part, Part::Url | Part::Host | Part::Glob | Part::OptionValue | Part::Patch)
    }

    /// Whether it is the same from wherever it is seen.
    pub(crate) fn is_absolute(&self) -> bool {
        self.text.starts_with(['/', '~', '\\', '$']) || is_file_url(&self.text)
    }

    fn into_owned(self) -> Found<'static> {
        Found { part: self.part, text: Cow::Owned(self.text.into_owned()), is_place: self.is_place }
    }
}

/// The arguments could not be looked through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable(pub(crate) &'static str);

/// Every path and URL in the arguments.
///
/// `free` says which further keys hold text that is no path for this tool.
pub(crate) fn find<'v>(input: &'v Value, free: &[&str]) -> Result<Vec<Found<'v>>, Unreadable> {
    find_in(input, free, Pairs::Contents)
}

/// Every path and URL in the arguments of a tool whose pairs mean this.
pub(crate) fn find_in<'v>(
    input: &'v Value,
    free: &[&str],
    pairs: Pairs,
) -> Result<Vec<Found<'v>>, Unreadable> {
    let mut finder = Finder { found: Vec::new(), free, pairs };
    finder.walk(None, input, 0)?;
    Ok(finder.found)
}

/// The meaning of a text behind a field whose name is a path: `{"files": {"a.txt": "…"}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// The content of that file, unless the text is one line that can only be a path.
    Contents,
    /// The path to which that file goes.
    Paths,
}

struct Finder<'v, 'f> {
    found: Vec<Found<'v>>,
    free: &'f [&'f str],
    pairs: Pairs,
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
            Value::String(text) => {
                self.add(key, text)?;
                if may_hold_more(key, text) {
                    self.inner(text, below)?;
                }
            }
            Value::Array(items) => {
                items.iter().try_for_each(|item| self.walk(key, item, below))?;
            }
            Value::Object(fields) => {
                for (name, value) in fields {
                    let known = self.found.len();
                    self.name(key, name)?;
                    if let (true, Value::String(text)) = (self.found.len() > known, value) {
                        self.behind_path(text)?;
                        continue;
                    }
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

    /// Arguments inside a text: some tools take them so.
    fn inner(&mut self, text: &str, depth: usize) -> Result<(), Unreadable> {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(()) };
        let mut inner = Finder { found: Vec::new(), free: self.free, pairs: self.pairs };
        inner.walk(None, &value, depth)?;
        inner.found.into_iter().try_for_each(|found| self.push(found.into_owned()))
    }

    /// Adds the text behind a field whose name is a path, where the text is one too.
    fn behind_path(&mut self, text: &'v str) -> Result<(), Unreadable> {
        match self.pairs {
            Pairs::Paths => self.named(Part::Destination, false, text),
            // Content has blanks or ends of lines; a text without any is not worth a guess.
            Pairs::Contents if text.contains(char::is_whitespace) => Ok(()),
            Pairs::Contents => self.loose(text),
        }
    }

    /// The name of a field may be a path itself: `{"files": {"src/a.rs": "…"}}`.
    fn name(&mut self, above: Option<&Key>, name: &'v str) -> Result<(), Unreadable> {
        let is_name = name.contains(['/', '.', '\\']);
        match above {
            Some(Key::FreeText) => Ok(()),
            Some(Key::Part(part)) if is_name => self.named(*part, false, name),
            Some(Key::Place) if is_name => self.named(Part::Path, true, name),
            _ if looks_like_path(name) || is_net_url(name) => self.loose(name),
            _ => Ok(()),
        }
    }

    fn add(&mut self, key: Option<&Key>, text: &'v str) -> Result<(), Unreadable> {
        match key {
            Some(Key::FreeText) => Ok(()),
            // What is called a patch and has no such form cannot be told from one that has.
            Some(Key::Patch) if text.trim().is_empty() => Ok(()),
            Some(Key::Patch) => self.take(Part::Patch, text),
            Some(Key::MaybePatch) if !is_patch(text) => Ok(()),
            Some(Key::MaybePatch) => self.take(Part::Patch, text),
            None | Some(Key::Other) if is_patch(text) => self.take(Part::Patch, text),
            Some(Key::Part(part)) => self.named(*part, false, text),
            Some(Key::Place) => self.named(Part::Path, true, text),
            Some(Key::Address) => self.address(text),
            Some(Key::MaybeAddress) if may_be_address(text) => self.address(text),
            Some(Key::Connection) => self.connection(text),
            None | Some(Key::Other | Key::MaybeAddress) => self.loose(text),
        }
    }

    /// A text whose key says that it is a path.
    fn named(&mut self, part: Part, is_place: bool, text: &'v str) -> Result<(), Unreadable> {
        if let Some(value) = option_value(text) {
            return self.take(Part::OptionValue, value);
        }
        if is_net_url(text) {
            return self.take(Part::Url, text);
        }
        self.push(Found { part, text: text.into(), is_place })?;
        if let Some(text) = other_reading(text).filter(|other| !other.is_empty()) {
            self.push(Found { part, text, is_place })?;
        }
        // Some take the mark with which people mention files for no part of the name.
        if let Some(text) = text.strip_prefix('@').filter(|own| looks_like_path(own)) {
            self.push(Found { part, text: text.into(), is_place })?;
        }
        self.hosts(text)
    }

    /// A text whose key says nothing.
    fn loose(&mut self, text: &'v str) -> Result<(), Unreadable> {
        if let Some(value) = option_value(text) {
            return self.take(Part::OptionValue, value);
        }
        if is_net_url(text) {
            return self.take(Part::Url, text);
        }
        if looks_like_path(text) {
            return self.take(Part::Loose, text);
        }
        if let Some(text) = other_reading(text).filter(|other| looks_like_path(other)) {
            return self.push(Found { part: Part::Loose, text, is_place: false });
        }
        self.hosts(text)
    }

    /// A text whose key says that it leads to a host.
    fn address(&mut self, text: &'v str) -> Result<(), Unreadable> {
        if is_net_url(text) {
            return self.take(Part::Url, text);
        }
        if is_file_url(text) || looks_like_path(text) && !text.starts_with("//") {
            return self.take(Part::Loose, text);
        }
        match text.contains("://") {
            true => self.hosts(text),
            false => self.take(Part::Host, host_of_address(text)),
        }
    }

    /// A text with which a client connects: a URL, or pairs such as `Server=db.example;Port=5432`.
    fn connection(&mut self, text: &'v str) -> Result<(), Unreadable> {
        if let Some((_, rest)) = text.split_once("://") {
            match is_net_url(text) {
                true => self.take(Part::Url, text)?,
                // `sqlite:////srv/x.db` names a file.
                false if rest.starts_with('/') => self.take(Part::Loose, rest)?,
                false => self.hosts(text)?,
            }
        }
        let mut pairs = connection_pairs(text).peekable();
        if pairs.peek().is_none() && !text.contains("://") {
            return match may_be_address(text) {
                true => self.address(text),
                false => self.loose(text),
            };
        }
        pairs.try_for_each(|pair| match pair {
            ConnectionPair::Host(host) => self.take(Part::Host, host_of_address(host)),
            ConnectionPair::Other(value) => self.loose(value),
        })
    }

    fn hosts(&mut self, text: &'v str) -> Result<(), Unreadable> {
        hosts_behind_scheme(text).try_for_each(|host| self.take(Part::Host, host))
    }

    fn take(&mut self, part: Part, text: &'v str) -> Result<(), Unreadable> {
        self.push(Found { part, text: text.into(), is_place: false })
    }

    fn push(&mut self, found: Found<'v>) -> Result<(), Unreadable> {
        if self.found.len() >= MAX_FOUND {
            return Err(Unreadable("its arguments name too many paths"));
        }
        self.found.push(found);
        Ok(())
    }
}

/// Whether a text may have arguments in it.
fn may_hold_more(key: Option<&Key>, text: &str) -> bool {
    let is_free = matches!(key, Some(Key::FreeText | Key::Patch | Key::MaybePatch));
    text.trim_start().starts_with(['{', '[']) && !is_free
}

/// Every patch in the arguments, whatever it is called.
pub(super) fn patches_in<'v>(input: &'v Value, found: &mut Vec<&'v str>) {
    match input {
        Value::String(text) if is_patch(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| patches_in(item, found)),
        Value::Object(fields) => fields.values().for_each(|value| patches_in(value, found)),
        _ => {}
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
