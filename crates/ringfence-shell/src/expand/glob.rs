//! Patterns: which characters of a word match others.

use crate::ast::{Part, PartKind};

/// Marks the characters of a word that are a pattern.
pub(crate) fn globs(parts: Vec<Part>) -> Vec<Part> {
    let mut brackets = closing_brackets(&parts);
    if !parts.iter().any(|part| has_pattern(part, brackets)) {
        return parts;
    }
    let mut marked = Vec::with_capacity(parts.len());
    for part in parts {
        match &part.kind {
            PartKind::Literal(text) if !part.quoted => {
                brackets = brackets.saturating_sub(text.matches(']').count());
                mark(&part, text, brackets > 0, &mut marked);
            }
            _ => marked.push(part),
        }
    }
    marked
}

/// How many `]` stand in the word outside quotes.
fn closing_brackets(parts: &[Part]) -> usize {
    let count = |part: &Part| match &part.kind {
        PartKind::Literal(text) if !part.quoted => text.matches(']').count(),
        _ => 0,
    };
    parts.iter().map(count).sum()
}

fn has_pattern(part: &Part, brackets: usize) -> bool {
    match &part.kind {
        PartKind::Literal(text) if !part.quoted => {
            text.contains(['*', '?']) || (brackets > 0 && text.contains('['))
        }
        _ => false,
    }
}

/// Parts a text at its patterns; `later` says whether a `]` stands in a later part.
fn mark(part: &Part, text: &str, later: bool, marked: &mut Vec<Part>) {
    let mut literal = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['*', '?', '[']) {
        let (before, pattern) = rest.split_at_checked(at).unwrap_or((rest, ""));
        literal.push_str(before);
        let close = pattern.strip_prefix('[').map(|inside| inside.find(']'));
        let length = match close {
            Some(Some(close)) => close.saturating_add(2),
            _ => 1,
        };
        let (glob, after) = pattern.split_at_checked(length).unwrap_or((pattern, ""));
        if close == Some(None) && !later {
            literal.push_str(glob);
        } else {
            push_literal(part, &mut literal, marked);
            let kind = PartKind::Glob(glob.to_owned());
            marked.push(Part { span: part.span, quoted: false, kind });
        }
        rest = after;
    }
    literal.push_str(rest);
    push_literal(part, &mut literal, marked);
}

fn push_literal(part: &Part, text: &mut String, marked: &mut Vec<Part>) {
    if !text.is_empty() {
        let kind = PartKind::Literal(std::mem::take(text));
        marked.push(Part { span: part.span, quoted: false, kind });
    }
}

#[cfg(test)]
#[path = "glob_tests.rs"]
mod tests;
