//! Lists in text form, whose items are parsed on first use.
//!
//! The catalogue has tens of thousands of options, and judging a single call needs only a few.
//! After a number of lookups the whole list is parsed and hashed.

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::entry::{OptionSpec, ReplacedOperand, SubcommandSpec};
use super::named_list::{HasNames, HashedList};
use super::role::WordRole;
use super::spelling::{OptionSpelling, split_takes};
use crate::text::{split_at_byte, split_at_each_byte};

/// The separator between the names of an item and its other fields.
const FIELD: u8 = b'\t';
/// The separator between the roles of an option.
const ROLE: u8 = b',';

/// The number of items that are cached before the whole list is parsed.
const CACHED_ITEMS: usize = 4;
/// The number of lookups in the text before the whole list is parsed.
const MAX_TEXT_LOOKUPS: u32 = 16;

/// An item that can be written in one line.
pub trait ParseLine: HasNames + Sized {
    /// Parses the line of an item in the list of the catalogue entry `of`.
    fn read(line: &str, of: &str) -> Option<Self>;
}

/// A list in text form: one item per line, its names first.
pub(super) struct LazyList<T> {
    lines: &'static str,
    /// The name of the catalogue entry that the list belongs to.
    of: &'static str,
    /// Items that were looked up, each with its line.
    few: [OnceLock<(&'static str, T)>; CACHED_ITEMS],
    /// The number of lookups.
    asked: AtomicU32,
    all: OnceLock<HashedList<T>>,
}

impl<T: ParseLine> LazyList<T> {
    pub(super) fn new(lines: &'static str, of: &'static str) -> LazyList<T> {
        let few = std::array::from_fn(|_| OnceLock::new());
        LazyList { lines, of, few, asked: AtomicU32::new(0), all: OnceLock::new() }
    }

    /// Returns the whole list; parses it on first use.
    pub(super) fn all(&self) -> &HashedList<T> {
        self.all.get_or_init(|| {
            split_at_each_byte(self.lines, b'\n')
                .filter_map(|line| T::read(line, self.of))
                .collect()
        })
    }

    /// Returns the first item with this name.
    pub(super) fn named(&self, name: &str) -> Option<&T> {
        if let Some(all) = self.all.get() {
            return all.named(name);
        }
        if self.asked.fetch_add(1, Ordering::Relaxed) >= MAX_TEXT_LOOKUPS {
            return self.all().named(name);
        }
        let line = self.line_of(name)?;
        for place in &self.few {
            let read = || T::read(line, self.of).map(|item| (line, item));
            if place.get().is_none()
                && let Some(item) = read()
            {
                // Another thread may have stored another item here.
                let _ = place.set(item);
            }
            match place.get() {
                Some((own, item)) if std::ptr::eq(*own, line) => return Some(item),
                _ => {}
            }
        }
        self.all().named(name)
    }
}

impl<T> LazyList<T> {
    /// Returns the first line whose item has this name.
    fn line_of(&self, name: &str) -> Option<&'static str> {
        if name.is_empty() {
            return None;
        }
        // The text of the name may also occur as a part of another name or field.
        let mut lines = self.lines.match_indices(name).filter_map(|(at, _)| {
            let (before, behind) = self.lines.split_at_checked(at)?;
            let starts_name = matches!(before.as_bytes().last(), None | Some(b'\n' | b'|'));
            if !starts_name {
                return None;
            }
            let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
            let end = split_at_byte(behind, b'\n').map_or(behind.len(), |(rest, _)| rest.len());
            self.lines.get(start..at.saturating_add(end))
        });
        lines.find(|line| has_name(line, name))
    }
}

impl<T: Clone> Clone for LazyList<T> {
    fn clone(&self) -> LazyList<T> {
        let LazyList { lines, of, few, asked, all } = self;
        let asked = AtomicU32::new(asked.load(Ordering::Relaxed));
        LazyList { lines, of, few: few.clone(), asked, all: all.clone() }
    }
}

impl<T> fmt::Debug for LazyList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazyList").field("of", &self.of).finish_non_exhaustive()
    }
}

/// Returns whether the item in a line has this name.
fn has_name(line: &str, name: &str) -> bool {
    let spelling = split_at_byte(line, FIELD).map_or(line, |(spelling, _)| spelling);
    split_at_each_byte(split_takes(spelling).0, b'|').any(|own| own == name)
}

/// Parses `-o|--output=`, the roles if the option is no plain flag, and the operand that it
/// replaces.
impl ParseLine for Arc<OptionSpec> {
    fn read(line: &str, _: &str) -> Option<Self> {
        let mut fields = split_at_each_byte(line, FIELD);
        let spelling = OptionSpelling::parse(fields.next()?).ok()?;
        let roles = match fields.next() {
            None => vec![WordRole::Text],
            Some(roles) => {
                split_at_each_byte(roles, ROLE).map(WordRole::parse).collect::<Option<_>>()?
            }
        };
        let fills = match fields.next() {
            None => None,
            Some("first") => Some(ReplacedOperand::First),
            Some(_) => Some(ReplacedOperand::Last),
        };
        Some(OptionSpec { spelling, roles, also: Vec::new(), fills }.into())
    }
}

/// Parses the names, and optionally the name of another subcommand whose entry is used.
impl ParseLine for SubcommandSpec {
    fn read(line: &str, of: &str) -> Option<Self> {
        let (names, alike) =
            split_at_byte(line, FIELD).map_or((line, None), |(own, as_is)| (own, Some(as_is)));
        let names: Arc<[Box<str>]> = split_at_each_byte(names, b'|').map(Into::into).collect();
        let key = [of, " ", alike.or(names.first().map(|name| &**name))?].concat().into();
        Some(SubcommandSpec { names, key })
    }
}

#[cfg(test)]
#[path = "lazy_list_tests.rs"]
mod tests;
