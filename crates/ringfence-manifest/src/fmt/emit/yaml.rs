//! YAML: tables and lists in blocks, entries of lists on one line each.

use super::{comments, quoted};
use crate::fmt::out::{Item, Out, Pair};
use crate::text::Format;

pub(super) fn table(text: &mut String, pairs: &[Pair], indent: usize) {
    let margin = " ".repeat(indent);
    for pair in pairs {
        text.push_str(&margin);
        text.push_str(&key(&pair.key));
        text.push(':');
        match &pair.value {
            Out::Table(inner) if !inner.is_empty() => {
                text.push('\n');
                table(text, inner, indent.saturating_add(2));
            }
            Out::List(items) if !items.is_empty() => {
                text.push('\n');
                let margin = " ".repeat(indent.saturating_add(2));
                items.iter().for_each(|item| entry(text, item, &margin));
            }
            value => {
                text.push(' ');
                text.push_str(&flow(value));
                text.push('\n');
            }
        }
    }
}

fn entry(text: &mut String, item: &Item, margin: &str) {
    comments(text, Format::Yaml, &gathered(item), margin);
    text.push_str(margin);
    text.push_str("- ");
    text.push_str(&flow(&item.value));
    text.push('\n');
}

/// The comments of an entry and of the entries inside it.
fn gathered(item: &Item) -> Vec<String> {
    let inner = match &item.value {
        Out::List(items) => items.iter().flat_map(gathered).collect(),
        _ => Vec::new(),
    };
    item.above.iter().cloned().chain(inner).collect()
}

/// A value on one line.
fn flow(value: &Out) -> String {
    match value {
        Out::Text(text) | Out::Date(text) => quoted(text),
        Out::Bool(flag) => flag.to_string(),
        Out::Number(number) => number.to_string(),
        // JSON is YAML.
        Out::Json(value) => value.to_string(),
        Out::List(items) => {
            let items: Vec<String> = items.iter().map(|item| flow(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Out::Table(pairs) if pairs.is_empty() => "{}".to_owned(),
        Out::Table(pairs) => {
            let pair = |pair: &Pair| format!("{}: {}", key(&pair.key), flow(&pair.value));
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    }
}

/// A key, in quotes unless it is a plain word.
fn key(key: &str) -> String {
    let plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        && !matches!(key.to_ascii_lowercase().as_str(), "true" | "false" | "null");
    if plain { key.to_owned() } else { quoted(key) }
}
