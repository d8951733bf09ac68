use ringfence_core::{Class, Document, Role};

use super::{Library, read, read_with_tables};
use crate::profiles;
use crate::text::{Format, Source};

struct OneFile;

impl Library for OneFile {
    fn fetch(&self, reference: &str, _: &str) -> Result<Source, String> {
        let text = r#"{"extends": ["@claude"], "allow": ["cmd:two"], "deny": ["cmd:three"]}"#;
        Source::new(reference, Format::Json, text).map_err(|errors| errors.to_string())
    }
}

fn source() -> Source {
    let text = r#"{"extends": ["@git", "file", "@docker"], "allow": ["cmd:one"]}"#;
    Source::new("policy", Format::Json, text).unwrap()
}

#[test]
fn rules_of_what_is_extended_follow_in_its_order() {
    let loaded = read(&source(), Role::User, &OneFile).unwrap();
    assert!(loaded.document.tables.is_empty());
    let mut documents: Vec<String> =
        loaded.document.rules.iter().map(|rule| rule.origin.document.to_string()).collect();
    documents.dedup();
    assert_eq!(documents, ["policy", "@git", "file", "@claude", "@docker"]);
    let claude = profiles::get("claude").unwrap().document(Role::User);
    let opt_ins = |document: &Document| document.danger.as_ref().map_or(0, Vec::len);
    assert!(opt_ins(&claude) > 0);
    assert_eq!(opt_ins(&loaded.document), opt_ins(&claude));
}

#[test]
fn profiles_can_stay_in_tables() {
    let loaded = read_with_tables(&source(), Role::User, &OneFile).unwrap();
    let patterns: Vec<String> =
        loaded.document.rules.iter().map(|rule| rule.pattern.to_string()).collect();
    assert_eq!(patterns, ["cmd:one", "cmd:two", "cmd:three"]);
    let names: Vec<&str> = loaded.document.tables.iter().map(|table| table.name).collect();
    assert_eq!(names, ["@git", "@claude", "@docker"]);
    assert_eq!(loaded.document.danger.as_ref().map(Vec::len), Some(0));
    let mut spelled = loaded.document;
    spelled.expand_tables();
    let whole = read(&source(), Role::User, &OneFile).unwrap().document;
    let texts = |document: &Document| {
        let lists = [&document.rules, &document.dangerous];
        let mut texts: Vec<String> = lists
            .into_iter()
            .chain(&document.danger)
            .flatten()
            .map(|rule| format!("{rule:?}"))
            .collect();
        texts.sort();
        texts
    };
    assert_eq!(texts(&spelled), texts(&whole));
}

#[test]
fn a_table_has_the_stances_of_its_rules() {
    for profile in profiles::names().filter_map(profiles::get) {
        let table = profile.table_document(Role::User);
        let whole = profile.document(Role::User);
        for class in Class::ALL {
            assert_eq!(
                table.has_stance_on(class),
                whole.has_stance_on(class),
                "@{}",
                profile.name()
            );
        }
    }
}
