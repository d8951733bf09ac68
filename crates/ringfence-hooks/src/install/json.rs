//! Adds the hook to settings in JSON, with or without comments, and removes it.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{
    CstArray, CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode, CstStringLit,
};
use serde_json::Value;

use super::{SettingsError, calls_hook};

/// The JSON dialect that agents accept. Settings in a looser dialect are not changed.
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

/// Returns the settings with the hook added, or `None` if they already call it.
pub(super) fn install(
    settings: &str,
    setup: &str,
    agent: &str,
) -> Result<Option<String>, SettingsError> {
    let (tree, root) = read(settings)?;
    let setup: Value =
        serde_json::from_str(setup).map_err(|error| SettingsError::Malformed(error.to_string()))?;
    let fields = setup.as_object().into_iter().flatten();
    for (key, value) in fields {
        merge(&root, key, value, agent)?;
    }
    let after = tree.to_string();
    Ok((after != settings).then_some(after))
}

/// Returns the settings without the hook.
pub(super) fn remove(settings: &str, agent: &str) -> Result<String, SettingsError> {
    let (tree, root) = read(settings)?;
    // Each removal also removes containers that become empty, so the tree is searched again.
    while let Some(literal) = ours(&CstNode::from(root.clone()), agent).into_iter().next() {
        take_away(literal)?;
    }
    Ok(tree.to_string())
}

/// Returns the commands by which the settings call the hook.
pub(super) fn commands(settings: &str, agent: &str) -> Result<Vec<String>, SettingsError> {
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

fn read(settings: &str) -> Result<(CstRootNode, CstObject), SettingsError> {
    let tree = CstRootNode::parse(settings, &OPTIONS).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        SettingsError::Malformed(format!("{} at {line}:{column}", error.kind()))
    })?;
    let root =
        tree.object_value().ok_or_else(|| SettingsError::Form("it is not an object".to_owned()))?;
    Ok((tree, root))
}

fn merge(object: &CstObject, key: &str, value: &Value, agent: &str) -> Result<(), SettingsError> {
    let form = |what: &str| SettingsError::Form(format!("its `{key}` is not {what}"));
    match value {
        Value::Object(fields) => {
            let inner = object.object_value_or_create(key).ok_or_else(|| form("an object"))?;
            fields.iter().try_for_each(|(key, value)| merge(&inner, key, value, agent))
        }
        Value::Array(entries) => {
            let list = object.array_value_or_create(key).ok_or_else(|| form("a list"))?;
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

/// Updates the program path of entries that already call the hook; adds the entry if there is none.
fn merge_entry(list: &CstArray, entry: &Value, agent: &str) {
    let known = ours(&CstNode::from(list.clone()), agent);
    let Some(command) = command(entry, agent) else { return };
    if known.is_empty() {
        list.append(input(entry));
    }
    for literal in known {
        let own = literal.decoded_value().unwrap_or_default();
        // Arguments that a person added, such as a policy, are kept.
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

/// Finds the strings that call the hook.
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

/// Removes the entry that contains a command, and every container that becomes empty.
fn take_away(literal: CstStringLit) -> Result<(), SettingsError> {
    let lost = || {
        SettingsError::Form(
            "the hook's entry has an unexpected form and cannot be removed".to_owned(),
        )
    };
    let holds_hooks = |node: &CstContainerNode| match node {
        CstContainerNode::Array(list) => !list.elements().is_empty(),
        CstContainerNode::Object(object) => {
            // A group with only a matcher no longer calls anything.
            object.properties().iter().any(|own| own.decoded_name().as_deref() != Some("matcher"))
        }
        _ => true,
    };
    // The hook's entry is the object around its command.
    let mut ancestors = literal.ancestors();
    let hook = ancestors.find(CstContainerNode::is_object).ok_or_else(lost)?;
    let mut above: Vec<CstContainerNode> = hook_ancestors(&hook);
    hook.remove();
    while !above.is_empty() {
        let node = above.remove(0);
        // The outermost object is kept even if it is empty.
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
