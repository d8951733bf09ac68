//! The danger list, the protected paths and the profiles.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use ringfence_core::judge::{RuleKind, table_source};
use ringfence_core::{Class, Rule};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Result, toml_files};
use rule_record::{FIELD, ITEM, RuleRecord};

#[allow(dead_code, reason = "the crate uses the rest")]
#[path = "../src/rule_record.rs"]
mod rule_record;

/// The lists of rules that a profile may have, and what their rules do in a decision.
const LISTS: [(&str, RuleKind); 5] = [
    ("allow", RuleKind::Allow),
    ("ask", RuleKind::Ask),
    ("deny", RuleKind::Deny),
    ("danger", RuleKind::OptIn),
    ("danger_list", RuleKind::Danger),
];
/// The other keys that a profile may have.
const OTHERS: [&str; 4] = ["schema", "name", "default", "test"];
/// The fields of a record, in their order behind the pattern and its place.
const FIELDS: [&str; 5] = ["why", "except", "command", "source", "group"];
/// The fields that rules of profiles may have.
const PROFILE_FIELDS: &[&str] = &["pattern", "why", "except", "command"];
/// The fields that entries of the built-in lists may have.
const LIST_FIELDS: &[&str] = &["pattern", "why", "except", "command", "source", "group"];

/// A rule of a list.
struct Entry {
    kind: RuleKind,
    /// The text that `RuleRecord` reads.
    record: String,
    rule: Rule,
}

/// Prints all lists and profiles as Rust source.
pub(super) fn compile(code: &mut String, policies: &Path) -> Result<()> {
    let danger =
        built_in(&policies.join("danger.toml"), "danger", RuleKind::Danger, "danger list")?;
    write_list(code, "DANGER", "danger list", danger)?;
    let protected =
        built_in(&policies.join("protected.toml"), "protected", RuleKind::Deny, "protected")?;
    write_list(code, "PROTECTED", "protected", protected)?;
    let mut profiles = String::new();
    for (number, path) in toml_files(&policies.join("profiles"))?.iter().enumerate() {
        let list = format!("PROFILE_{number}");
        let profile = profile(code, &list, path);
        profiles.push_str(&profile.map_err(|error| format!("{}: {error}", path.display()))?);
    }
    writeln!(code, "pub(crate) static PROFILES: &[Compiled] = &[{profiles}];")?;
    Ok(())
}

/// Reads a built-in list from its file.
fn built_in(path: &Path, key: &str, kind: RuleKind, name: &str) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(path)?;
    let table = DeTable::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let list = table.get_ref().get(key).and_then(|list| list.get_ref().as_array());
    let list = list.ok_or_else(|| format!("{}: no `{key}`", path.display()))?;
    let name = Arc::from(name);
    list.iter().map(|rule| entry(kind, &text, rule, LIST_FIELDS, &name)).collect()
}

/// Reads a profile and prints its rules. Returns a `Compiled` expression.
fn profile(code: &mut String, list: &str, path: &Path) -> Result<String> {
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a profile has a name")?;
    let title = format!("@{name}");
    let document = Arc::from(title.as_str());
    let text = fs::read_to_string(path)?;
    let table = DeTable::parse(&text)?;
    let mut entries = Vec::new();
    let mut unlisted = None;
    for (key, value) in table.get_ref() {
        let key: &str = key.get_ref();
        if let Some((_, kind)) = LISTS.iter().find(|(name, _)| *name == key) {
            let rules = value.get_ref().as_array().ok_or("a list of rules was expected")?;
            for rule in rules {
                entries.push(entry(*kind, &text, rule, PROFILE_FIELDS, &document)?);
            }
        } else if key == "sandbox" {
            unlisted =
                value.get_ref().get("unlisted_programs").and_then(|own| own.get_ref().as_str());
            if value.get_ref().as_table().map_or(0, |own| own.len()) != 1 || unlisted.is_none() {
                return Err("a profile's `[sandbox]` has `unlisted_programs` alone".into());
            }
        } else if !OTHERS.contains(&key) {
            return Err(format!("a profile has flat lists and tests, not `{key}`").into());
        }
    }
    write_list(code, list, &title, entries)?;
    let has_danger = table.get_ref().contains_key("danger");
    let default = table.get_ref().get("default").and_then(|value| value.get_ref().as_str());
    let text_path = fs::canonicalize(path)?;
    Ok(format!(
        "Compiled {{ name: {name:?}, default: {default:?}, has_danger: {has_danger}, \
         unlisted_programs: {unlisted:?}, \
         rules: &{list}, text: include_str!({text_path:?}) }},\n"
    ))
}

