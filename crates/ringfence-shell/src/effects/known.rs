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
    map: Rc<HashMap<String, V>>,
    /// How many entries were copied and compared, for all points of the line together.
    touched: Rc<Cell<usize>>,
}

// What is known need not be copied for this, so it need not be `Clone` either.
impl<V> Clone for Known<V> {
    fn clone(&self) -> Known<V> {
        Known { map: Rc::clone(&self.map), touched: Rc::clone(&self.touched) }
    }
}

impl<V: Clone + PartialEq> Known<V> {
    /// Nothing is known; entries that are copied or compared are counted there.
    pub(super) fn new(touched: &Rc<Cell<usize>>) -> Known<V> {
        Known { map: Rc::default(), touched: Rc::clone(touched) }
    }

    /// Nothing is known any more.
    pub(super) fn emptied(&self) -> Known<V> {
        Known::new(&self.touched)
    }

    pub(super) fn get(&self, name: &str) -> Option<&V> {
        // Most lines know nothing at all, and a hash costs more than this.
        if self.map.is_empty() { None } else { self.map.get(name) }
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

    /// Keeps what fulfils this.
    pub(super) fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        self.touch(self.map.len());
        if !self.map.values().all(&keep) {
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
        if Rc::ptr_eq(&self.map, &other.map) {
            return Vec::new();
        }
        self.touch(self.map.len().saturating_add(other.map.len()));
        let own = self.map.iter().filter(|(name, value)| other.get(name) != Some(value));
        let more = other.map.keys().filter(|name| !self.contains_key(name));
        own.map(|(name, _)| name).chain(more).cloned().collect()
    }

    fn changing(&mut self) -> &mut HashMap<String, V> {
        if Rc::strong_count(&self.map) > 1 {
            self.touch(self.map.len());
        }
        Rc::make_mut(&mut self.map)
    }

    fn touch(&self, entries: usize) {
        self.touched.set(self.touched.get().saturating_add(entries));
    }
}
