//! Finds the paths and URLs in a tool's arguments, at any depth.

use std::borrow::Cow;

use serde_json::Value;

use super::connection::{ConnectionPair, connection_pairs};
use super::key::Key;
use super::patch::is_patch;
use super::value_form::{
    decoded_form, host_of_address, hosts_behind_scheme, is_file_url, is_net_url, looks_like_path,
    may_be_address, option_value,
};

/// The maximum nesting depth of arguments. Deeper arguments are rejected.
pub(super) const MAX_DEPTH: usize = 32;
/// The maximum number of paths and URLs in one call.
const MAX_FOUND: usize = 10_000;

/// A path or URL in a tool's arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundArgument<'v> {
    /// The role that the argument's key gives to the value.
    pub(crate) part: ArgumentRole,
    /// The value.
    pub(crate) text: Cow<'v, str>,
    /// Whether the key says that the value is a directory.
    pub(crate) is_place: bool,
}

/// The role of an argument, as its key and form tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentRole {
    /// The file that the tool works on.
    Path,
    /// The source of a copy or move.
    Source,
    /// The destination of a copy or move.
    Destination,
    /// The target of a link, or a destination.
    Target,
    /// The name of a new link.
    LinkName,
    /// A glob, relative to the path that the tool works on.
    Glob,
    /// A URL.
    Url,
    /// A host, with or without a port.
    Host,
    /// A value that looks like a path, although its key does not say so.
    Loose,
    /// A path inside an option: `--output=/x`.
    OptionValue,
    /// A patch, which names the files that it changes.
    Patch,
}

impl FoundArgument<'_> {
    /// Returns whether the value is a path itself.
    pub(crate) fn is_path(&self) -> bool {
        !matches!(
            self.part,
            ArgumentRole::Url
                | ArgumentRole::Host
                | ArgumentRole::Glob
                | ArgumentRole::OptionValue
                | ArgumentRole::Patch
        )
    }

    /// Returns whether the value does not depend on the working directory.
    pub(crate) fn is_absolute(&self) -> bool {
        self.text.starts_with(['/', '~', '\\', '$']) || is_file_url(&self.text)
    }

    fn into_owned(self) -> FoundArgument<'static> {
        FoundArgument {
            part: self.part,
            text: Cow::Owned(self.text.into_owned()),
            is_place: self.is_place,
        }
    }
}

/// Error: the arguments cannot be searched. Contains the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnreadableArguments(pub(crate) &'static str);

/// Finds every path and URL in the arguments.
///
/// `free` lists additional keys whose values are plain text for this tool.
pub(crate) fn find<'v>(
    input: &'v Value,
    free: &[&str],
) -> Result<Vec<FoundArgument<'v>>, UnreadableArguments> {
    find_in(input, free, PathKeyValue::Contents)
}

/// Finds every path and URL in the arguments. `pairs` says what the value of a field means if the
/// field's name is a path.
pub(crate) fn find_in<'v>(
    input: &'v Value,
    free: &[&str],
    pairs: PathKeyValue,
) -> Result<Vec<FoundArgument<'v>>, UnreadableArguments> {
    let mut finder = Finder { found: Vec::new(), free, pairs };
    finder.walk(None, input, 0)?;
    Ok(finder.found)
}

/// The meaning of a text behind a field whose name is a path: `{"files": {"a.txt": "…"}}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathKeyValue {
    /// The content of that file, unless the text is one line that can only be a path.
    Contents,
    /// The path to which the file is moved or copied.
    Paths,
}

struct Finder<'v, 'f> {
    found: Vec<FoundArgument<'v>>,
    free: &'f [&'f str],
    pairs: PathKeyValue,
}

