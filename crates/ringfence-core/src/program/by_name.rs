//! Lists whose items are found by any of their names.

use std::ops::Deref;
use std::sync::Arc;

use super::entry::{OptionSpec, Sub};
use crate::index::FastMap;

/// What has names.
pub trait HasNames {
    /// All of them.
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

/// A list whose items are found by any of their names: programs have hundreds of options, and every
/// word of a line that may be one is looked for.
#[derive(Debug, Clone)]
pub struct ByName<T> {
    // INVARIANT: the names of an item never change once it is in the list.
    items: Vec<T>,
    places: FastMap<Box<str>, usize>,
}

impl<T: HasNames> ByName<T> {
    /// Adds an item; of two with the same name the first is found by it.
    pub fn push(&mut self, item: T) {
        for name in item.names() {
            self.places.entry(name.clone()).or_insert(self.items.len());
        }
        self.items.push(item);
    }

    /// The first item of this name.
    pub fn named(&self, name: &str) -> Option<&T> {
        self.items.get(*self.places.get(name)?)
    }
}

impl ByName<Arc<OptionSpec>> {
    /// The first option that shares a name with another one, to add to what it does.
    pub(super) fn sharing(&mut self, other: &OptionSpec) -> Option<&mut Vec<super::Role>> {
        let same = |own: &&mut Arc<OptionSpec>| own.spelling.shares_name(&other.spelling);
        let own = self.items.iter_mut().find(same)?;
        Some(&mut Arc::make_mut(own).also)
    }
}

impl<T> Deref for ByName<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for ByName<T> {
    fn default() -> ByName<T> {
        ByName { items: Vec::new(), places: FastMap::default() }
    }
}

impl<T: HasNames> FromIterator<T> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> ByName<T> {
        let mut all = ByName::default();
        items.into_iter().for_each(|item| all.push(item));
        all
    }
}

impl<'n, T> IntoIterator for &'n ByName<T> {
    type Item = &'n T;
    type IntoIter = std::slice::Iter<'n, T>;

    fn into_iter(self) -> std::slice::Iter<'n, T> {
        self.items.iter()
    }
}

// What is found by which name follows from the items.
impl<T: PartialEq> PartialEq for ByName<T> {
    fn eq(&self, other: &ByName<T>) -> bool {
        self.items == other.items
    }
}

impl<T: Eq> Eq for ByName<T> {}

#[cfg(test)]
#[path = "by_name_tests.rs"]
mod tests;
