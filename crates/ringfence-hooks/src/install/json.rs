//! Settings in JSON, with comments or without.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode, CstStringLit,
};
use serde_json::Value;

use super::{Unmergeable, calls_hook};

/// JSON as agents read it; whatever is looser is left to its author.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The settings with the hook; none where they have it.
pub(super) fn install(
    settings: &str,
    setup: &str,
    agent: &str,
) -> Result<Option<String>, Unmergeable> {
    let (tree, root) = read(settings)?;
    let setup: Value =
        serde_json::from_str(setup).map_err(|error| Unmergeable::Malformed(error.to_string()))?;
    let fields = setup.as_object().into_iter().flatten();
    for (key, value) in fields {
        merge(&root, key, value, agent)?;
    }
    let after = tree.to_string();
    Ok((after != settings).then_some(after))
}

/// The settings without the hook.
pub(super) fn remove(settings: &str, agent: &str) -> Result<String, Unmergeable> {
    let (tree, root) = read(settings)?;
    // One at a time: taking one away takes what is empty then away with it.
    while let Some(literal) = ours(&CstNode::from(root.clone()), agent).into_iter().next() {
        take_away(literal)?;
    }
    Ok(tree.to_string())
}

/// The commands with which the settings call the hook.
pub(super) fn commands(settings: &str, agent: &str) -> Result<Vec<String>, Unmergeable> {
    if settings.trim().is_empty() {
        return Ok(Vec::new());
    }
    let (_, root) = read(settings)?;
    let literals = ours(&CstNode::from(root), agent);
    let mut commands: Vec<String> =
        literals.iter().filter_map(|own| own.decoded_value().ok()).collect();
    commands.dedup();
    Ok(commands)
}

fn read(settings: &str) -> Result<(CstRootNode, CstObject), Unmergeable> {
    let tree = CstRootNode::parse(settings, &OPTIONS).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        Unmergeable::Malformed(format!("{} at {line}:{column}", error.kind()))
    })?;
    let root =
        tree.object_value().ok_or_else(|| Unmergeable::Form("it is no object".to_owned()))?;
    Ok((tree, root))
}

fn merge(object: &CstObject, key: &str, value: &Value, agent: &str) -> Result<(), Unmergeable> {
    let form = |what: &str| Unmergeable::Form(format!("its `{key}` is no {what}"));
    match value {
        Value::Object(fields) => {
            let inner = object.object_value_or_create(key).ok_or_else(|| form("object"))?;
            fields.iter().try_for_each(|(key, value)| merge(&inner, key, value, agent))
        }
        Value::Array(entries) => {
            let list = object.array_value_or_create(key).ok_or_else(|| form("list"))?;
            entries.iter().for_each(|entry| merge_entry(&list, entry, agent));
            Ok(())
        }
        scalar => {
            if object.get(key).is_none() {
                object.append(key, input(scalar));
            }
            Ok(())
        }
    }
}

/// An entry that calls the hook already is told where ringfence is now; else there is one more.
fn merge_entry(list: &CstArray, entry: &Value, agent: &str) {
    let known = ours(&CstNode::from(list.clone()), agent);
    let Some(command) = command(entry, agent) else { return };
    if known.is_empty() {
        list.append(input(entry));
    }
    for literal in known {
        let own = literal.decoded_value().unwrap_or_default();
        // A policy that a person named stays named.
        if own.split(" hook ").next() != command.split(" hook ").next() {
            let rest = own.split_once(" hook ").map_or("", |(_, rest)| rest);
            let program = command.split(" hook ").next().unwrap_or_default();
            literal.set_raw_value(Value::from(format!("{program} hook {rest}")).to_string());
        }
    }
}

fn command<'a>(entry: &'a Value, agent: &str) -> Option<&'a str> {
    match entry {
        Value::String(text) if calls_hook(text, agent) => Some(text),
        Value::Array(all) => all.iter().find_map(|own| command(own, agent)),
        Value::Object(all) => all.values().find_map(|own| command(own, agent)),
        _ => None,
    }
}

/// The strings that call the hook.
fn ours(node: &CstNode, agent: &str) -> Vec<CstStringLit> {
    if let Some(object) = node.as_object() {
        let values = object.properties().into_iter().filter_map(|own| own.value());
        return values.flat_map(|value| ours(&value, agent)).collect();
    }
    if let Some(list) = node.as_array() {
        return list.elements().iter().flat_map(|own| ours(own, agent)).collect();
    }
    let literal = node.as_string_lit();
    let is_ours =
        |own: &CstStringLit| own.decoded_value().is_ok_and(|text| calls_hook(&text, agent));
    literal.filter(is_ours).into_iter().collect()
}

/// Takes away the entry around a command, and whatever is empty without it.
fn take_away(literal: CstStringLit) -> Result<(), Unmergeable> {
    let lost = || Unmergeable::Form("the hook stands where it cannot be taken out".to_owned());
    let holds_hooks = |node: &CstContainerNode| match node {
        CstContainerNode::Array(list) => !list.elements().is_empty(),
        CstContainerNode::Object(object) => {
            // A group whose hooks are gone only says when to call nothing.
            object.properties().iter().any(|own| own.decoded_name().as_deref() != Some("matcher"))
        }
        _ => true,
    };
    // The hook itself is the object around its command.
    let mut ancestors = literal.ancestors();
    let hook = ancestors.find(CstContainerNode::is_object).ok_or_else(lost)?;
    let mut above: Vec<CstContainerNode> = hook_ancestors(&hook);
    hook.remove();
    while !above.is_empty() {
        let node = above.remove(0);
        // The outermost object stays, however empty.
        let is_outermost = above.iter().all(CstContainerNode::is_root);
        if node.is_root() || is_outermost || (!node.is_object_prop() && holds_hooks(&node)) {
            break;
        }
        node.remove();
    }
    Ok(())
}

fn hook_ancestors(hook: &CstContainerNode) -> Vec<CstContainerNode> {
    match hook {
        CstContainerNode::Object(object) => object.ancestors().collect(),
        _ => Vec::new(),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(own) => CstInputValue::Bool(*own),
        Value::Number(own) => CstInputValue::Number(own.to_string()),
        Value::String(own) => CstInputValue::String(own.clone()),
        Value::Array(all) => CstInputValue::Array(all.iter().map(input).collect()),
        Value::Object(all) => {
            let fields = all.iter().map(|(key, own)| (key.clone(), input(own)));
            CstInputValue::Object(fields.collect())
        }
    }
}
