//! Every language that the program catalogue names has a parser.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ringfence_core::program::{Catalogue, CatalogueEntry, Operands, OptionSpec, WordRole};
use ringfence_manifest::catalogue::{self, BuiltIn};
use ringfence_shell::lang;

/// Returns the languages of an entry's options and operands.
fn languages(entry: &CatalogueEntry) -> Vec<String> {
    let mut roles: Vec<WordRole> = Vec::new();
    let options = |roles: &mut Vec<WordRole>, options: &[Arc<OptionSpec>]| {
        roles.extend(
            options.iter().flat_map(|option| option.roles.iter().chain(&option.also)).cloned(),
        );
    };
    let operands = |roles: &mut Vec<WordRole>, operands: &Option<Operands>| {
        roles.extend(operands.iter().flat_map(Operands::roles).cloned());
    };
    options(&mut roles, &entry.options);
    operands(&mut roles, &entry.operands);
    roles.extend(entry.behind_dashes.clone());
    roles.extend(entry.always.iter().chain(&entry.default).map(|given| given.role.clone()));
    for when in &entry.when {
        options(&mut roles, &when.options);
        operands(&mut roles, &when.operands);
        roles.extend(when.always.iter().chain(&when.default).map(|given| given.role.clone()));
    }
    roles.into_iter().filter_map(language).collect()
}

fn language(role: WordRole) -> Option<String> {
    match role {
        WordRole::Code(language) => Some(language.to_string()),
        _ => None,
    }
}

/// Returns the languages of variables, with their catalogue lines.
fn of_variables() -> Vec<(String, String)> {
    let text = include_str!("../../../../policies/programs/variables.toml");
    let lines = text.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" = {")?;
        let role = rest.split_once("role = \"")?.1.split('"').next()?;
        Some((name.to_owned(), language(WordRole::parse(role)?)?))
    });
    lines.collect()
}

/// Returns the languages in the catalogue, each with an entry that names it.
fn used() -> BTreeMap<String, String> {
    let mut used: BTreeMap<String, String> = BTreeMap::new();
    for name in catalogue::names() {
        let entry = BuiltIn::shared().entry(name).unwrap();
        used.extend(languages(entry).into_iter().map(|language| (language, name.to_owned())));
    }
    used.extend(of_variables().into_iter().map(|(name, language)| (language, name)));
    used
}

#[test]
fn every_language_of_the_catalogue_is_read() {
    let used = used();
    assert!(used.len() > 80, "only {} languages", used.len());
    let known: Vec<&str> = lang::languages().collect();
    let missing: Vec<String> = used
        .iter()
        .filter(|(language, _)| !known.contains(&language.as_str()))
        .map(|(language, name)| format!("{language} ({name})"))
        .collect();
    assert!(missing.is_empty(), "no reader for {}", missing.join(", "));
}

/// Returns the source text below a directory, without tests.
fn texts_below(directory: &str) -> String {
    let root: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../..", directory].iter().collect();
    let (mut open, mut texts) = (vec![root], String::new());
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match path.is_dir() {
                true if name != "tests" => open.push(path),
                false if !name.ends_with("tests.rs") => {
                    texts.push_str(&std::fs::read_to_string(path).unwrap());
                }
                _ => {}
            }
        }
    }
    texts
}

#[test]
fn every_language_that_is_read_is_used() {
    let (entries, code) =
        (texts_below("policies/programs"), texts_below("crates/ringfence-shell/src"));
    let named = |name: &str| {
        let roles = [format!("code {name}"), format!("code-file {name}")];
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-');
        roles.iter().any(|role| entries.split(role.as_str()).skip(1).any(ends))
    };
    // One parser may pass text to another; the first match is the parser's own place in the table.
    let handed_on = |name: &str| code.matches(&format!("\"{name}\"")).count() > 1;
    let idle: Vec<&str> =
        lang::languages().filter(|name| !named(name) && !handed_on(name)).collect();
    assert!(idle.is_empty(), "nobody uses {}", idle.join(", "));
}
