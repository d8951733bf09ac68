use ringfence_core::{Class, Rule, Scope};

use super::*;
use crate::load::{Library, read, read_with_gaps};
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
fn rules_are_put_where_they_belong() {
    let loaded = read(&source(), Role::User, &OneFile).unwrap();
    assert!(loaded.gaps.is_empty());
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
fn a_document_with_gaps_has_its_own_rules_alone() {
    let loaded = read_with_gaps(&source(), Role::User, &OneFile).unwrap();
    let patterns: Vec<String> =
        loaded.document.rules.iter().map(|rule| rule.pattern.to_string()).collect();
    assert_eq!(patterns, ["cmd:one", "cmd:two", "cmd:three"]);
    assert_eq!(loaded.gaps.len(), 3);
    assert_eq!(loaded.document.danger.map(|own| own.len()), Some(0));
}

#[test]
fn what_passes_is_put_where_it_belongs() {
    let whole = read(&source(), Role::User, &OneFile).unwrap().document;
    let mut loaded = read_with_gaps(&source(), Role::User, &OneFile).unwrap();
    fill_where(&mut loaded.document, &loaded.gaps, &Class::ALL, |_| true);
    assert_eq!(format!("{:?}", loaded.document.rules), format!("{:?}", whole.rules));
    assert_eq!(format!("{:?}", loaded.document.danger), format!("{:?}", whole.danger));
    let mut loaded = read_with_gaps(&source(), Role::User, &OneFile).unwrap();
    fill_where(&mut loaded.document, &loaded.gaps, &[Class::Files], |own| {
        own.pattern.contains(".git")
    });
    let texts = |rules: &mut dyn Iterator<Item = &Rule>| -> Vec<String> {
        rules.map(|rule| rule.pattern.to_string()).collect()
    };
    let kept = texts(&mut whole.rules.iter().filter(|rule| is_kept(rule)));
    assert_eq!(texts(&mut loaded.document.rules.iter()), kept);
    assert!(kept.len() < whole.rules.len());
}

/// Its own rules; of the profiles what is about files called so, or for some commands alone.
fn is_kept(rule: &Rule) -> bool {
    let is_own = !rule.origin.document.starts_with('@');
    let passes = rule.pattern.to_string().contains(".git") || rule.scope != Scope::default();
    is_own || rule.pattern.class() == Class::Files && passes
}

#[test]
fn what_passes_is_added_with_every_stance() {
    for profile in profiles::names().filter_map(profiles::get) {
        let whole = profile.document(Role::User);
        let mut all = profile.without_rules(Role::User);
        let (mut none, gap) = Gap::whole(profile, Role::User);
        gap.extract(&mut all, &Class::ALL, |_| true);
        gap.extract(&mut none, &Class::ALL, |_| false);
        let texts = |document: &Document| format!("{:?}", (&document.rules, &document.danger));
        assert_eq!(texts(&all), texts(&whole), "@{}", profile.name());
        assert_eq!(format!("{:?}", all.dangerous), format!("{:?}", whole.dangerous));
        assert_eq!(none.default, whole.default);
        for class in Class::ALL {
            assert_eq!(speaks_of(&none, class), speaks_of(&whole, class), "@{}", profile.name());
        }
    }
}

/// Whether a document has a stance on a class, and whether it has one everywhere.
fn speaks_of(document: &Document, class: Class) -> (bool, bool) {
    use ringfence_core::{Effect, Pattern};
    let rules = document.rules.iter();
    let of_rules =
        rules.filter(|rule| rule.effect != Effect::Deny && rule.pattern.class() == class);
    // What is granted of MCP servers is no word on other tools.
    let is_everywhere =
        |rule: &Rule| rule.scope == Scope::default() && !matches!(rule.pattern, Pattern::Mcp(_));
    let mut stated = document.stances.iter().filter(|stance| stance.class == class);
    let everywhere = of_rules.clone().any(is_everywhere)
        || stated.clone().any(|own| own.scope == Scope::default());
    (of_rules.count() > 0 || stated.next().is_some(), everywhere)
}
