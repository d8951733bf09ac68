//! The policy as text.

use ringfence_core::rule::ToolScope;
use ringfence_core::{Effect, Role};

use super::difference::{Difference, Way};
use super::draft::{Draft, Found};
use super::{Foreign, Imported, settle};
use crate::fmt::{self, Item, Out, Pair};
use crate::load::read_part;
use crate::text::{Errors, Format, Source, Span};

/// The finished policy. What was written is read again: a text that does not load is an error.
pub(super) fn finish(from: Foreign, mut draft: Draft<'_>) -> Result<Imported, Errors> {
    let part = draft.part.take();
    if part.is_none() {
        settle::settle(&mut draft);
    }
    draft.differences.sort_by_key(|difference| (difference.line, difference.column));
    let head = head(from, &draft);
    let text = match &part {
        Some(part) => fmt::of_part(part, &head),
        None => fmt::emit(Format::Toml, &head, &pairs(&draft), &[]),
    };
    let name = format!("{} as a policy", draft.source.name());
    let again = Source::new(name, Format::Toml, &text)?;
    read_part(&again, Role::User)?;
    let text = fmt::fmt(&again)?;
    Ok(Imported { text, rules: draft.rules, differences: draft.differences })
}

/// What stands above everything: where it comes from, and what holds for all of it.
fn head(from: Foreign, draft: &Draft<'_>) -> Vec<String> {
    let mut head = vec![format!("From {} ({}).", draft.source.name(), from.as_str())];
    head.extend(draft.differences.iter().filter(|own| own.line == 0).map(said));
    head
}

fn said(difference: &Difference) -> String {
    let message = difference.message.replace(char::is_control, " ");
    match difference.way {
        Way::Same => message,
        way => format!("{}: {message}", way.as_str()),
    }
}

fn pairs(draft: &Draft<'_>) -> Vec<Pair> {
    let mut pairs = vec![
        Pair::new("schema", Out::Number(1)),
        Pair::new("default", Out::text(draft.default.as_str())),
    ];
    for (key, effect) in [("allow", Effect::Allow), ("ask", Effect::Ask), ("deny", Effect::Deny)] {
        let mut last: Option<Option<Span>> = None;
        let mut items = Vec::new();
        for rule in draft.found.iter().filter(|rule| rule.effect == effect) {
            let above = match rule.span {
                place if last == Some(place) => Vec::new(),
                Some(span) => above(draft, span),
                None => vec!["without a rule:".to_owned()],
            };
            last = Some(rule.span);
            items.push(Item { above, value: entry(rule) });
        }
        if !items.is_empty() {
            pairs.push(Pair::new(key, Out::List(items)));
        }
    }
    pairs
}

/// The comments of a rule: the rule as it was, and how it differs.
fn above(draft: &Draft<'_>, span: Span) -> Vec<String> {
    let line = draft.line(span);
    let written = draft.written(span).replace(char::is_control, " ");
    let mut above = vec![format!("{line}: {written}")];
    let place = draft.difference(Way::Same, Some(span), String::new());
    let own = draft
        .differences
        .iter()
        .filter(|other| (other.line, other.column) == (place.line, place.column));
    above.extend(own.map(said));
    above
}

fn entry(rule: &Found) -> Out {
    let mut pairs = vec![Pair::new("pattern", Out::text(rule.pattern.to_string()))];
    let tool = rule.scope.tool.as_ref().map(|tool| match tool {
        ToolScope::Kind(kind) => kind.as_str().to_owned(),
        ToolScope::Name(name) => name.to_string(),
    });
    pairs.extend(tool.map(|tool| Pair::new("tool", Out::Text(tool))));
    if !rule.except.is_empty() {
        let excepts = rule.except.iter().map(|pattern| Out::text(pattern.to_string()));
        pairs.push(Pair::new("except", Out::list(excepts)));
    }
    pairs.extend(rule.why.as_ref().map(|why| Pair::new("why", Out::text(why.as_str()))));
    match <[Pair; 1]>::try_from(pairs) {
        Ok([pattern]) => pattern.value,
        Err(pairs) => Out::Table(pairs),
    }
}
