//! Definitions that take the place of other servers', or speak of their tools; instructions that do.

use serde_json::Value;

use super::{Kind, Pins};

/// Shorter names than this are words that any description may have.
const TELLING: usize = 6;

/// What another server's definitions have to do with a new one.
pub(super) fn find(
    pins: &Pins,
    server: &str,
    kind: Kind,
    key: &str,
    definition: &Value,
) -> Option<String> {
    let theirs = match kind {
        Kind::Instructions => "they speak",
        Kind::Tool | Kind::Prompt | Kind::Resource => "its description speaks",
    };
    // A program that is set up twice speaks of its own tools, which are those of the first one too.
    let is_twin = |other: &str| {
        let said = pins.get(other, key).and_then(|pin| pin.pinned.as_ref());
        kind == Kind::Instructions && said == Some(definition)
    };
    let others = pins.servers.iter().filter(|(name, _)| *name != server && !is_twin(name));
    let mut known =
        others.flat_map(|(name, known)| known.iter().map(move |(own, pin)| (name, own, pin)));
    // A model reads all of it: what stands in the schema of a parameter too.
    let mut text = String::new();
    add_texts(definition, &mut text);
    let (text, folded) = (text.to_ascii_lowercase(), fold(key));
    known.find_map(|(other, name, pin)| {
        let pinned = pin.pinned.as_ref()?;
        // The same program, set up twice, has the same tools.
        let is_same = name == key && pinned == definition;
        if kind != Kind::Instructions && !is_same && fold(name) == folded {
            return Some(format!("the server `{other}` has `{name}` too"));
        }
        // A tool of its own of that name may be what is spoken of.
        let is_own = pins.get(server, name).is_some_and(|pin| pin.pinned.is_some());
        (name != key && !is_own && speaks_of(&text, &name.to_ascii_lowercase()))
            .then(|| format!("{theirs} of `{name}`, a tool of the server `{other}`"))
    })
}

/// A name as clients and models may take it: in any case, and with any of the signs between words.
fn fold(name: &str) -> String {
    let one = |c: char| if matches!(c, '-' | '.' | ' ' | '/') { '_' } else { c };
    name.to_lowercase().chars().map(one).collect()
}

/// Adds every text in a definition, and the names of fields.
fn add_texts(value: &Value, all: &mut String) {
    match value {
        Value::String(text) => all.push_str(text),
        Value::Array(items) => items.iter().for_each(|own| add_texts(own, all)),
        Value::Object(fields) => fields.iter().for_each(|(key, own)| {
            all.push_str(key);
            all.push('\n');
            add_texts(own, all);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    all.push('\n');
}

/// Whether a text has a name as a word of its own. Names that are ordinary words do not count.
fn speaks_of(text: &str, name: &str) -> bool {
    let is_telling = name.len() >= TELLING && name.contains(['_', '-', '.']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    is_telling
        && text.match_indices(name).any(|(start, _)| {
            let before = text.get(..start).and_then(|own| own.chars().next_back());
            let after = text.get(start.saturating_add(name.len())..);
            let after = after.and_then(|own| own.chars().next());
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
}
