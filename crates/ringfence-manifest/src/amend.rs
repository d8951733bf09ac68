//! One more rule in a document; comments and order stay.

use std::fmt;

use ringfence_core::pattern::Pattern;
use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

use crate::text::{Format, Source};

/// Why a rule could not be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unamendable {
    /// Only TOML is changed by programs.
    Format,
    /// The document has its grants in another form, beside which a flat list would mean less.
    Form,
    /// It is no pattern.
    Pattern(String),
    /// The document cannot be read.
    Text(String),
}

impl fmt::Display for Unamendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unamendable::Format => f.write_str("only documents in TOML are changed by programs"),
            Unamendable::Form => f.write_str("its grants are not a flat list"),
            Unamendable::Pattern(reason) => write!(f, "it is no pattern: {reason}"),
            Unamendable::Text(reason) => write!(f, "it cannot be read: {reason}"),
        }
    }
}

impl std::error::Error for Unamendable {}

/// The text of a document with one more pattern in its `allow` list; `None` where it is there
/// already.
pub fn allow(source: &Source, pattern: &str) -> Result<Option<String>, Unamendable> {
    Pattern::parse(pattern).map_err(|error| Unamendable::Pattern(error.to_string()))?;
    if source.format() != Format::Toml {
        return Err(Unamendable::Format);
    }
    let text = source.text();
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| Unamendable::Text(error.to_string()))?;
    let list = list(document.as_table_mut())?;
    if list.iter().any(|own| own.as_str() == Some(pattern)) {
        return Ok(None);
    }
    push(list, pattern);
    Ok(Some(document.to_string()))
}

/// The list of grants. A flat list beside a nested one would be met with it: that would take away
/// what the nested one grants.
fn list(document: &mut dyn TableLike) -> Result<&mut Array, Unamendable> {
    let nested = document.get("capabilities").and_then(Item::as_table_like);
    let in_nested = nested.is_some_and(|own| own.contains_key("allow"));
    let holder: &mut dyn TableLike = match in_nested {
        true if document.contains_key("allow") => return Err(Unamendable::Form),
        true => document
            .get_mut("capabilities")
            .and_then(Item::as_table_like_mut)
            .ok_or(Unamendable::Form)?,
        false => document,
    };
    let entry = holder.entry("allow").or_insert_with(|| Item::Value(Value::Array(Array::new())));
    entry.as_array_mut().ok_or(Unamendable::Form)
}

/// Adds a pattern in the way in which the others are written.
fn push(list: &mut Array, pattern: &str) {
    let before = list.iter().last().and_then(|last| last.decor().prefix()).cloned();
    let own_line = before.as_ref().and_then(|own| own.as_str()).filter(|own| own.contains('\n'));
    let Some(indent) = own_line.and_then(|own| own.rsplit('\n').next()).map(str::to_owned) else {
        list.push(pattern);
        return;
    };
    // What stands after the last entry belongs to its line, with or without a comma.
    let (last, list_has_comma) = (list.len().saturating_sub(1), list.trailing_comma());
    let trailing = match list.get_mut(last).filter(|_| !list_has_comma) {
        Some(last) => {
            let after = last.decor().suffix().and_then(|own| own.as_str()).map(str::to_owned);
            last.decor_mut().set_suffix("");
            after.unwrap_or_default()
        }
        None => list.trailing().as_str().unwrap_or_default().to_owned(),
    };
    let (comment, end) = match trailing.rsplit_once('\n') {
        Some((comment, end)) => (comment.to_owned(), format!("\n{end}")),
        None => (String::new(), "\n".to_owned()),
    };
    let mut value = Value::from(pattern);
    value.decor_mut().set_prefix(format!("{comment}\n{indent}"));
    list.push_formatted(value);
    list.set_trailing_comma(true);
    list.set_trailing(end);
}

#[cfg(test)]
#[path = "amend_tests.rs"]
mod tests;
