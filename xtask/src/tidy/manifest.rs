//! TOML files with the lines their keys stand in.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::finding::Finding;

/// A key with its value and the line of the key.
pub(super) struct Entry<'text> {
    /// The key.
    pub(super) key: &'text str,
    /// What it holds.
    pub(super) value: &'text DeValue<'text>,
    /// The line of the key, counted from 1.
    pub(super) line: usize,
}

/// The table that a file holds; what is not TOML is a finding of its own.
pub(super) fn parse<'text>(file: &str, text: &'text str) -> Result<DeTable<'text>, Finding> {
    DeTable::parse(text).map(Spanned::into_inner).map_err(|error| {
        let line = error.span().map_or(0, |span| line_of(text, span.start));
        Finding::fault(file, line, format!("not TOML: {}", error.message()))
    })
}

/// The entries of a table, in order of keys.
pub(super) fn entries<'table>(
    text: &'table str,
    table: &'table DeTable<'table>,
) -> impl Iterator<Item = Entry<'table>> {
    table.iter().map(move |(key, value)| Entry {
        key: key.get_ref(),
        value: value.get_ref(),
        line: line_of(text, key.span().start),
    })
}

/// The table found by following these keys.
pub(super) fn table_at<'table>(
    table: &'table DeTable<'table>,
    keys: &[&str],
) -> Option<&'table DeTable<'table>> {
    keys.iter().try_fold(table, |table, key| table.get(*key)?.get_ref().as_table())
}

/// The string found by following these keys.
pub(super) fn string_at<'table>(
    table: &'table DeTable<'table>,
    keys: &[&str],
) -> Option<&'table str> {
    let (last, path) = keys.split_last()?;
    table_at(table, path)?.get(*last)?.get_ref().as_str()
}

/// The line in which a byte of the text stands, counted from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count().saturating_add(1)
}
