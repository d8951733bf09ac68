//! Lists with lookup by any name of an item.

use std::ops::Deref;
use std::sync::Arc;

use super::entry::{OptionSpec, SubcommandSpec};
use super::lazy_list::{LazyList, ParseLine};
use crate::index::FastMap;

/// An item with several names.
pub trait HasNames {
    /// Returns all names.
    fn names(&self) -> &[Box<str>];
}

impl HasNames for Arc<OptionSpec> {
    fn names(&self) -> &[Box<str>] {
        &self.spelling.names
    }
}

impl HasNames for SubcommandSpec {
    fn names(&self) -> &[Box<str>] {
        &self.names
    }
}

/// A list with lookup by any name of an item. Programs have hundreds of options, and every word
/// that may be an option is looked up.
#[derive(Debug, Clone)]
pub struct NamedList<T> {
    hashed: HashedList<T>,
    /// The unparsed text of the list; `None` once the list was changed.
    kept: Option<Box<LazyList<T>>>,
}

/// A list whose items are all in memory.
#[derive(Debug, Clone)]
pub(super) struct HashedList<T> {
    // INVARIANT: the names of an item never change once it is in the list.
    items: Vec<T>,
    index: FastMap<Box<str>, usize>,
}

impl<T: HasNames> HashedList<T> {
    fn push(&mut self, item: T) {
        for name in item.names() {
            self.index.entry(name.clone()).or_insert(self.items.len());
        }
        self.items.push(item);
    }

    pub(super) fn named(&self, name: &str) -> Option<&T> {
        self.items.get(*self.index.get(name)?)
    }
}

impl<T: ParseLine + Clone> NamedList<T> {
    /// Creates the list of the catalogue entry `of` from text. Each line is one item: its names,
    /// separated by `|`, and after a tab the fields that [`ParseLine::read`] parses.
    pub fn kept(lines: &'static str, of: &'static str) -> NamedList<T> {
        let kept = (!lines.is_empty()).then(|| Box::new(LazyList::new(lines, of)));
        NamedList { hashed: HashedList::default(), kept }
    }

    /// Adds an item. If a name occurs twice, lookups return the first item.
    pub fn push(&mut self, item: T) {
        self.hashed_mut().push(item);
    }

    /// Returns the first item with this name.
    pub fn named(&self, name: &str) -> Option<&T> {
        match &self.kept {
            Some(kept) => kept.named(name),
            None => self.hashed.named(name),
        }
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.kept.is_none() && self.hashed.items.is_empty()
    }

    /// Converts the list into one that can be changed.
    fn hashed_mut(&mut self) -> &mut HashedList<T> {
        if let Some(kept) = self.kept.take() {
            self.hashed = kept.all().clone();
        }
        &mut self.hashed
    }
}

impl NamedList<Arc<OptionSpec>> {
    /// Returns the `also` roles of the first option that shares a name with another option.
    pub(super) fn also_roles_sharing(
        &mut self,
        other: &OptionSpec,
    ) -> Option<&mut Vec<super::WordRole>> {
        let same = |own: &&mut Arc<OptionSpec>| own.spelling.shares_name(&other.spelling);
        let own = self.hashed_mut().items.iter_mut().find(same)?;
        Some(&mut Arc::make_mut(own).also)
    }
}

impl<T: ParseLine> Deref for NamedList<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let all = self.kept.as_ref().map_or(&self.hashed, |kept| kept.all());
        &all.items
    }
}

impl<T> Default for HashedList<T> {
    fn default() -> HashedList<T> {
        HashedList { items: Vec::new(), index: FastMap::default() }
    }
}

impl<T> Default for NamedList<T> {
    fn default() -> NamedList<T> {
        NamedList { hashed: HashedList::default(), kept: None }
    }
}

impl<T: HasNames> FromIterator<T> for HashedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> HashedList<T> {
        let mut all = HashedList::default();
        items.into_iter().for_each(|item| all.push(item));
        all
    }
}

impl<T: HasNames> FromIterator<T> for NamedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> NamedList<T> {
        NamedList { hashed: items.into_iter().collect(), kept: None }
    }
}

impl<'n, T: ParseLine> IntoIterator for &'n NamedList<T> {
    type Item = &'n T;
    type IntoIter = std::slice::Iter<'n, T>;

    fn into_iter(self) -> std::slice::Iter<'n, T> {
        self.iter()
    }
}

// Only the items are compared, because the name index follows from them.
impl<T: ParseLine + PartialEq> PartialEq for NamedList<T> {
    fn eq(&self, other: &NamedList<T>) -> bool {
        **self == **other
    }
}

impl<T: ParseLine + Eq> Eq for NamedList<T> {}

#[cfg(test)]
#[path = "named_list_tests.rs"]
mod tests;
