//! Tilde expansion.

use crate::ast::{Part, PartKind, Tilde};

/// Where in a word tildes are expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tildes {
    /// At its beginning.
    Start,
    /// At its beginning and after each colon.
    Value,
    /// After the `=` of what looks like an assignment, and after each colon from there on.
    Assignment,
}

/// Whether a word looks like an assignment, as bash sees it before any expansion.
pub(crate) fn is_assignment(parts: &[Part]) -> bool {
    match parts.first() {
        Some(Part { quoted: false, kind: PartKind::Literal(text), .. }) => {
            value_start(text).is_some()
        }
        _ => false,
    }
}

/// The place after the `=` of `NAME=`, `NAME+=`, `NAME[…]=`; where the subscript goes on in another
/// part, the end of the text.
fn value_start(text: &str) -> Option<usize> {
    let name =
        text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if name == 0 || text.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut rest = text.get(name..)?;
    if rest.starts_with('[') {
        rest = match rest.split_once(']') {
            Some((_, after)) => after,
            None => return Some(text.len()),
        };
    }
    let value = rest.strip_prefix('+').unwrap_or(rest).strip_prefix('=')?;
    text.len().checked_sub(value.len())
}

/// Marks the tildes of a word that are expanded.
pub(crate) fn tildes(parts: Vec<Part>, places: Tildes) -> Vec<Part> {
    let has_tilde = |part: &Part| match &part.kind {
        PartKind::Literal(text) => !part.quoted && text.contains('~'),
        _ => false,
    };
    if !parts.iter().any(has_tilde) || places == Tildes::Start && is_quoted_before_slash(&parts) {
        return parts;
    }
    let count = parts.len();
    let mut marked = Vec::with_capacity(count);
    for (index, part) in parts.into_iter().enumerate() {
        let last = index.saturating_add(1) == count;
        match &part.kind {
            PartKind::Literal(text) if !part.quoted => {
                let from = match (index, places) {
                    (0, Tildes::Start | Tildes::Value) => Some(0),
                    (0, Tildes::Assignment) => value_start(text),
                    _ => None,
                };
                mark(&part, text, from, last, places, &mut marked);
            }
            _ => marked.push(part),
        }
    }
    marked
}

/// Whether something is quoted before the first slash. There bash expands no tilde at the beginning,
/// even if a colon ends its name before: `~:x` is a path, `~:\x` is not.
fn is_quoted_before_slash(parts: &[Part]) -> bool {
    let has_slash = |part: &&Part| match &part.kind {
        PartKind::Literal(text) => !part.quoted && text.contains('/'),
        _ => false,
    };
    parts.iter().take_while(|part| !has_slash(part)).any(|part| part.quoted)
}

/// Marks the tildes of one text; `from` is the first place where one may stand.
fn mark(
    part: &Part,
    text: &str,
    from: Option<usize>,
    last: bool,
    places: Tildes,
    marked: &mut Vec<Part>,
) {
    let first = from.unwrap_or(0);
    let mut done = 0;
    for (at, _) in text.match_indices('~') {
        let before = text.get(..at).unwrap_or_default();
        let colon = places != Tildes::Start && at > first && before.ends_with(':');
        // The subscript of an assignment may end in a later part than it begins.
        let subscripted = places == Tildes::Assignment
            && from.is_none()
            && (before.ends_with("]=") || before.ends_with("]+="));
        let Some(after) = text.get(at.saturating_add(1)..) else { continue };
        if at < done || !(colon || subscripted || from == Some(at)) {
            continue;
        }
        let length = match after.find(['/', ':']) {
            Some(length) => length,
            // Whatever follows in quotes or from an expansion belongs to the name.
            None if !last => continue,
            None => after.len(),
        };
        literal(part, text.get(done..at).unwrap_or_default(), marked);
        let kind = PartKind::Tilde(tilde(after.get(..length).unwrap_or_default()));
        marked.push(Part { span: part.span, quoted: false, kind });
        done = at.saturating_add(1).saturating_add(length);
    }
    literal(part, text.get(done..).unwrap_or_default(), marked);
}

fn tilde(name: &str) -> Tilde {
    match name {
        "" => Tilde::Home,
        "+" => Tilde::Current,
        "-" => Tilde::Previous,
        _ => Tilde::Named(name.to_owned()),
    }
}

fn literal(part: &Part, text: &str, marked: &mut Vec<Part>) {
    if !text.is_empty() {
        let kind = PartKind::Literal(text.to_owned());
        marked.push(Part { span: part.span, quoted: false, kind });
    }
}

#[cfg(test)]
#[path = "tilde_tests.rs"]
mod tests;
