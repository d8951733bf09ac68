//! Classes without a stance, and the rules that apply instead.

use ringfence_core::pattern::Pattern;
use ringfence_core::rule::{Scope, ToolKind, ToolScope};
use ringfence_core::{Origin, Rule};

use super::*;

fn document(role: Role, rules: &[(Effect, &str)]) -> Document {
    let mut document = Document::new("test", role);
    let rule = |(effect, text): &(Effect, &str)| {
        Rule::new(*effect, Pattern::parse(text).unwrap(), Origin::new("test", 1, 1))
    };
    document.rules = rules.iter().map(rule).collect();
    document
}

fn silent(documents: &mut Vec<Document>) -> Vec<Class> {
    add_workspace_defaults(documents).into_iter().map(|silence| silence.class).collect()
}

const ALLOW: Effect = Effect::Allow;

#[test]
fn a_class_with_a_rule_is_not_filled() {
    let mut documents = vec![document(Role::User, &[(ALLOW, "cmd:git:*"), (ALLOW, "fs:r:**")])];
    assert_eq!(silent(&mut documents), [Class::Net, Class::Socket, Class::Env]);
    let filled = documents.pop().unwrap();
    assert!(filled.rules.iter().any(|rule| rule.pattern.to_string() == "net:*"));
    assert!(
        filled.rules.iter().all(|rule| !matches!(rule.pattern.class(), Class::Exec | Class::Files))
    );
    assert_eq!(filled.default, None);
}

#[test]
fn a_deny_gives_no_stance_and_a_ceiling_grants_nothing() {
    let denying = document(Role::User, &[(Effect::Deny, "cmd:git:*")]);
    let ceiling = document(Role::Ceiling, &[(ALLOW, "cmd:git:*")]);
    assert_eq!(silent(&mut vec![denying, ceiling]), HELD);
}

#[test]
fn a_rule_of_one_tool_is_a_stance() {
    let mut scoped = document(Role::User, &[(ALLOW, "cmd:*")]);
    let tool = Some(ToolScope::Kind(ToolKind::Terminal));
    scoped.rules[0].scope = Scope { tool, ..Scope::default() };
    assert!(!silent(&mut vec![scoped]).contains(&Class::Exec));
}

#[test]
fn unlisted_commands_ask_unless_the_default_denies() {
    let asks = |documents: &[Document]| documents.last().unwrap().exec_default == Some(Effect::Ask);
    let mut open = vec![document(Role::User, &[(ALLOW, "fs:r:**")])];
    add_workspace_defaults(&mut open);
    assert!(asks(&open));
    let mut closed = vec![document(Role::User, &[(ALLOW, "fs:r:**")])];
    closed[0].default = Some(Effect::Deny);
    add_workspace_defaults(&mut closed);
    assert!(!asks(&closed));
}

#[test]
fn unlisted_programs_run_only_if_no_document_speaks_of_programs() {
    let filled = |rules: &[(Effect, &str)]| {
        let mut documents = vec![document(Role::User, rules)];
        add_workspace_defaults(&mut documents);
        documents.pop().unwrap().settings.unlisted_programs
    };
    assert_eq!(filled(&[(ALLOW, "fs:r:**")]), Some(ALLOW));
    assert_eq!(filled(&[(ALLOW, "cmd:git:*")]), None);
}

#[test]
fn nothing_is_added_if_every_class_has_a_stance() {
    let rules = ["cmd:x", "fs:r:x", "net:x.example", "sock:/x", "env:X"].map(|text| (ALLOW, text));
    let mut documents = vec![document(Role::User, &rules)];
    assert_eq!(silent(&mut documents), []);
    assert_eq!(documents.len(), 1);
}

#[test]
fn it_is_said_in_words() {
    let notes = add_workspace_defaults(&mut vec![document(Role::User, &[(ALLOW, "cmd:x")])]);
    assert_eq!(notes[0].note, "no document mentions files: the rules of `@workspace` apply");
}
