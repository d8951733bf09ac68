//! What a shell knows by name, shared by all points of a line at which it knows the same.
//!
//! Coming back to an earlier point is free until something changes. What copies and comparisons
//! cost is counted, so that the work for a line stays bounded.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// Names with what is known of them.
#[derive(Debug)]
pub(super) struct Known<V> {
    /// None where nothing is known, as in most lines.
    map: Option<Rc<HashMap<String, V>>>,
    /// How many entries were copied and compared, for all points of the line together.
    touched: Rc<Cell<usize>>,
}

// What is known need not be copied for this, so it need not be `Clone` either.
impl<V> Clone for Known<V> {
    fn clone(&self) -> Known<V> {
        Known { map: self.map.clone(), touched: Rc::clone(&self.touched) }
    }
}

impl<V: Clone + PartialEq> Known<V> {
    /// Nothing is known; entries that are copied or compared are counted there.
    pub(super) fn new(touched: &Rc<Cell<usize>>) -> Known<V> {
        Known { map: None, touched: Rc::clone(touched) }
    }

    /// Nothing is known any more.
    pub(super) fn emptied(&self) -> Known<V> {
        Known::new(&self.touched)
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether this knows the very same, with nothing changed since it was copied.
    pub(super) fn is(&self, other: &Known<V>) -> bool {
        self.map.as_ref().map(Rc::as_ptr) == other.map.as_ref().map(Rc::as_ptr)
    }

    /// All names of which something is known.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all().map(|(name, _)| name.as_str())
    }

    pub(super) fn get(&self, name: &str) -> Option<&V> {
        self.map.as_ref()?.get(name)
    }

    pub(super) fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn insert(&mut self, name: String, value: V) {
        self.changing().insert(name, value);
    }

    pub(super) fn remove(&mut self, name: &str) {
        if self.contains_key(name) {
            self.changing().remove(name);
        }
    }

    /// Whether anything is known of such a name.
    pub(super) fn has(&self, is_it: impl Fn(&str) -> bool) -> bool {
        self.touch(self.len());
        self.all().any(|(name, _)| is_it(name))
    }

    /// Keeps what fulfils this.
    pub(super) fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        self.touch(self.len());
        if !self.all().all(|(_, value)| keep(value)) {
            self.changing().retain(|_, value| keep(value));
        }
    }

    /// What is known of a name, to be changed.
    pub(super) fn entry(&mut self, name: &str) -> &mut V
    where
        V: Default,
    {
        self.changing().entry(name.to_owned()).or_default()
    }

    /// The names of which the two do not know the same.
    pub(super) fn differing(&self, other: &Known<V>) -> Vec<String> {
        if self.is(other) {
            return Vec::new();
        }
        self.touch(self.len().saturating_add(other.len()));
        let own = self.all().filter(|(name, value)| other.get(name) != Some(value));
        let more = other.all().filter(|(name, _)| !self.contains_key(name));
        own.chain(more).map(|(name, _)| name.clone()).collect()
    }

    fn changing(&mut self) -> &mut HashMap<String, V> {
        if self.map.as_ref().is_some_and(|map| Rc::strong_count(map) > 1) {
            self.touch(self.len());
        }
        Rc::make_mut(self.map.get_or_insert_default())
    }

    fn all(&self) -> impl Iterator<Item = (&String, &V)> {
        self.map.iter().flat_map(|map| map.iter())
    }

    fn len(&self) -> usize {
        self.map.as_ref().map_or(0, |map| map.len())
    }

    fn touch(&self, entries: usize) {
        self.touched.set(self.touched.get().saturating_add(entries));
    }
}
