//! The program catalogue: one record per program and subcommand, so that only those are read which
//! a line names.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{Result, toml_files};

#[path = "../src/name_hash.rs"]
mod name_hash;
#[path = "record.rs"]
mod record;

/// A program or subcommand: what is said of it apart from its options and subcommands; these, one in
/// each line; and as JSON the lines that show what the entry is good for.
#[derive(Default)]
struct Program {
    record: String,
    options: String,
    subs: String,
    lines: String,
}

/// Everything that the folder says.
#[derive(Default)]
struct Catalogue {
    programs: BTreeMap<String, Program>,
    /// Other names, each with the name that the entry has.
    names: BTreeMap<String, String>,
    /// Variables, each with its role.
    variables: BTreeMap<String, String>,
}

/// Writes the catalogue as code.
pub(super) fn compile(code: &mut String, folder: &Path) -> Result<()> {
    let mut catalogue = Catalogue::default();
    for path in toml_files(folder)? {
        let text = fs::read_to_string(&path)?;
        let table: toml::Table =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        catalogue.file(table).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let programs = catalogue.programs.iter();
    let programs = programs
        .map(|(name, own)| [name.as_str(), &own.record, &own.options, &own.subs, &own.lines]);
    table(code, "PROGRAMS", programs)?;
    let pairs = |(name, value)| [String::as_str(name), String::as_str(value)];
    table(code, "PROGRAM_NAMES", catalogue.names.iter().map(pairs))?;
    table(code, "VARIABLES", catalogue.variables.iter().map(pairs))
}

/// Writes rows of text as one text and the places where its parts begin and end.
fn table<'t, const COLUMNS: usize>(
    code: &mut String,
    name: &str,
    rows: impl Iterator<Item = [&'t str; COLUMNS]>,
) -> Result<()> {
    let mut text = String::new();
    let mut bounds = String::new();
    let mut names = Vec::new();
    for row in rows {
        names.extend(row.first().copied());
        write!(bounds, "[{}", text.len())?;
        for cell in row {
            text.push_str(cell);
            write!(bounds, ", {}", text.len())?;
        }
        bounds.push_str("], ");
    }
    writeln!(
        code,
        "pub(crate) static {name}: Table<{}> = \
         Table {{ text: {text:?}, rows: &[{bounds}], slots: &{:?} }};",
        COLUMNS.saturating_add(1),
        slots(&names)?
    )?;
    Ok(())
}

/// For each name the number of its row, from one on, at the first free slot from its own on; at
/// least half of the slots stay free.
fn slots(names: &[&str]) -> Result<Vec<u16>> {
    let length = names.len().saturating_mul(2).max(1).next_power_of_two();
    let mut slots = vec![0; length];
    for (number, name) in (1..).zip(names) {
        let first = name_hash::first_slot(name, length);
        let mut ways = (first..length).chain(0..first);
        let free = ways.find(|at| slots.get(*at) == Some(&0)).ok_or("no slot is free")?;
        if let Some(slot) = slots.get_mut(free) {
            *slot = number;
        }
    }
    Ok(slots)
}

impl Catalogue {
    fn file(&mut self, table: toml::Table) -> Result<()> {
        for (name, value) in table {
            let toml::Value::Table(entry) = value else {
                return Err(format!("`{name}` is no entry").into());
            };
            if name == "variables" {
                self.variables(entry)?;
            } else {
                self.entry(&name, "", entry)?;
            }
        }
        Ok(())
    }

    fn variables(&mut self, table: toml::Table) -> Result<()> {
        for (name, value) in table {
            let role = value.get("role").and_then(toml::Value::as_str);
            let why = value.get("why").and_then(toml::Value::as_str);
            let (Some(role), Some(_)) = (role, why) else {
                return Err(format!("the variable `{name}` needs a role and a reason").into());
            };
            self.variables.insert(name, role.to_owned());
        }
        Ok(())
    }

    fn entry(&mut self, name: &str, above: &str, mut entry: toml::Table) -> Result<()> {
        let key = format!("{above}{name}");
        let mut subs = String::new();
        if let Some(toml::Value::Table(table)) = entry.remove("sub") {
            for (sub, value) in table {
                let toml::Value::Table(mut value) = value else {
                    return Err(format!("`{key} {sub}` is no entry").into());
                };
                // Long options behind one dash are a habit of the whole program.
                if let Some(style) = entry.get("style").filter(|style| style.as_str() == Some("go"))
                {
                    value.entry("style").or_insert_with(|| style.clone());
                }
                let others = names(&value)?;
                let names: Vec<String> = std::iter::once(sub.clone()).chain(others).collect();
                record::add_line(&mut subs, &[&names.join("|")])?;
                for alike in take_alike(&mut value)? {
                    record::add_line(&mut subs, &[&alike, &sub])?;
                }
                self.entry(&sub, &format!("{key} "), value)?;
            }
        }
        if above.is_empty() {
            for other in names(&entry)? {
                self.names.insert(other, key.clone());
            }
            for alike in take_alike(&mut entry)? {
                self.names.insert(alike, key.clone());
            }
        }
        let lines = record::take_lines(&mut entry)?;
        let options = record::take_options(&mut entry)?;
        let record = record::of(entry).map_err(|error| format!("`{key}`: {error}"))?;
        let program = Program { record, options, subs, lines };
        if self.programs.insert(key.clone(), program).is_some() {
            return Err(format!("`{key}` stands twice").into());
        }
        Ok(())
    }
}

/// Takes out of an entry the other subcommands that are read as this one is.
fn take_alike(entry: &mut toml::Table) -> Result<Vec<String>> {
    let others = match entry.remove("alike") {
        None => Vec::new(),
        Some(toml::Value::Array(others)) => others,
        Some(_) => return Err("`alike` is a list".into()),
    };
    let text =
        |other: &toml::Value| other.as_str().map(str::to_owned).ok_or("a name is text".into());
    others.iter().map(text).collect()
}

/// The other names that an entry gives itself.
fn names(entry: &toml::Table) -> Result<Vec<String>> {
    let names = entry.get("names").and_then(toml::Value::as_array).into_iter().flatten();
    let name = |name: &toml::Value| name.as_str().map(str::to_owned).ok_or("a name is text".into());
    names.map(name).collect()
}
