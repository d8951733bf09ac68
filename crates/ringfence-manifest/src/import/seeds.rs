//! Files whose rules are read as they stand: hermes-agent, Seal, mlld.
//!
//! Sources: the proposal in hermes-agent's issue 9389 (never merged; its keys are what people
//! write), Seal's pages on its manifest, mlld 2.0.5. Policies read these forms themselves; what is
//! left to do here is to leave out what is no policy, and to say where the meaning is another.

use ringfence_core::{Effect, Role};

use super::difference::Way;
use super::draft::Draft;
use crate::de;
use crate::lower;
use crate::node::{Entry, Node, Value};
use crate::raw::RawDocument;
use crate::text::{Errors, Format, Source, Span};
use crate::tree;

/// The keys of `[tools.X]`.
const TOOL_KEYS: [&str; 6] = [
    "enabled",
    "allowed_paths",
    "denied_paths",
    "allow_metacharacters",
    "allowed_read_paths",
    "allowed_write_paths",
];

/// `tools` of hermes-agent's configuration.
pub(super) fn hermes(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let Some(tools) = tree.get("tools") else {
        return Err(draft.refuse(tree.span, "has no `tools`"));
    };
    let mut kept = Vec::new();
    for entry in tools.entries() {
        let (own, other): (Vec<&Entry<'_>>, Vec<&Entry<'_>>) =
            entry.node.entries().iter().partition(|own| TOOL_KEYS.contains(&own.key.as_ref()));
        draft.rules = draft.rules.saturating_add(own.len());
        if !other.is_empty() {
            draft.idle(entry.key_span, "left out: settings that are no permissions");
        }
        if own.is_empty() {
            continue;
        }
        if !own.iter().any(|own| own.key == "enabled") {
            draft.narrower(
                entry.key_span,
                "a tool is granted by `enabled = true`; without it, it is asked about",
            );
        }
        let own = own.into_iter().cloned().collect();
        kept.push(with(entry, Value::Table(own)));
    }
    let tools = with_key("tools", tools.span, Value::Table(kept));
    let mut top = vec![default("ask")];
    top.push(tools);
    draft.everywhere(
        Way::Narrower,
        "tools that are not named are asked about, and the danger list holds",
    );
    lower_part(draft, top)
}

/// `[capabilities]` and what of `[security]` is known here.
pub(super) fn seal(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let tree = draft.tree()?;
    let mut top = Vec::new();
    let mut expands = true;
    for entry in tree.entries() {
        match entry.key.as_ref() {
            "schema_version" => {}
            "name" => top.push(entry.clone()),
            "capabilities" => {
                draft.rules = draft.rules.saturating_add(leaves(&entry.node));
                top.push(entry.clone());
            }
            "security" => {
                expands = security(draft, entry, &mut top);
            }
            _ => draft.idle(entry.key_span, "left out: settings that are no permissions"),
        }
    }
    top.insert(0, default(if expands { "ask" } else { "deny" }));
    draft.everywhere(Way::Narrower, "the danger list holds whatever is granted");
    lower_part(draft, top)
}

/// What `[security]` says; whether what no rule names is asked about.
fn security(draft: &mut Draft<'_>, entry: &Entry<'_>, top: &mut Vec<Entry<'_>>) -> bool {
    let mut expands = true;
    let mut kept: Vec<Entry<'static>> = Vec::new();
    for own in entry.node.entries() {
        match own.key.as_ref() {
            "universal_deny_domains" => kept.push(owned(own)),
            "allow_runtime_expansion" => expands = own.node.value != Value::Bool(false),
            key if key.starts_with("allow_") && own.node.value == Value::Bool(false) => draft
                .wider(
                    own.key_span,
                    "not carried over: every command of a line is judged, however they are joined",
                ),
            _ => draft.idle(own.key_span, "left out: it has no counterpart"),
        }
    }
    top.push(with_key("security", entry.key_span, Value::Table(kept)));
    expands
}

