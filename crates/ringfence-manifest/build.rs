//! Compiles `policies/` into the crate: what is read here is not read again when ringfence starts.
//!
//! Lists and profiles become text without markup, one record per rule, parted by class so that only
//! the classes in question are looked at. A table says where each record lies and how long its
//! pattern is, so that records can be passed over by their patterns, and what they need of a call. Patterns are parsed when they
//! are needed; that they parse is a test of this crate.

#[path = "build/programs.rs"]
mod programs;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ringfence_core::judge::{Needs, Stand};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What parts the items and fields of a compiled record.
const ITEM: char = '\u{1d}';
const FIELD: char = '\u{1f}';

/// The lists of rules that a profile may have, and what their rules do in a decision.
const LISTS: [(&str, Stand); 5] = [
    ("allow", Stand::Allow),
    ("ask", Stand::Ask),
    ("deny", Stand::Deny),
    ("danger", Stand::OptIn),
    ("danger_list", Stand::Danger),
];
/// The other keys that a profile may have.
const OTHERS: [&str; 4] = ["schema", "name", "default", "test"];

/// The classes by the prefixes of their patterns.
const CLASSES: [(&str, &[&str]); 7] = [
    ("Exec", &["cmd", "sh"]),
    ("Files", &["fs"]),
    ("Net", &["net", "network", "listen"]),
    ("Socket", &["sock"]),
    ("Env", &["env"]),
    ("Tool", &["tool", "mcp"]),
    ("Keychain", &["keychain", "@keychain"]),
];

/// The records of a list, by class.
type Sections = [Section; CLASSES.len()];