impl<'v> Finder<'v, '_> {
    fn walk(
        &mut self,
        key: Option<&Key>,
        value: &'v Value,
        depth: usize,
    ) -> Result<(), UnreadableArguments> {
        if depth > MAX_DEPTH {
            return Err(UnreadableArguments("its arguments are nested too deep"));
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
                        self.value_of_path_key(text)?;
                        continue;
                    }
                    self.walk(Some(&Key::new(name, self.free)), value, below)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                if key.is_some_and(Key::must_be_text) && !value.is_null() {
                    return Err(UnreadableArguments("a path in its arguments is not a string"));
                }
            }
        }
        Ok(())
    }

    /// Searches a string that contains JSON, because some tools take their arguments in that form.
    fn inner(&mut self, text: &str, depth: usize) -> Result<(), UnreadableArguments> {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return Ok(()) };
        let mut inner = Finder { found: Vec::new(), free: self.free, pairs: self.pairs };
        inner.walk(None, &value, depth)?;
        inner.found.into_iter().try_for_each(|found| self.push(found.into_owned()))
    }

    /// Adds the value of a field whose name is a path, if the value is a path too.
    fn value_of_path_key(&mut self, text: &'v str) -> Result<(), UnreadableArguments> {
        match self.pairs {
            PathKeyValue::Paths => self.named(ArgumentRole::Destination, false, text),
            // Content usually has whitespace or line ends; a text without any could be a path.
            PathKeyValue::Contents if text.contains(char::is_whitespace) => Ok(()),
            PathKeyValue::Contents => self.loose(text),
        }
    }

    /// The name of a field may be a path itself: `{"files": {"src/a.rs": "…"}}`.
    fn name(&mut self, above: Option<&Key>, name: &'v str) -> Result<(), UnreadableArguments> {
        let is_name = name.contains(['/', '.', '\\']);
        match above {
            Some(Key::FreeText) => Ok(()),
            Some(Key::Role(part)) if is_name => self.named(*part, false, name),
            Some(Key::Place) if is_name => self.named(ArgumentRole::Path, true, name),
            _ if looks_like_path(name) || is_net_url(name) => self.loose(name),
            _ => Ok(()),
        }
    }

    fn add(&mut self, key: Option<&Key>, text: &'v str) -> Result<(), UnreadableArguments> {
        match key {
            Some(Key::FreeText) => Ok(()),
            // A value under `patch` is treated as a patch even if it does not look like one.
            Some(Key::Patch) if text.trim().is_empty() => Ok(()),
            Some(Key::Patch) => self.take(ArgumentRole::Patch, text),
            Some(Key::MaybePatch) if !is_patch(text) => Ok(()),
            Some(Key::MaybePatch) => self.take(ArgumentRole::Patch, text),
            None | Some(Key::Other) if is_patch(text) => self.take(ArgumentRole::Patch, text),
            Some(Key::Role(part)) => self.named(*part, false, text),
            Some(Key::Place) => self.named(ArgumentRole::Path, true, text),
            Some(Key::Address) => self.address(text),
            Some(Key::MaybeAddress) if may_be_address(text) => self.address(text),
            Some(Key::Connection) => self.connection(text),
            None | Some(Key::Other | Key::MaybeAddress) => self.loose(text),
        }
    }

    /// Adds a value whose key says that it is a path.
    fn named(
        &mut self,
        part: ArgumentRole,
        is_place: bool,
        text: &'v str,
    ) -> Result<(), UnreadableArguments> {
        if let Some(value) = option_value(text) {
            return self.take(ArgumentRole::OptionValue, value);
        }
        if is_net_url(text) {
            return self.take(ArgumentRole::Url, text);
        }
        self.push(FoundArgument { part, text: text.into(), is_place })?;
        if let Some(text) = decoded_form(text).filter(|other| !other.is_empty()) {
            self.push(FoundArgument { part, text, is_place })?;
        }
        // Some tools drop the `@` with which people mention files.
        if let Some(text) = text.strip_prefix('@').filter(|own| looks_like_path(own)) {
            self.push(FoundArgument { part, text: text.into(), is_place })?;
        }
        self.hosts(text)
    }

    /// Adds a value whose key says nothing, if it looks like a path or URL.
    fn loose(&mut self, text: &'v str) -> Result<(), UnreadableArguments> {
        if let Some(value) = option_value(text) {
            return self.take(ArgumentRole::OptionValue, value);
        }
        if is_net_url(text) {
            return self.take(ArgumentRole::Url, text);
        }
        if looks_like_path(text) {
            return self.take(ArgumentRole::Loose, text);
        }
        if let Some(text) = decoded_form(text).filter(|other| looks_like_path(other)) {
            return self.push(FoundArgument { part: ArgumentRole::Loose, text, is_place: false });
        }
        self.hosts(text)
    }

    /// Adds a value whose key says that it is a host or URL.
    fn address(&mut self, text: &'v str) -> Result<(), UnreadableArguments> {
        if is_net_url(text) {
            return self.take(ArgumentRole::Url, text);
        }
        if is_file_url(text) || looks_like_path(text) && !text.starts_with("//") {
            return self.take(ArgumentRole::Loose, text);
        }
        match text.contains("://") {
            true => self.hosts(text),
            false => self.take(ArgumentRole::Host, host_of_address(text)),
        }
    }

    /// Adds the hosts and paths of a connection string: a URL, or pairs such as
    /// `Server=db.example;Port=5432`.
    fn connection(&mut self, text: &'v str) -> Result<(), UnreadableArguments> {
        if let Some((_, rest)) = text.split_once("://") {
            match is_net_url(text) {
                true => self.take(ArgumentRole::Url, text)?,
                // `sqlite:////srv/x.db` names a file.
                false if rest.starts_with('/') => self.take(ArgumentRole::Loose, rest)?,
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
            ConnectionPair::Host(host) => self.take(ArgumentRole::Host, host_of_address(host)),
            ConnectionPair::Other(value) => self.loose(value),
        })
    }

    fn hosts(&mut self, text: &'v str) -> Result<(), UnreadableArguments> {
        hosts_behind_scheme(text).try_for_each(|host| self.take(ArgumentRole::Host, host))
    }

    fn take(&mut self, part: ArgumentRole, text: &'v str) -> Result<(), UnreadableArguments> {
        self.push(FoundArgument { part, text: text.into(), is_place: false })
    }

    fn push(&mut self, found: FoundArgument<'v>) -> Result<(), UnreadableArguments> {
        if self.found.len() >= MAX_FOUND {
            return Err(UnreadableArguments("its arguments name too many paths"));
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

/// Collects every patch in the arguments, under any key.
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
