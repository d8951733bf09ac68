//! The one tree into which every format is read, with the place of every value and key.

use std::borrow::Cow;

use crate::text::{Fault, Span};

/// The deepest nesting that is read.
pub(crate) const MAX_DEPTH: usize = 64;

/// The most values that a document may hold.
pub(crate) const MAX_VALUES: usize = 500_000;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node<'t> {
    pub(crate) value: Value<'t>,
    pub(crate) span: Span,
}

/// A value of any format.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'t> {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(Cow<'t, str>),
    /// A date or time of TOML, as it was written.
    Date(Cow<'t, str>),
    List(Vec<Node<'t>>),
    Table(Vec<Entry<'t>>),
}

/// A key of a table with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) key_span: Span,
    pub(crate) node: Node<'t>,
}

impl<'t> Node<'t> {
    pub(crate) fn new(value: Value<'t>, span: impl Into<Span>) -> Node<'t> {
        Node { value, span: span.into() }
    }

    /// The value without its places.
    pub(crate) fn plain(self) -> serde_json::Value {
        use serde_json::Value as Plain;
        match self.value {
            Value::Null => Plain::Null,
            Value::Bool(own) => own.into(),
            Value::Integer(own) => own.into(),
            Value::Float(own) => own.into(),
            Value::Text(own) | Value::Date(own) => own.into_owned().into(),
            Value::List(all) => all.into_iter().map(Node::plain).collect(),
            Value::Table(all) => {
                all.into_iter().map(|own| (own.key.into_owned(), own.node.plain())).collect()
            }
        }
    }

    /// What a person calls this sort of value.
    pub(crate) fn sort(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "text",
            Value::Date(_) => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Says so if a key stands twice in a table.
pub(crate) fn check_keys(entries: &[Entry<'_>]) -> Result<(), Fault> {
    let mut sorted: Vec<&Entry<'_>> = entries.iter().collect();
    sorted.sort_by(|one, two| (&one.key, one.key_span.start).cmp(&(&two.key, two.key_span.start)));
    let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
    match pairs.find(|(one, two)| one.key == two.key) {
        Some((_, second)) => Err(duplicate(second)),
        None => Ok(()),
    }
}

fn duplicate(entry: &Entry<'_>) -> Fault {
    Fault::new(entry.key_span, format!("duplicate key `{}`", crate::words::shorten(&entry.key)))
        .hint("a key stands once in a table: join the two")
}

/// The fault of a document that is nested too deeply.
pub(crate) fn too_deep(span: impl Into<Span>) -> Fault {
    Fault::new(span, format!("is nested more than {MAX_DEPTH} levels deep"))
}

/// The fault of a document that holds too much.
pub(crate) fn too_many(span: impl Into<Span>) -> Fault {
    Fault::new(span, format!("the document holds more than {MAX_VALUES} values"))
}
