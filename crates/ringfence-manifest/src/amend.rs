//! Rules that a person adds with a verb, and takes away again.
//!
//! A rule goes in as one piece of text, and comes out as the same piece: comments, order and every
//! other byte stay, and adding a rule and taking it away leaves the document as it was.

mod place;

use std::fmt;
use std::ops::Range;

use ringfence_core::pattern::Pattern;
use ringfence_core::{Date, Effect};
use toml_edit::{Array, Document, InlineTable, Item, TableLike, Value};

use crate::text::Format;

/// What the `why` of a rule begins with that a person added with a verb.
pub const BY_HAND: &str = "by hand";

/// A rule that a person adds.
#[derive(Debug, Clone, Copy)]
pub struct ByHand<'a> {
    /// What it does: allow or deny.
    pub effect: Effect,
    /// Its pattern.
    pub pattern: &'a str,
    /// The day on which it is added.
    pub day: Date,
    /// Why, in the person's words.
    pub why: Option<&'a str>,
}

impl ByHand<'_> {
    /// The `why` of the rule: when it was added, and what the person said.
    pub fn note(&self) -> String {
        match self.why.map(one_line).filter(|why| !why.is_empty()) {
            Some(why) => format!("{BY_HAND} {}: {why}", self.day),
            None => format!("{BY_HAND} {}", self.day),
        }
    }

    fn entry(&self) -> String {
        let (pattern, note) = (Value::from(self.pattern), Value::from(self.note()));
        format!("{{ pattern = {pattern}, why = {note} }}")
    }
}

/// Why a document was not changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unamendable {
    /// Only TOML is changed by programs.
    Format,
    /// The document has its rules in another form, beside which a flat list would mean less.
    Form,
    /// It is no pattern.
    Pattern(String),
    /// The document cannot be read.
    Text(String),
    /// The rule could not be taken away again without a trace.
    Trace,
}

impl fmt::Display for Unamendable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unamendable::Format => f.write_str("only documents in TOML are changed by programs"),
            Unamendable::Form => f.write_str("its rules are not a flat list"),
            Unamendable::Pattern(reason) => write!(f, "it is no pattern: {reason}"),
            Unamendable::Text(reason) => write!(f, "it cannot be read: {reason}"),
            Unamendable::Trace => f.write_str("the rule could not be taken out again cleanly"),
        }
    }
}

impl std::error::Error for Unamendable {}

/// The text of a document with one more rule; `None` where the list has its pattern already.
pub fn add(format: Format, text: &str, rule: &ByHand<'_>) -> Result<Option<String>, Unamendable> {
    let pattern = parse(rule.pattern)?;
    let document = document(format, text)?;
    let key = key(rule.effect)?;
    let list = list(document.as_table(), key)?;
    let known = list.is_some_and(|list| list.iter().any(|own| has_pattern(own, &pattern)));
    if known {
        return Ok(None);
    }
    let piece = match list {
        Some(list) => place::in_list(text, list, &rule.entry()),
        None => place::as_list(text, document.as_table(), key, &rule.entry()),
    };
    let after = piece.and_then(|(at, piece)| place::insert(text, at, &piece));
    let after = after.ok_or(Unamendable::Trace)?;
    // INVARIANT: what was added can be taken away, and nothing of it stays.
    match remove(format, &after, rule.effect, rule.pattern)? {
        Some(before) if before == text => Ok(Some(after)),
        _ => Err(Unamendable::Trace),
    }
}

/// The text of a document without a rule that was added by hand; `None` where it has none such.
pub fn remove(
    format: Format,
    text: &str,
    effect: Effect,
    pattern: &str,
) -> Result<Option<String>, Unamendable> {
    let pattern = parse(pattern)?;
    let document = document(format, text)?;
    let key = key(effect)?;
    let Some(list) = list(document.as_table(), key)? else { return Ok(None) };
    let by_hand = |own: &&Value| has_pattern(own, &pattern) && is_by_hand(own);
    let Some(entry) = list.iter().find(by_hand).and_then(Value::span) else { return Ok(None) };
    let cut = |text: &str, range: Range<usize>| place::remove(text, range);
    let without = cut(text, place::piece(text, entry)).ok_or(Unamendable::Trace)?;
    let list_of_ours = (list.len() == 1).then(|| place::empty_list(&without, key)).flatten();
    let without = match list_of_ours {
        Some(whole) => cut(&without, whole).ok_or(Unamendable::Trace)?,
        None => without,
    };
    Ok(Some(without))
}

/// Words of a person on one line, without what cannot be seen.
fn one_line(why: &str) -> String {
    const LONGEST: usize = 200;
    let plain: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect()
}

fn key(effect: Effect) -> Result<&'static str, Unamendable> {
    match effect {
        Effect::Allow => Ok("allow"),
        Effect::Deny => Ok("deny"),
        Effect::Ask => Err(Unamendable::Form),
    }
}

fn parse(pattern: &str) -> Result<Pattern, Unamendable> {
    Pattern::parse(pattern).map_err(|error| Unamendable::Pattern(error.to_string()))
}

fn document(format: Format, text: &str) -> Result<Document<&str>, Unamendable> {
    if format != Format::Toml {
        return Err(Unamendable::Format);
    }
    Document::parse(text).map_err(|error| Unamendable::Text(error.to_string()))
}

/// The list of rules, where there is one. A flat list of grants beside a nested one would be met
/// with it, which would take away what the nested one grants; so the nested one is added to.
fn list<'a>(document: &'a dyn TableLike, key: &str) -> Result<Option<&'a Array>, Unamendable> {
    let nested = document.get("capabilities").and_then(Item::as_table_like);
    let nested = nested.and_then(|own| own.get(key)).filter(|_| key == "allow");
    match (document.get(key), nested) {
        (None, None) => Ok(None),
        (Some(_), Some(_)) => Err(Unamendable::Form),
        (Some(own), None) | (None, Some(own)) => own.as_array().map(Some).ok_or(Unamendable::Form),
    }
}

fn has_pattern(entry: &Value, pattern: &Pattern) -> bool {
    let table = entry.as_inline_table();
    // A rule with a scope of its own is another rule.
    let scoped = |own: &InlineTable| own.iter().any(|(key, _)| !matches!(key, "pattern" | "why"));
    let text = match table {
        Some(own) if scoped(own) => None,
        Some(own) => own.get("pattern").and_then(Value::as_str),
        None => entry.as_str(),
    };
    text.and_then(|own| Pattern::parse(own).ok()).as_ref() == Some(pattern)
}

fn is_by_hand(entry: &Value) -> bool {
    let why = entry.as_inline_table().and_then(|own| own.get("why")).and_then(Value::as_str);
    why.is_some_and(|why| why.starts_with(BY_HAND))
}

#[cfg(test)]
#[path = "amend_tests.rs"]
mod tests;