/// The policy objects of an mlld script.
pub(super) fn mlld(draft: &mut Draft<'_>) -> Result<(), Errors> {
    let text = draft.source.text();
    let object = objects(text).into_iter().find(|span| {
        let inner = text.get(span.start..span.end).unwrap_or("");
        ["allow", "deny", "capabilities", "danger"].iter().any(|key| inner.contains(key))
    });
    let Some(span) = object else {
        let whole = Span::new(0, text.len().min(1));
        return Err(
            draft.refuse(whole, "has no policy object with `allow`, `deny` or `capabilities`")
        );
    };
    let alone = blanked(text, span);
    let source = Source::new(draft.source.name().clone(), Format::Json, &alone)?;
    let tree =
        tree::read(Format::Json, source.text()).map_err(|faults| draft.source.refuse(faults))?;
    const KEYS: [&str; 6] = ["allow", "deny", "danger", "capabilities", "keychain", "env"];
    let mut top: Vec<Entry<'_>> = Vec::new();
    for entry in tree.entries() {
        if KEYS.contains(&entry.key.as_ref()) {
            draft.rules = draft.rules.saturating_add(leaves(&entry.node));
            let mut own = entry.clone();
            anchor(draft, &mut own.node);
            top.push(own);
        } else {
            draft.wider(
                entry.key_span,
                "not carried over: labels, defaults and limits have no counterpart",
            );
        }
    }
    let allows = top.iter().any(|entry| entry.key == "allow" || entry.node.get("allow").is_some());
    if !allows {
        draft.everywhere(
            Way::Narrower,
            "without an `allow` list mlld allows everything; here it is asked about",
        );
    }
    top.insert(0, default(if allows { "deny" } else { "ask" }));
    draft.everywhere(
        Way::Narrower,
        "a deny holds against every allow; in mlld a more specific allow of a command wins",
    );
    draft.everywhere(
        Way::Narrower,
        "words are compared as they are written; mlld folds case and drops directories",
    );
    lower_part(draft, top)
}

/// In mlld a leading `**` is below the project.
fn anchor(draft: &mut Draft<'_>, node: &mut Node<'_>) {
    let span = node.span;
    match &mut node.value {
        Value::Text(text) => {
            let start = text.match_indices(':').nth(1).map_or(0, |(at, _)| at.saturating_add(1));
            let (head, path) = text.split_at_checked(start).unwrap_or(("", ""));
            if head.starts_with("fs:") && path.starts_with("**/") {
                let anchored = format!("{head}@root/{path}");
                *text = anchored.into();
                draft.idle(span, "in mlld `**/` is below the project: written so");
            }
        }
        Value::List(items) => items.iter_mut().for_each(|item| anchor(draft, item)),
        Value::Table(entries) => {
            entries.iter_mut().for_each(|entry| anchor(draft, &mut entry.node))
        }
        _ => {}
    }
}

/// The places of the outermost objects of a script.
fn objects(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut quoted, mut escaped) = (0usize, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' => {
                if depth == 0 {
                    start = at;
                }
                depth = depth.saturating_add(1);
            }
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(Span::new(start, at.saturating_add(1)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The text with everything outside a span blank, so that places stay what they are.
fn blanked(text: &str, span: Span) -> String {
    let inside = |at: usize| span.start <= at && at < span.end;
    let mut blank = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            c if inside(at) || c == '\n' => blank.push(c),
            c => blank.extend(std::iter::repeat_n(' ', c.len_utf8())),
        }
    }
    blank
}

/// How many values a tree holds.
fn leaves(node: &Node<'_>) -> usize {
    match &node.value {
        Value::List(items) => items.iter().map(leaves).fold(0, usize::saturating_add),
        Value::Table(entries) => {
            entries.iter().map(|entry| leaves(&entry.node)).fold(0, usize::saturating_add)
        }
        _ => 1,
    }
}

fn default(word: &'static str) -> Entry<'static> {
    with_key("default", Span::default(), Value::Text(word.into()))
}

fn with_key<'t>(key: &'static str, span: Span, value: Value<'t>) -> Entry<'t> {
    Entry { key: key.into(), key_span: span, node: Node::new(value, span) }
}

fn with<'t>(entry: &Entry<'t>, value: Value<'t>) -> Entry<'t> {
    Entry { node: Node::new(value, entry.node.span), ..entry.clone() }
}

/// An entry that owns its texts; only texts and lists of them are kept.
fn owned(entry: &Entry<'_>) -> Entry<'static> {
    let texts =
        entry.node.items().iter().filter_map(|item| {
            Some(Node::new(Value::Text(item.text()?.to_owned().into()), item.span))
        });
    Entry {
        key: entry.key.clone().into_owned().into(),
        key_span: entry.key_span,
        node: Node::new(Value::List(texts.collect()), entry.node.span),
    }
}

/// Lowers what was kept, as a document of its own.
fn lower_part(draft: &mut Draft<'_>, top: Vec<Entry<'_>>) -> Result<(), Errors> {
    let node = Node::new(Value::Table(top), Span::default());
    let (raw, faults) = de::read::<RawDocument>(&node);
    let part = match raw {
        Some(raw) => lower::lower(draft.source, raw, Role::User, faults)?,
        None => return Err(draft.source.refuse(faults)),
    };
    debug_assert!(part.document.default != Some(Effect::Allow), "a default grants nothing");
    draft.part = Some(part);
    Ok(())
}
