//! The built-in lists and profiles, as others use them.

use ringfence_core::{Class, Role};
use ringfence_manifest::{builtin, profiles};

#[test]
fn lists_can_be_had_as_rules_and_as_tables() {
    let all = builtin::danger_rules();
    assert_eq!(all.len(), builtin::danger_entries().count());
    let mut protected = builtin::protected_document();
    assert_eq!(protected.role, Role::BuiltIn);
    assert!(protected.rules.is_empty());
    protected.expand_tables();
    assert_eq!(protected.rules.len(), builtin::protected_entries().count());
    assert!(all.iter().all(|rule| rule.note.why.is_some()));
}

#[test]
fn profiles_can_be_had_by_name_and_class() {
    let names: Vec<&str> = profiles::names().collect();
    assert_eq!(
        names,
        [
            "claude",
            "codex",
            "copilot",
            "docker",
            "gemini",
            "git",
            "go",
            "hermes",
            "node",
            "opencode",
            "python",
            "readonly",
            "rust",
            "server",
            "strict",
            "workspace",
        ]
    );
    let workspace = profiles::get("workspace").unwrap();
    let files = workspace.document_of(Role::User, &[Class::Files]);
    assert!(
        !files.rules.is_empty()
            && files.rules.iter().all(|rule| rule.pattern.class() == Class::Files)
    );
    assert!(profiles::get("@workspace").is_none());
    assert!(!workspace.load(Role::User).unwrap().tests.is_empty());
}
