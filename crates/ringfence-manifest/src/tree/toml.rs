//! TOML to tree.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::node::{Entry, MAX_DEPTH, Node, Value, too_deep};
use crate::text::{Fault, Span};

/// Texts up to this length are read on after an error, to show all errors at once.
const RECOVERED_BYTES: usize = 256 * 1024;

/// What the parser says about a key that stands twice.
const DUPLICATE: &str = "duplicate key";

pub(super) fn read(text: &str) -> Result<Node<'_>, Vec<Fault>> {
    match DeTable::parse(text) {
        Ok(table) => {
            let span = table.span();
            table_node(table.into_inner(), span.into(), 0).map_err(|fault| vec![fault])
        }
        Err(_) if text.len() <= RECOVERED_BYTES => {
            let (_, mut errors) = DeTable::parse_recoverable(text);
            errors.sort_by_key(|error| error.span().map(|span| span.start));
            // After a slip of syntax the parser guesses: only what came before it is worth telling.
            let slip = errors.iter().position(|error| error.message() != DUPLICATE);
            let told = slip.map_or(errors.len(), |slip| slip.saturating_add(1));
            Err(errors.iter().take(told).map(|error| fault(error, text)).collect())
        }
        Err(error) => Err(vec![fault(&error, text)]),
    }
}

fn fault(error: &toml::de::Error, text: &str) -> Fault {
    let span = error.span().unwrap_or(text.len()..text.len());
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    match message.as_str() {
        DUPLICATE => {
            let key = text.get(span.clone()).unwrap_or("");
            Fault::new(span, format!("duplicate key `{}`", crate::words::shorten(key)))
                .hint("a key stands once in a table: join the two")
        }
        _ => Fault::new(span, message),
    }
}

fn table_node(table: DeTable<'_>, span: Span, depth: usize) -> Result<Node<'_>, Fault> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let key_span = key.span().into();
        let node = value_node(value, depth.saturating_add(1))?;
        entries.push(Entry { key: key.into_inner(), key_span, node });
    }
    // The parser sorts keys; messages and rules follow the text.
    entries.sort_by_key(|entry| (entry.key_span.start, entry.node.span.start));
    Ok(Node::new(Value::Table(entries), span))
}

fn value_node(value: Spanned<DeValue<'_>>, depth: usize) -> Result<Node<'_>, Fault> {
    let span: Span = value.span().into();
    if depth > MAX_DEPTH {
        return Err(too_deep(span));
    }
    let value = match value.into_inner() {
        DeValue::String(text) => Value::Text(text),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => return Err(Fault::new(span, "is a number beyond 64 bits")),
        },
        DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Bool(flag),
        DeValue::Datetime(date) => Value::Date(Cow::Owned(date.to_string())),
        DeValue::Array(items) => {
            let items = items.into_iter().map(|item| value_node(item, depth.saturating_add(1)));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => return table_node(table, span, depth),
    };
    Ok(Node::new(value, span))
}
