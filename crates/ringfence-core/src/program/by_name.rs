//! Lists with lookup by any name of an item.

use std::ops::Deref;
use std::sync::Arc;

use super::entry::{OptionSpec, Sub};
use super::kept::{Kept, Line};
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

impl HasNames for Sub {
    fn names(&self) -> &[Box<str>] {
        &self.names
    }
}

/// A list with lookup by any name of an item. Programs have hundreds of options, and every word
/// that may be an option is looked up.
#[derive(Debug, Clone)]
pub struct ByName<T> {
    made: Made<T>,
    /// The unparsed text of the list; `None` once the list was changed.
    kept: Option<Box<Kept<T>>>,
}

/// A list whose items are all in memory.
#[derive(Debug, Clone)]
pub(super) struct Made<T> {
    // INVARIANT: the names of an item never change once it is in the list.
    items: Vec<T>,
    places: FastMap<Box<str>, usize>,
}

impl<T: HasNames> Made<T> {
    fn push(&mut self, item: T) {
        for name in item.names() {
            self.places.entry(name.clone()).or_insert(self.items.len());
        }
        self.items.push(item);
    }

    pub(super) fn named(&self, name: &str) -> Option<&T> {
        self.items.get(*self.places.get(name)?)
    }
}

impl<T: Line + Clone> ByName<T> {
    /// Creates the list of the catalogue entry `of` from text. Each line is one item: its names,
    /// separated by `|`, and after a tab the fields that [`Line::read`] parses.
    pub fn kept(lines: &'static str, of: &'static str) -> ByName<T> {
        let kept = (!lines.is_empty()).then(|| Box::new(Kept::new(lines, of)));
        ByName { made: Made::default(), kept }
    }

    /// Adds an item. If a name occurs twice, lookups return the first item.
    pub fn push(&mut self, item: T) {
        self.make().push(item);
    }

    /// Returns the first item with this name.
    pub fn named(&self, name: &str) -> Option<&T> {
        match &self.kept {
            Some(kept) => kept.named(name),
            None => self.made.named(name),
        }
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.kept.is_none() && self.made.items.is_empty()
    }

    /// Converts the list into one that can be changed.
    fn make(&mut self) -> &mut Made<T> {
        if let Some(kept) = self.kept.take() {
            self.made = kept.all().clone();
        }
        &mut self.made
    }
}

impl ByName<Arc<OptionSpec>> {
    /// Returns the `also` roles of the first option that shares a name with another option.
    pub(super) fn sharing(&mut self, other: &OptionSpec) -> Option<&mut Vec<super::Role>> {
        let same = |own: &&mut Arc<OptionSpec>| own.spelling.shares_name(&other.spelling);
        let own = self.make().items.iter_mut().find(same)?;
        Some(&mut Arc::make_mut(own).also)
    }
}

impl<T: Line> Deref for ByName<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        let all = self.kept.as_ref().map_or(&self.made, |kept| kept.all());
        &all.items
    }
}

impl<T> Default for Made<T> {
    fn default() -> Made<T> {
        Made { items: Vec::new(), places: FastMap::default() }
    }
}

impl<T> Default for ByName<T> {
    fn default() -> ByName<T> {
        ByName { made: Made::default(), kept: None }
    }
}

impl<T: HasNames> FromIterator<T> for Made<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Made<T> {
        let mut all = Made::default();
        items.into_iter().for_each(|item| all.push(item));
        all
    }
}

impl<T: HasNames> FromIterator<T> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> ByName<T> {
        ByName { made: items.into_iter().collect(), kept: None }
    }
}

impl<'n, T: Line> IntoIterator for &'n ByName<T> {
    type Item = &'n T;
    type IntoIter = std::slice::Iter<'n, T>;

    fn into_iter(self) -> std::slice::Iter<'n, T> {
        self.iter()
    }
}

// Only the items are compared, because the name index follows from them.
impl<T: Line + PartialEq> PartialEq for ByName<T> {
    fn eq(&self, other: &ByName<T>) -> bool {
        **self == **other
    }
}

impl<T: Line + Eq> Eq for ByName<T> {}

#[cfg(test)]
#[path = "by_name_tests.rs"]
mod tests;
