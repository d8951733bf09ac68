use ringfence_core::{Document, Role, Rule};

use super::{get, names};

/// What the compiled form must have in common with the text.
fn parts(document: &Document) -> String {
    let show = |rules: &[Rule]| rules.iter().map(|rule| format!("{rule:?}\n")).collect::<String>();
    let mut rules = document.rules.clone();
    rules.sort_by_key(|rule| rule.origin.line);
    format!(
        "{} {:?} {:?}\n{}{:?}{}",
        document.name,
        document.default,
        document.settings,
        show(&rules),
        document.danger.as_deref().map(show),
        show(&document.dangerous),
    )
}

#[test]
fn a_compiled_profile_is_the_document_that_its_text_says() {
    for name in names() {
        let Some(profile) = get(name) else { continue };
        let loaded = profile.load(Role::User);
        let text = loaded.map(|loaded| {
            assert!(loaded.ceilings.is_empty() && loaded.document.stances.is_empty(), "{name}");
            assert!(!loaded.tests.is_empty(), "{name} has no tests");
            parts(&loaded.document)
        });
        assert_eq!(Ok(parts(&profile.document(Role::User))), text, "{name}");
    }
}
