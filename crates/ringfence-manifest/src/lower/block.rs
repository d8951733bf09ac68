//! The part of a document that can also stand under an agent's name.

use ringfence_core::{Document, Effect};

use super::context::Context;
use super::lists::{self, Side};
use super::meet::meet;
use super::nested::{self, Nested};
use super::rule::List;
use super::{env, keychain, permissions, settings, tools};
use crate::de::Spanned;
use crate::raw::{DefaultWord, RawCapabilities, RawCeiling, RawDeny, RawDocument, RawRule};

/// A document and the ceilings that came with it.
pub(super) struct Lowered {
    pub(super) document: Document,
    pub(super) ceilings: Vec<Document>,
}

/// Lowers everything that grants, denies or narrows.
pub(super) fn lower(cx: &mut Context<'_>, raw: RawDocument) -> Lowered {
    let mut out = Lowered { document: Document::new(cx.name(""), cx.role), ceilings: Vec::new() };
    // First of all, since it says what may be granted.
    settings::lower(cx, raw.security, raw.mode, &mut out.document);
    out.document.default = raw.default.map(|default| default_effect(default.value));

    let lists = Lists {
        flat: [raw.allow, raw.ask],
        nested: raw.capabilities,
        deny: raw.deny,
        danger: raw.danger,
        danger_list: raw.danger_list.unwrap_or_default(),
        ceiling: raw.ceiling.unwrap_or_default(),
    };
    lists.lower(cx, &mut out);

    permissions::lower(cx, raw.permissions, &mut out.document);
    for (name, tool) in raw.tools.into_iter().flat_map(|tools| tools.0) {
        tools::lower(cx, &name, tool, &mut out);
    }
    keychain::lower(cx, raw.keychain, &mut out.document);
    out.ceilings.extend(env::lower(cx, raw.env));
    if !cx.role.grants() {
        // What only narrows has nothing to fall back on.
        out.document.fallback.clear();
    }
    out
}

/// The lists of a document, flat and nested.
struct Lists {
    flat: [Option<Vec<RawRule>>; 2],
    nested: Option<RawCapabilities>,
    deny: Option<Spanned<RawDeny>>,
    danger: Option<Vec<RawRule>>,
    danger_list: Vec<RawRule>,
    ceiling: Vec<RawCeiling>,
}

impl Lists {
    /// Allow meets, deny joins, nested danger wins.
    fn lower(self, cx: &mut Context<'_>, out: &mut Lowered) {
        let mut flat = Side::default();
        let [allow, ask] = self.flat;
        flat.add(cx, List::Allow, allow);
        flat.add(cx, List::Ask, ask);
        let nested = self.nested.map(|raw| nested::lower(cx, raw)).unwrap_or_default();
        let Nested { side, denials, danger, dangerous, ceilings, directories } = nested;
        let (grants, ceiling) = meet(flat, side);
        let document = &mut out.document;
        add_side(document, grants);
        document.directories = directories;
        document.rules.extend(self.deny.map(|deny| lists::denials(cx, deny)).unwrap_or_default());
        document.rules.extend(denials);
        let flat_danger = self.danger.map(|entries| lists::rules(cx, List::Danger, entries));
        document.danger = danger.or(flat_danger);
        document.dangerous = dangerous;
        document.dangerous.extend(lists::rules(cx, List::Dangerous, self.danger_list));
        out.ceilings.extend(lists::ceiling(cx, "[capabilities]", ceiling));
        out.ceilings.extend(lists::ceilings(cx, self.ceiling));
        out.ceilings.extend(ceilings);
    }
}

/// Adds what a side grants, which is the first that a document says.
fn add_side(document: &mut Document, side: Side) {
    // Rules are large, and there may be many: they are moved only if some are there.
    match document.rules.is_empty() {
        true => document.rules = side.rules,
        false => document.rules.extend(side.rules),
    }
    document.stances.extend(side.stances);
    document.fallback.extend(side.fallback);
}

pub(super) fn default_effect(word: DefaultWord) -> Effect {
    match word {
        DefaultWord::Deny => Effect::Deny,
        DefaultWord::Ask => Effect::Ask,
    }
}
