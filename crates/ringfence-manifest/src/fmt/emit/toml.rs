//! TOML.

use super::comments;
use crate::fmt::out::{Item, Out, Pair};
use crate::text::Format;

/// A table's own values, then the tables inside it, each with its header.
pub(super) fn table(text: &mut String, path: &mut Vec<String>, pairs: &[Pair]) {
    let top = path.is_empty();
    let has_header = |pair: &&Pair| match &pair.value {
        Out::Table(_) => true,
        Out::List(items) => top && pair.key == "test" && !items.is_empty(),
        _ => false,
    };
    for pair in pairs.iter().filter(|pair| !has_header(pair)) {
        text.push_str(&key(&pair.key));
        text.push_str(" = ");
        value(text, &pair.value);
        text.push('\n');
    }
    for pair in pairs.iter().filter(has_header) {
        path.push(key(&pair.key));
        match &pair.value {
            Out::Table(inner) => {
                if inner.is_empty() || inner.iter().any(|it| !matches!(it.value, Out::Table(_))) {
                    text.push_str(&format!("\n[{}]\n", path.join(".")));
                }
                table(text, path, inner);
            }
            Out::List(items) => items.iter().for_each(|item| test(text, path, item)),
            _ => {}
        }
        path.pop();
    }
}

fn test(text: &mut String, path: &[String], item: &Item) {
    text.push('\n');
    comments(text, Format::Toml, &item.above, "");
    text.push_str(&format!("[[{}]]\n", path.join(".")));
    if let Out::Table(pairs) = &item.value {
        for pair in pairs {
            text.push_str(&key(&pair.key));
            text.push_str(" = ");
            flat(text, &pair.value);
            text.push('\n');
        }
    }
}

fn key(key: &str) -> String {
    toml_edit::Key::new(key).display_repr().into_owned()
}

/// A value at the top level of a table: lists one entry per line.
fn value(text: &mut String, value: &Out) {
    let Out::List(items) = value else { return flat(text, value) };
    text.push_str("[\n");
    for item in items {
        comments(text, Format::Toml, &item.above, "");
        self::value(text, &item.value);
        text.push_str(",\n");
    }
    text.push(']');
}

/// A value on one line.
fn flat(text: &mut String, value: &Out) {
    match value {
        Out::Text(value) => text.push_str(&string(value)),
        Out::Bool(flag) => text.push_str(&flag.to_string()),
        Out::Date(date) => text.push_str(date),
        Out::Number(number) => text.push_str(&number.to_string()),
        Out::Json(value) => json(text, value),
        Out::List(items) => {
            let values = items.iter().map(|item| rendered(|text| flat(text, &item.value)));
            text.push_str(&format!("[{}]", values.collect::<Vec<_>>().join(", ")));
        }
        Out::Table(pairs) => {
            let pair = |pair: &Pair| {
                format!("{} = {}", key(&pair.key), rendered(|text| flat(text, &pair.value)))
            };
            let pairs: Vec<String> = pairs.iter().map(pair).collect();
            text.push_str(&format!("{{ {} }}", pairs.join(", ")));
        }
    }
}

fn json(text: &mut String, value: &serde_json::Value) {
    match value {
        serde_json::Value::String(value) => text.push_str(&string(value)),
        serde_json::Value::Array(items) => {
            let items = items.iter().map(|item| rendered(|text| json(text, item)));
            text.push_str(&format!("[{}]", items.collect::<Vec<_>>().join(", ")));
        }
        serde_json::Value::Object(map) => {
            let pair = |(name, value): (&String, &serde_json::Value)| {
                format!("{} = {}", key(name), rendered(|text| json(text, value)))
            };
            let pairs: Vec<String> = map.iter().map(pair).collect();
            text.push_str(&format!("{{ {} }}", pairs.join(", ")));
        }
        // Numbers and truth are written alike; no TOML text can have led to a null.
        other => text.push_str(&other.to_string()),
    }
}

fn string(value: &str) -> String {
    toml_edit::Value::from(value).to_string()
}

fn rendered(write: impl FnOnce(&mut String)) -> String {
    let mut text = String::new();
    write(&mut text);
    text
}
