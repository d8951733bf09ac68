//! Flat lists.

use ringfence_core::document::Stance;
use ringfence_core::pattern::NetPattern;
use ringfence_core::{Document, Effect, Pattern, Role, Rule};

use super::context::Context;
use super::rule::{self, List, Said};
use crate::de::Spanned;
use crate::raw::{AllOr, AnyForm, DenyNames, RawCeiling, RawDeny, RawRule};
use crate::text::Span;

/// What one side of a document grants: the flat one or the nested one.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub(super) rules: Vec<Rule>,
    pub(super) stances: Vec<Stance>,
    pub(super) fallback: Vec<Rule>,
}

impl Side {
    pub(super) fn add(&mut self, cx: &mut Context<'_>, list: List, entries: Option<Vec<RawRule>>) {
        let entries = entries.unwrap_or_default();
        self.rules.reserve(entries.len());
        for entry in entries {
            match rule::lower(cx, list, entry) {
                Some(Said::Rule(rule)) => self.rules.push(rule),
                Some(Said::Fallback(rule)) => self.fallback.push(rule),
                Some(Said::Closed(stance)) => self.stances.push(stance),
                None => {}
            }
        }
    }
}

/// The rules of a list that has nothing but rules.
pub(super) fn rules(cx: &mut Context<'_>, list: List, entries: Vec<RawRule>) -> Vec<Rule> {
    let mut side = Side::default();
    side.add(cx, list, Some(entries));
    side.rules
}

/// The rules of a flat `deny`.
pub(super) fn denials(cx: &mut Context<'_>, deny: Spanned<RawDeny>) -> Vec<Rule> {
    match deny.value {
        AllOr::All(()) => everything(cx, deny.span),
        AllOr::List(entries) => rules(cx, List::Deny, entries),
        AllOr::Table(DenyNames { sh, network, net }) => names(cx, [sh, network, net]),
    }
}

/// The rules of `sh`, `network` and `net`, as far as they are set.
pub(super) fn names(cx: &Context<'_>, [sh, network, net]: [Option<Spanned<bool>>; 3]) -> Vec<Rule> {
    let any_net = Pattern::Net(NetPattern::any());
    [(sh, Pattern::Shell), (network, any_net.clone()), (net, any_net)]
        .into_iter()
        .filter_map(|(flag, pattern)| flag.filter(|flag| flag.value).map(|flag| (flag, pattern)))
        .map(|(flag, pattern)| cx.rule(Effect::Deny, pattern, flag.span))
        .collect()
}

/// `deny = true`: every pattern that there is.
pub(super) fn everything(cx: &mut Context<'_>, span: Span) -> Vec<Rule> {
    const PATTERNS: [&str; 11] = [
        "cmd:*",
        "fs:rw:**",
        "net:*",
        "listen:*",
        "sock:/**",
        "env:*",
        "tool:*",
        "mcp:*/resource:*",
        "mcp:*/prompt:*",
        "mcp:*/method:*",
        "@keychain",
    ];
    let patterns = PATTERNS.into_iter().filter_map(|text| {
        let text = Spanned { value: text.to_owned(), span };
        cx.pattern("", &text)
    });
    let patterns: Vec<Pattern> = patterns.collect();
    patterns.into_iter().map(|pattern| cx.rule(Effect::Deny, pattern, span)).collect()
}

/// The ceilings of a `ceiling` list: one of its rules, and one of each list inside it.
pub(super) fn ceilings(cx: &mut Context<'_>, entries: Vec<RawCeiling>) -> Vec<Document> {
    let mut own = Side::default();
    let mut apart = Vec::new();
    for RawCeiling { value, span } in entries {
        match value {
            AnyForm::Text(text) => {
                let entry = RawRule { value: crate::raw::TextOr::Text(text), span };
                own.add(cx, List::Ceiling, Some(vec![entry]));
            }
            AnyForm::Table(table) => {
                let entry = RawRule { value: crate::raw::TextOr::Table(table), span };
                own.add(cx, List::Ceiling, Some(vec![entry]));
            }
            AnyForm::List(entries) => {
                let mut side = Side::default();
                side.add(cx, List::Ceiling, Some(entries));
                apart.push(side);
            }
        }
    }
    let sides = std::iter::once(own).chain(apart);
    sides.filter_map(|side| ceiling(cx, "ceiling", side)).collect()
}

/// A ceiling of what one side grants; `None` if it says nothing.
pub(super) fn ceiling(cx: &Context<'_>, part: &str, side: Side) -> Option<Document> {
    if side.rules.is_empty() && side.stances.is_empty() {
        return None;
    }
    let mut document = Document::new(cx.name(part), Role::Ceiling);
    document.rules = side.rules;
    document.stances = side.stances;
    Some(document)
}
