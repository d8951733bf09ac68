//! Every language that the program catalogue names is read.

use std::collections::BTreeMap;
use std::sync::Arc;

use ringfence_core::program::{Catalogue, Entry, Operands, OptionSpec, Role};
use ringfence_manifest::catalogue::{self, BuiltIn};
use ringfence_shell::lang;

/// The languages of an entry's options and operands.
fn languages(entry: &Entry) -> Vec<String> {
    let mut roles: Vec<Role> = Vec::new();
    let options = |roles: &mut Vec<Role>, options: &[Arc<OptionSpec>]| {
        roles.extend(
            options.iter().flat_map(|option| option.roles.iter().chain(&option.also)).cloned(),
        );
    };
    let operands = |roles: &mut Vec<Role>, operands: &Option<Operands>| {
        roles.extend(operands.iter().flat_map(Operands::roles).cloned());
    };
    options(&mut roles, &entry.options);
    operands(&mut roles, &entry.operands);
    for when in &entry.when {
        options(&mut roles, &when.options);
        operands(&mut roles, &when.operands);
    }
    roles.into_iter().filter_map(language).collect()
}

fn language(role: Role) -> Option<String> {
    match role {
        Role::Code(language) => Some(language.to_string()),
        _ => None,
    }
}

/// The languages of variables, by their lines in the catalogue.
fn of_variables() -> Vec<(String, String)> {
    let text = include_str!("../../../../policies/programs/variables.toml");
    let lines = text.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" = {")?;
        let role = rest.split_once("role = \"")?.1.split('"').next()?;
        Some((name.to_owned(), language(Role::parse(role)?)?))
    });
    lines.collect()
}

#[test]
fn every_language_of_the_catalogue_is_read() {
    let mut used: BTreeMap<String, String> = BTreeMap::new();
    for name in catalogue::names() {
        let entry = BuiltIn::shared().entry(name).unwrap();
        used.extend(languages(entry).into_iter().map(|language| (language, name.to_owned())));
    }
    used.extend(of_variables().into_iter().map(|(name, language)| (language, name)));
    assert!(used.len() > 80, "only {} languages", used.len());
    let known: Vec<&str> = lang::languages().collect();
    let missing: Vec<String> = used
        .iter()
        .filter(|(language, _)| !known.contains(&language.as_str()))
        .map(|(language, name)| format!("{language} ({name})"))
        .collect();
    assert!(missing.is_empty(), "no reader for {}", missing.join(", "));
}
