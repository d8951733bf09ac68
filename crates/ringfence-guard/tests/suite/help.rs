//! Compares catalogue entries with the programs' own `--help`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use ringfence_core::program::{Catalogue, CatalogueEntry, OptionSpec, TakesValue};
use ringfence_manifest::catalogue::{self, BuiltIn};

/// Packages on every Debian system whose programs list their options in `--help`.
const PACKAGES: [&str; 7] = ["coreutils", "findutils", "grep", "sed", "tar", "gzip", "diffutils"];

/// Programs whose `--help` does not list options.
const WITHOUT_HELP: [&str; 6] = ["test", "[", "expr", "find", "yes", "true"];

/// An option in the help text: its name, and whether it takes a value.
fn options_of(help: &str) -> BTreeSet<(String, Option<TakesValue>)> {
    let mut options = BTreeSet::new();
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        // Text after two spaces is a description.
        let head = line.split("  ").next().unwrap();
        for word in head.split([' ', ',']).filter(|word| word.starts_with("--") && word.len() > 3) {
            let end = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            let name = &word[..end.unwrap_or(word.len())];
            let takes = match &word[name.len()..] {
                rest if rest.starts_with("[=") => Some(TakesValue::Perhaps),
                rest if rest.starts_with('=') => Some(TakesValue::Value),
                _ => None,
            };
            let stands_for_several = name.contains(|c: char| c.is_ascii_uppercase());
            if !matches!(name, "--help" | "--version" | "--") && !stands_for_several {
                options.insert((name.to_owned(), takes));
            }
        }
    }
    options
}

fn known<'e>(entry: &'e CatalogueEntry, name: &str) -> Option<&'e OptionSpec> {
    let changed = entry.when.iter().flat_map(|when| &when.options);
    entry.options.iter().chain(changed).map(|option| &**option).find(|it| it.spelling.has(name))
}

#[test]
fn programs_have_the_options_that_they_say_they_have() {
    let (mut programs, mut options, mut faults) = (0, 0, Vec::new());
    for name in catalogue::names().filter(|name| !name.contains(' ')) {
        let entry = BuiltIn::shared().entry(name).unwrap();
        let package = entry.package.as_deref().unwrap_or_default();
        let file = Path::new("/usr/bin").join(name);
        if !PACKAGES.contains(&package) || WITHOUT_HELP.contains(&name) || !file.exists() {
            continue;
        }
        let output = Command::new(&file).arg("--help").stdin(Stdio::null()).output().unwrap();
        let help = String::from_utf8_lossy(&output.stdout).into_owned();
        programs += 1;
        for (option, takes) in options_of(&help) {
            options += 1;
            match known(entry, &option) {
                None => faults.push(format!("{name}: {option} is not listed")),
                Some(spec) => match (takes, spec.spelling.takes) {
                    // The catalogue says that the value is optional, and the help text lists both forms.
                    (Some(TakesValue::Value), TakesValue::Perhaps) => {}
                    (Some(said), own) if said != own => {
                        faults.push(format!("{name}: {option} takes {own:?}, help says {said:?}"));
                    }
                    _ => {}
                },
            }
        }
    }
    assert!(programs > 60 && options > 300, "{programs} programs, {options} options");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
