//! Documents as they should look, and documents in canonical form.
//!
//! Formatting keeps comments and order, and never changes what a document says: what was written
//! is read again and compared before it is handed out.

mod canonical;
mod comments;
mod emit;
mod json;
mod lines;
mod out;
mod toml;
mod yaml;

pub use canonical::canonical;
pub(crate) use canonical::of_part;
pub(crate) use emit::emit;
pub(crate) use out::{Item, Out, Pair};

use crate::node::{Entry, Node, Value};
use crate::text::{Errors, Format, Source, Span};
use crate::tree;

/// The widest line that a list is written on.
const WIDTH: usize = 100;
/// The most entries that a list on one line has.
const FEW: usize = 3;

/// The document's text with normal spacing; comments and order are kept.
///
/// The text must parse; it need not be a valid document.
pub fn fmt(source: &Source) -> Result<String, Errors> {
    let node =
        tree::read(source.format(), source.text()).map_err(|faults| source.refuse(faults))?;
    Ok(format(source.format(), source.text(), &node))
}

fn format(format: Format, text: &str, node: &Node<'_>) -> String {
    let formatted = match format {
        Format::Toml => toml::fmt(text),
        Format::Yaml => Some(yaml::fmt(text)),
        Format::Json => json::fmt(text),
    };
    // INVARIANT: formatting never changes meaning; a text that it would change stays as it is.
    let kept = formatted.filter(|new| {
        tree::read(format, new)
            .is_ok_and(|again| without_places(again) == without_places(node.clone()))
    });
    kept.unwrap_or_else(|| text.to_owned())
}

/// The tree with every place forgotten.
fn without_places(node: Node<'_>) -> Node<'_> {
    let value = match node.value {
        Value::List(items) => Value::List(items.into_iter().map(without_places).collect()),
        Value::Table(entries) => {
            let entries = entries.into_iter().map(|entry| Entry {
                key: entry.key,
                key_span: Span::default(),
                node: without_places(entry.node),
            });
            Value::Table(entries.collect())
        }
        value => value,
    };
    Node::new(value, Span::default())
}