/// Prints a list as a `List` and the statics that it needs.
fn write_list(code: &mut String, list: &str, title: &str, mut entries: Vec<Entry>) -> Result<()> {
    let class =
        |entry: &Entry| Class::ALL.iter().position(|own| *own == entry.rule.pattern.class());
    entries.sort_by_key(class);
    let (mut text, mut places, mut rows) = (String::new(), String::new(), 0_usize);
    for Entry { record, rule, .. } in &entries {
        let start = text.len();
        text.push_str(record);
        for except in 0..=rule.except.len() {
            let end = text.len();
            write!(places, "Place {{ start: {start}, end: {end}, except: {except} }},")?;
            rows = rows.saturating_add(1);
        }
    }
    let rules: Vec<(RuleKind, Rule)> =
        entries.into_iter().map(|entry| (entry.kind, entry.rule)).collect();
    let table = table_source(title, &rules, &format!("|row| {list}.rule(row)"));
    writeln!(
        code,
        "pub(crate) static {list}: List = List {{ text: {text:?}, places: &[{places}],"
    )?;
    writeln!(code, "    rules: &{list}_RULES, table: &{list}_TABLE }};")?;
    writeln!(code, "static {list}_TABLE: RuleTable = {table};")?;
    writeln!(
        code,
        "static {list}_RULES: [OnceLock<Box<Rule>>; {rows}] = [const {{ OnceLock::new() }}; {rows}];"
    )?;
    Ok(())
}

/// Reads one rule, which is a pattern or a table with a pattern.
fn entry(
    kind: RuleKind,
    text: &str,
    rule: &Spanned<DeValue<'_>>,
    fields: &[&str],
    document: &Arc<str>,
) -> Result<Entry> {
    let table = rule.get_ref().as_table();
    let pattern = table.map_or(Some(rule), |table| table.get("pattern"));
    let pattern = pattern.ok_or("a rule without a pattern")?;
    let (line, column) = place(text, pattern.span().start);
    let mut keys = table.into_iter().flat_map(|table| table.keys()).map(|key| &**key.get_ref());
    if let Some(key) = keys.find(|key| !fields.contains(key)) {
        return Err(format!("line {line}: a rule has no `{key}` here").into());
    }
    let mut record = format!("{}{FIELD}{line}{FIELD}{column}", flat(Some(pattern.get_ref()))?);
    for field in FIELDS {
        let value = table.and_then(|table| table.get(field)).map(|value| value.get_ref());
        write!(record, "{FIELD}{}", flat(value)?)?;
    }
    let rule = RuleRecord::read(&record).rule(kind, document);
    let rule = rule.map_err(|error| format!("line {line}: {error}"))?;
    Ok(Entry { kind, record, rule })
}

fn flat(value: Option<&DeValue<'_>>) -> Result<String> {
    let text = match value {
        None => String::new(),
        Some(DeValue::String(text)) => text.to_string(),
        Some(DeValue::Array(items)) => {
            let items = items.iter().map(|item| item.get_ref().as_str().ok_or("text was expected"));
            items.collect::<std::result::Result<Vec<_>, _>>()?.join(&ITEM.to_string())
        }
        Some(_) => return Err("text or a list was expected".into()),
    };
    match text.contains(FIELD) {
        true => Err("a control character".into()),
        false => Ok(text),
    }
}

/// Returns line and column in characters, counted from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count().saturating_add(1);
    let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let column = before.get(start..).unwrap_or("").chars().count().saturating_add(1);
    (line, column)
}
