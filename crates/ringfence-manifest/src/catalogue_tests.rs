#![allow(clippy::unwrap_used, reason = "a test that meets the unexpected should stop")]

use super::*;

#[test]
fn every_entry_can_be_read() {
    let mut faults = Vec::new();
    for name in names() {
        if let Err(found) = read(name, text(name).unwrap_or_default()) {
            faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn names_are_found_once() {
    let mut all: Vec<&str> = names().chain(PROGRAM_NAMES.names()).collect();
    all.sort_unstable();
    let same = |pair: &[&'static str]| match pair {
        [one, other] if one == other => Some(*one),
        _ => None,
    };
    let twice: Vec<&str> = all.windows(2).filter_map(same).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn every_program_has_a_reason_and_lines_of_both_kinds() {
    let mut missing = Vec::new();
    for name in names().filter(|name| !name.contains(' ')) {
        let entry = BuiltIn::shared().entry(name).unwrap();
        let lines = lines(name).unwrap();
        if entry.why.is_empty() || lines.benign.is_empty() || lines.hostile.is_empty() {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn variables_have_roles() {
    for name in VARIABLES.names() {
        assert!(BuiltIn::shared().variable(name).is_some(), "{name}");
    }
}

#[test]
fn entries_are_found_by_every_name() {
    let catalogue = BuiltIn::shared();
    assert_eq!(&*catalogue.entry("git push").unwrap().name, "git push");
    assert_eq!(&*catalogue.entry("source").unwrap().name, ".");
    assert!(catalogue.entry("no-such-program").is_none());
    let git = catalogue.entry("git").unwrap();
    assert!(git.subs.iter().any(|sub| sub.names.iter().any(|name| &**name == "stage")));
}
