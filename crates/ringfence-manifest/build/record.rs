//! An entry of the program catalogue as a record, in the form that `src/catalogue/record.rs` reads.

use serde_json::json;
use toml::{Table, Value};

use super::Result;

/// What parts the items of a list, the fields of a record, the blocks of `when` and their fields.
const ITEM: &str = "\u{1d}";
const FIELD: &str = "\u{1f}";
const BLOCK: &str = "\u{1e}";
const BLOCK_FIELD: &str = "\u{1c}";

/// The fields of a record, in their order; `when` follows as the last.
const FIELDS: [&str; 15] = [
    "names",
    "package",
    "style",
    "operands",
    "behind_dashes",
    "always",
    "default",
    "wrapper",
    "remote",
    "sets",
    "children",
    "builtin",
    "free",
    "unknown",
    "habits",
];
/// The reason comes last, as nobody but a person asks for it.
const LAST: &str = "why";

/// What is said of a program apart from its options, its subcommands and its lines.
pub(super) fn of(mut entry: Table) -> Result<String> {
    let mut fields = Vec::new();
    for key in FIELDS {
        fields.push(field(&mut entry, key)?);
    }
    let blocks = match entry.remove("when") {
        None => Vec::new(),
        Some(Value::Array(blocks)) => blocks,
        Some(_) => return Err("`when` is a list".into()),
    };
    let blocks = blocks.into_iter().map(block).collect::<Result<Vec<_>>>()?;
    fields.push(blocks.join(BLOCK));
    fields.push(text(entry.remove(LAST))?);
    match entry.keys().next() {
        Some(key) => Err(format!("an entry has no `{key}`").into()),
        None => Ok(fields.join(FIELD)),
    }
}

/// What a key says. That there are no operands is more than to say nothing of them.
fn field(entry: &mut Table, key: &str) -> Result<String> {
    let is_there = entry.contains_key(key);
    let text = text(entry.remove(key))?;
    let says_none = key == "operands" && is_there && text.is_empty();
    Ok(if says_none { " ".to_owned() } else { text })
}

/// One block of `when`.
fn block(block: Value) -> Result<String> {
    let Value::Table(mut block) = block else { return Err("`when` is a list of tables".into()) };
    let options = take_options(&mut block)?;
    let mut fields = vec![options];
    for key in ["has", "lacks", "operands", "always", "default"] {
        fields.push(field(&mut block, key)?);
    }
    match block.keys().next() {
        Some(key) => Err(format!("`when` has no `{key}`").into()),
        None => Ok(fields.join(BLOCK_FIELD)),
    }
}

/// Takes the options out of an entry: one in each line, those with an effect first, as what has an
/// effect counts also where the same option is listed as a flag.
pub(super) fn take_options(entry: &mut Table) -> Result<String> {
    let mut lines = String::new();
    if let Some(options) = entry.remove("options") {
        let Value::Table(options) = options else { return Err("`options` is a table".into()) };
        for (spelling, role) in options {
            option(&mut lines, &spelling, role)
                .map_err(|error| format!("the option `{spelling}`: {error}"))?;
        }
    }
    if let Some(flags) = entry.remove("flags") {
        for word in text(Some(flags))?.replace(ITEM, " ").split_whitespace() {
            add_line(&mut lines, &[word])?;
        }
    }
    Ok(lines)
}

fn option(lines: &mut String, spelling: &str, role: Value) -> Result<()> {
    let (role, fills) = match role {
        Value::Table(mut table) => {
            let fills = text(table.remove("fills"))?;
            let role = table.remove("role").ok_or("has no role")?;
            match table.keys().next() {
                Some(key) => return Err(format!("has no `{key}`").into()),
                None => (role, fills),
            }
        }
        role => (role, String::new()),
    };
    let role = text(Some(role))?;
    if role.contains(',') {
        return Err("a role has no comma".into());
    }
    let role = role.replace(ITEM, ",");
    match fills.as_str() {
        "" => add_line(lines, &[spelling, &role]),
        "first" | "last" => add_line(lines, &[spelling, &role, &fills]),
        _ => Err("fills `first` or `last`".into()),
    }
}

/// Adds a line with its fields.
pub(super) fn add_line(lines: &mut String, fields: &[&str]) -> Result<()> {
    if fields.iter().any(|field| field.is_empty() || field.contains(['\t', '\n'])) {
        return Err("an empty word, or a tab or a line's end in one".into());
    }
    if !lines.is_empty() {
        lines.push('\n');
    }
    lines.push_str(&fields.join("\t"));
    Ok(())
}

/// Takes the lines out of an entry that show what it is good for.
pub(super) fn take_lines(entry: &mut Table) -> Result<String> {
    let mut take = |key: &str| entry.remove(key).unwrap_or_else(|| Value::Array(Vec::new()));
    let lines = json!({
        "grants": take("grants"), "benign": take("benign"), "hostile": take("hostile"),
    });
    Ok(serde_json::to_string(&lines)?)
}

/// A text, a list of texts, or `true`, as text.
fn text(value: Option<Value>) -> Result<String> {
    let text = match value {
        None | Some(Value::Boolean(false)) => String::new(),
        Some(Value::Boolean(true)) => "true".to_owned(),
        Some(Value::String(text)) => text,
        Some(Value::Array(items)) => {
            let items = items.iter().map(|item| item.as_str().ok_or("text was expected"));
            let items = items.collect::<std::result::Result<Vec<_>, _>>()?;
            if items.iter().any(|item| item.contains(ITEM)) {
                return Err("a control character".into());
            }
            items.join(ITEM)
        }
        Some(_) => return Err("text, a list of texts or a flag was expected".into()),
    };
    match [FIELD, BLOCK, BLOCK_FIELD].iter().any(|part| text.contains(part)) {
        true => Err("a control character".into()),
        false => Ok(text),
    }
}
