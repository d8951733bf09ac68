use super::*;
use crate::span::Span;
use ringfence_core::program::{NamedList, Operands, OptionSpec, OptionSpelling, OptionStyle};

struct One(CatalogueEntry);

impl Catalogue for One {
    fn entry(&self, _: &str) -> Option<&CatalogueEntry> {
        Some(&self.0)
    }

    fn variable(&self, _: &str) -> Option<WordRole> {
        None
    }
}

fn option(spelling: &str, role: &str) -> Arc<OptionSpec> {
    let spelling = OptionSpelling::parse(spelling).unwrap();
    let roles = vec![WordRole::parse(role).unwrap()];
    Arc::new(OptionSpec { spelling, roles, also: Vec::new(), fills: None })
}

fn sort(style: OptionStyle) -> CatalogueEntry {
    CatalogueEntry {
        name: "sort".into(),
        style,
        options: NamedList::from_iter([
            option("-o|--output=", "write"),
            option("-u|--unique", "text"),
            option("-l[#]", "text"),
            option("--parallel=", "text"),
            option("--compress-program=", "run"),
        ]),
        operands: Some(Operands::parse("read...").unwrap()),
        ..CatalogueEntry::default()
    }
}

/// Role and text of each word, in order.
fn uses(style: OptionStyle, words: &[&str]) -> Vec<String> {
    let fields: Vec<Field> =
        words.iter().map(|word| Field::known(*word, Span::default())).collect();
    let catalogue = One(sort(style));
    let reading = read(&catalogue, &catalogue.0, &fields);
    let role = |own: &Use<'_>| own.role.map_or("?".to_owned(), WordRole::to_string);
    reading.uses.iter().map(|own| format!("{} {}", role(own), own.fields[0].shown())).collect()
}

#[test]
fn values_are_found_however_they_are_written() {
    for words in [
        &["-o", "x"][..],
        &["-ox"],
        &["-uox"],
        &["--output=x"],
        &["--output", "x"],
        &["--out", "x"],
    ] {
        assert_eq!(uses(OptionStyle::Gnu, words), ["write x"], "{words:?}");
    }
}

#[test]
fn behind_a_number_letters_go_on() {
    for words in [&["-lo", "x"][..], &["-luox"], &["-l012o", "x"], &["-ul0ox"]] {
        let own = uses(OptionStyle::Gnu, words);
        assert_eq!(own.last().map(String::as_str), Some("write x"), "{words:?}");
    }
}

#[test]
fn a_sign_behind_a_letter_is_dropped_where_that_is_a_habit() {
    assert_eq!(uses(OptionStyle::Clap, &["-o=x"]), ["write x"]);
    assert_eq!(uses(OptionStyle::ClapFirst, &["-uo=x"]), ["write x"]);
    // Where it is kept, what stands behind it may be a path as well.
    assert_eq!(uses(OptionStyle::Gnu, &["-o=x"]), ["write =x", "? x"]);
}

#[test]
fn options_stand_anywhere_or_only_first() {
    assert_eq!(uses(OptionStyle::Gnu, &["a", "-o", "x"]), ["read a", "write x"]);
    assert_eq!(uses(OptionStyle::Posix, &["a", "-o", "x"]), ["read a", "read -o", "read x"]);
    assert_eq!(uses(OptionStyle::Gnu, &["--", "-o", "x"]), ["read -o", "read x"]);
}

#[test]
fn long_names_are_cut_short_only_where_that_is_a_habit() {
    assert_eq!(uses(OptionStyle::Gnu, &["--comp", "p"]), ["run p"]);
    assert_eq!(uses(OptionStyle::Clap, &["--comp", "p"]), ["read p"]);
}

#[test]
fn long_names_behind_one_dash() {
    assert_eq!(uses(OptionStyle::Go, &["-output=x"]), Vec::<String>::from(["write x".to_owned()]));
}