/// The records of one class: their text, and the rows of the table as code.
#[derive(Default)]
struct Section {
    text: String,
    rows: String,
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let policies = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../policies");
    println!("cargo::rerun-if-changed={}", policies.display());
    let mut code = String::new();
    let danger = list(&policies.join("danger.toml"), "danger", Stand::Danger)?;
    writeln!(code, "pub(crate) static DANGER: &[Section] = {danger};")?;
    let protected = list(&policies.join("protected.toml"), "protected", Stand::Deny)?;
    writeln!(code, "pub(crate) static PROTECTED: &[Section] = {protected};")?;
    writeln!(code, "pub(crate) static PROFILES: &[Compiled] = &[")?;
    for path in profiles(&policies.join("profiles"))? {
        profile(&mut code, &path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    writeln!(code, "];")?;
    programs::compile(&mut code, &policies.join("programs"))?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("policies.rs"), code)?;
    Ok(())
}

/// The TOML files of a folder, by name.
fn profiles(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The records of a list: pattern, line, column, why, exceptions, commands, source, group.
fn list(path: &Path, key: &str, stand: Stand) -> Result<String> {
    let text = fs::read_to_string(path)?;
    let table = DeTable::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let entries = table.get_ref().get(key).and_then(|list| list.get_ref().as_array());
    let mut sections = Sections::default();
    for entry in entries.ok_or_else(|| format!("{}: no `{key}`", path.display()))? {
        let fields = ["pattern", "why", "except", "command", "source", "group"];
        record(&mut sections, stand, &text, entry, &fields)?;
    }
    code_of(&sections)
}

/// The sections as an expression.
fn code_of(sections: &Sections) -> Result<String> {
    let mut code = "&[".to_owned();
    for ((class, _), Section { text, rows }) in CLASSES.iter().zip(sections) {
        if !rows.is_empty() {
            write!(code, "Section {{ class: Class::{class}, text: {text:?}, rows: &[{rows}] }},")?;
        }
    }
    code.push(']');
    Ok(code)
}

/// A profile: its name, default, the records of its rules, and its text.
fn profile(code: &mut String, path: &Path) -> Result<()> {
    let text = fs::read_to_string(path)?;
    let table = DeTable::parse(&text)?;
    let mut sections = Sections::default();
    for (key, value) in table.get_ref() {
        let key: &str = key.get_ref();
        if let Some((_, stand)) = LISTS.iter().find(|(name, _)| *name == key) {
            let entries = value.get_ref().as_array().ok_or("a list of rules was expected")?;
            for entry in entries {
                let fields = ["pattern", "why", "except", "command"];
                record(&mut sections, *stand, &text, entry, &fields)?;
            }
        } else if !OTHERS.contains(&key) {
            return Err(format!("a profile has flat lists and tests, not `{key}`").into());
        }
    }
    let stances = stances(table.get_ref());
    let has_danger = table.get_ref().contains_key("danger");
    let default = table.get_ref().get("default").and_then(|value| value.get_ref().as_str());
    let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a profile has a name")?;
    let text_path = fs::canonicalize(path)?;
    writeln!(
        code,
        "    Compiled {{ name: {name:?}, default: {default:?}, has_danger: {has_danger}, \
         stances: &[{stances}], rules: {}, text: include_str!({text_path:?}) }},",
        code_of(&sections)?
    )?;
    Ok(())
}

/// The classes on which a profile has a stance everywhere by its rules, as code.
fn stances(table: &DeTable<'_>) -> String {
    let lists = ["allow", "ask"].into_iter().filter_map(|key| table.get(key)?.get_ref().as_array());
    let mut classes: Vec<&str> = Vec::new();
    for rule in lists.flatten() {
        let table = rule.get_ref().as_table();
        let pattern = table.map_or(Some(rule), |table| table.get("pattern"));
        let pattern = pattern.and_then(|pattern| pattern.get_ref().as_str()).unwrap_or_default();
        let prefix = pattern.split(':').next().unwrap_or(pattern);
        let is_scoped = table.is_some_and(|table| table.contains_key("command"));
        // Who grants something of MCP servers says nothing of other tools.
        if is_scoped || prefix == "mcp" {
            continue;
        }
        let class = CLASSES.iter().find(|(_, prefixes)| prefixes.contains(&prefix));
        classes.extend(class.map(|(class, _)| *class).filter(|class| !classes.contains(class)));
    }
    classes.iter().map(|class| format!("Class::{class},")).collect()
}

/// One rule: its pattern first, by which it may be passed over; then the place of its pattern, and
/// the other fields that are kept of it.
fn record(
    sections: &mut Sections,
    stand: Stand,
    text: &str,
    entry: &Spanned<DeValue<'_>>,
    fields: &[&str],
) -> Result<()> {
    let table = entry.get_ref().as_table();
    let pattern = table.map_or(Some(entry), |table| table.get("pattern"));
    let pattern = pattern.ok_or("a rule without a pattern")?;
    let (line, column) = place(text, pattern.span().start);
    let Section { text: records, rows } =
        section(sections, pattern.get_ref().as_str().unwrap_or(""))
            .ok_or_else(|| format!("line {line}: a pattern of no known class"))?;
    let start = records.len();
    let text = flat(Some(pattern.get_ref()))?;
    write!(records, "{text}{FIELD}{line}{FIELD}{column}")?;
    for field in fields.iter().filter(|field| **field != "pattern") {
        let value = table.and_then(|table| table.get(*field)).map(|value| value.get_ref());
        write!(records, "{FIELD}{}", flat(value)?)?;
    }
    let unknown = |key: &&str| !fields.contains(key);
    if let Some(key) =
        table.and_then(|table| table.keys().map(|key| &**key.get_ref()).find(unknown))
    {
        return Err(format!("line {line}: a rule has no `{key}` here").into());
    }
    let is_scoped = table.is_some_and(|table| table.contains_key("command"));
    let Needs(needs) = Needs::of(&text, stand);
    let (pattern, end) = (start.saturating_add(text.len()), records.len());
    write!(
        rows,
        "Row {{ start: {start}, pattern: {pattern}, end: {end}, stand: Stand::{stand:?}, \
         needs: Needs({needs}), is_scoped: {is_scoped} }},"
    )?;
    Ok(())
}

/// The section to which a pattern belongs.
fn section<'s>(sections: &'s mut Sections, pattern: &str) -> Option<&'s mut Section> {
    let prefix = pattern.split(':').next().unwrap_or(pattern);
    let at = CLASSES.iter().position(|(_, prefixes)| prefixes.contains(&prefix))?;
    sections.get_mut(at)
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

/// Line and column in characters, counted from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count().saturating_add(1);
    let start = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let column = before.get(start..).unwrap_or("").chars().count().saturating_add(1);
    (line, column)
}
