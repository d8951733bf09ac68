//! The items of a list and the entries of a table, one after the other.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::State;
use super::error::ReadError;
use super::key::KeyReader;
use super::reader::Reader;
use crate::node::{Entry, Node};

/// The items of a list.
pub(super) struct Items<'n, 's> {
    rest: std::slice::Iter<'n, Node<'n>>,
    state: &'s State,
}

impl<'n, 's> Items<'n, 's> {
    pub(super) fn new(items: &'n [Node<'n>], state: &'s State) -> Self {
        Items { rest: items.iter(), state }
    }
}

impl<'n> SeqAccess<'n> for Items<'n, '_> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'n>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        let skips = |node: &&Node<'_>| self.state.skips(node.span.start);
        let Some(node) = self.rest.by_ref().find(|node| !skips(node)) else { return Ok(None) };
        seed.deserialize(Reader { node, state: self.state })
            .map(Some)
            .map_err(|error| error.under(node.span.start))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// The entries of a table.
pub(super) struct Entries<'n, 's> {
    rest: std::slice::Iter<'n, Entry<'n>>,
    current: Option<&'n Entry<'n>>,
    state: &'s State,
}

impl<'n, 's> Entries<'n, 's> {
    pub(super) fn new(entries: &'n [Entry<'n>], state: &'s State) -> Self {
        Entries { rest: entries.iter(), current: None, state }
    }
}

impl<'n> MapAccess<'n> for Entries<'n, '_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'n>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let skips = |entry: &&Entry<'_>| self.state.skips(entry.key_span.start);
        let Some(entry) = self.rest.by_ref().find(|entry| !skips(entry)) else { return Ok(None) };
        self.current = Some(entry);
        let key = KeyReader { key: &entry.key, span: entry.key_span };
        let place = |error: ReadError| error.at(entry.key_span).under(entry.key_span.start);
        seed.deserialize(key).map(Some).map_err(place)
    }

    fn next_value_seed<V: DeserializeSeed<'n>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some(entry) = self.current.take() else {
            return Err(serde::de::Error::custom("a value without its key"));
        };
        seed.deserialize(Reader { node: &entry.node, state: self.state })
            .map_err(|error| error.under(entry.key_span.start))
    }
}
