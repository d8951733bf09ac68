#![allow(clippy::unwrap_used, reason = "a test that meets the unexpected should stop")]

use std::fs;
use std::path::Path;

use ringfence_core::program::NamedList;

use super::*;
use crate::node::Value;
use crate::raw::{Names, RawProgram};
use crate::text::Format;
use crate::{de, lower, tree};

/// The entries as the documents say them, each with all names above it.
fn written() -> Vec<CatalogueEntry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../policies/programs");
    let mut entries = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut node = tree::read(Format::Toml, &text).unwrap();
        if let Value::Table(entries) = &mut node.value {
            entries.retain(|entry| entry.key != "variables");
        }
        let (programs, mut faults) = de::read::<Names<RawProgram>>(&node);
        for (name, raw) in programs.unwrap().0 {
            lower::flatten(&name.value, raw, &mut faults, &mut |entry| entries.push(entry));
        }
        let told: Vec<&String> = faults.iter().map(|fault| &fault.message).collect();
        assert!(told.is_empty(), "{}: {told:?}", path.display());
    }
    entries
}

#[test]
fn every_entry_is_read_as_it_was_written() {
    let catalogue = BuiltIn::new();
    let written = written();
    assert_eq!(written.len(), names().count());
    for CatalogueEntry { options, subs, .. } in &written {
        assert!(options.iter().all(|option| !option.spelling.names.is_empty()));
        assert!(subs.iter().all(|sub| !sub.names.is_empty()));
    }
    let sorted = |entry: &CatalogueEntry| {
        let mut options: Vec<String> = entry.options.iter().map(|own| format!("{own:?}")).collect();
        let mut subs: Vec<String> = entry.subs.iter().map(|own| format!("{own:?}")).collect();
        let mut when = entry.when.clone();
        when.iter_mut().for_each(|when| when.options.sort_by_key(|own| format!("{own:?}")));
        options.sort();
        subs.sort();
        (options, subs, when)
    };
    for entry in &written {
        let read = catalogue.entry(&entry.name).unwrap();
        // Found one by one, before anybody asks for all.
        for name in entry.options.iter().flat_map(|option| &*option.spelling.names) {
            assert_eq!(
                read.options.named(name),
                entry.options.named(name),
                "{} {name}",
                entry.name
            );
        }
        for name in entry.subs.iter().flat_map(|sub| &*sub.names) {
            assert_eq!(read.subs.named(name), entry.subs.named(name), "{} {name}", entry.name);
        }
        assert_eq!(sorted(read), sorted(entry), "{}", entry.name);
        let bare = |entry: &CatalogueEntry| CatalogueEntry {
            options: NamedList::default(),
            subs: NamedList::default(),
            when: Vec::new(),
            ..entry.clone()
        };
        assert_eq!(bare(read), bare(entry));
    }
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
fn variables_are_found_by_their_families() {
    let role = |name: &str| BuiltIn::shared().variable(name);
    for (name, family) in [
        ("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER", "CARGO_TARGET_*_LINKER"),
        ("CARGO_REGISTRIES_MY_OWN_CREDENTIAL_PROVIDER", "CARGO_REGISTRIES_*_CREDENTIAL_PROVIDER"),
        ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL_*"),
        ("CC_aarch64_unknown_linux_gnu", "CC_*"),
        ("ANSIBLE_CALLBACK_PLUGINS", "ANSIBLE_*_PLUGINS"),
        ("MAGICK_CODER_MODULE_PATH", "MAGICK_*_MODULE_PATH"),
    ] {
        assert!(role(name).is_some(), "{name}");
        assert_eq!(role(name), role(family), "{name}");
    }
    // A name of its own comes before its family, and a family is no beginning.
    assert_ne!(role("CC_PRINT_OPTIONS_FILE"), role("CC_*"));
    assert_eq!(role("CCC"), None);
    assert_eq!(role("CARGO_TARGET_LINKER"), None);
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
