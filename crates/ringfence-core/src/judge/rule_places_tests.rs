//! Tests of the paths that rules expand to, and of `allows_every_command`.

use super::super::tests::{compile, document, rule};
use super::*;
use crate::effect::Effect::{Allow, Ask, Deny};
use crate::rule::{Scope, ToolKind, ToolScope};

fn anywhere() -> Access {
    Access::new(AccessKind::Listen(1))
}

fn places(policy: &Policy) -> Vec<(RuleKind, String, usize)> {
    let place = |own: RulePlace<'_>| (own.kind, own.literal.to_string(), own.rest.len());
    policy.file_places(&anywhere()).map(place).collect()
}

#[test]
fn a_pattern_expands_to_a_literal_path_and_the_rest() {
    let rules = [(Allow, "fs:r:@root/src/**/*.rs"), (Deny, "fs:r:**/.env")];
    let policy = compile(vec![document(Role::User, &rules)], &["fs:r:~/.ssh/*"]);
    assert_eq!(
        places(&policy),
        [
            (RuleKind::Allow, "/home/u/proj/src".to_owned(), 2),
            (RuleKind::Danger, "/home/u/.ssh".to_owned(), 1),
            (RuleKind::Deny, "/".to_owned(), 2),
        ]
    );
}

#[test]
fn a_rule_out_of_scope_has_no_paths() {
    let mut scoped = document(Role::User, &[(Allow, "fs:r:/srv/**")]);
    let tool = Some(ToolScope::Kind(ToolKind::File));
    scoped.rules[0].scope = Scope { tool, ..Scope::default() };
    let policy = compile(vec![scoped], &[]);
    assert_eq!(places(&policy), []);
    assert!(policy.rules_with_kind(&anywhere()).all(|(.., in_force)| !in_force));
}

#[test]
fn an_exception_has_the_rights_of_its_rule() {
    let mut denying = document(Role::User, &[(Deny, "fs:rw:/srv/**")]);
    denying.rules[0].except = vec![Pattern::parse("fs:r:/srv/open").unwrap()];
    let policy = compile(vec![denying], &[]);
    let access = anywhere();
    let excepts: Vec<RulePlace<'_>> =
        policy.file_places(&access).filter(|own| own.kind == RuleKind::Except).collect();
    assert!(matches!(&*excepts, [only] if only.rights == Rights::READ_WRITE));
}

fn every_command(rules: &[(Effect, &str)], opt_ins: &[&str], dangers: &[&str]) -> bool {
    let mut own = document(Role::User, rules);
    own.danger = Some(opt_ins.iter().map(|text| rule(Allow, text)).collect());
    compile(vec![own], dangers).allows_every_command(&anywhere())
}

#[test]
fn every_command_is_allowed_only_without_objecting_rules() {
    assert!(every_command(&[(Allow, "cmd:*")], &[], &[]));
    assert!(!every_command(&[(Allow, "cmd:git:*")], &[], &[]));
    assert!(!every_command(&[(Allow, "cmd:*"), (Deny, "cmd:curl")], &[], &[]));
    assert!(!every_command(&[(Allow, "cmd:*"), (Ask, "cmd:curl")], &[], &[]));
    assert!(!every_command(&[(Allow, "cmd:*"), (Deny, "env:X")], &[], &[]));
    assert!(!every_command(&[(Allow, "cmd:*")], &[], &["cmd:sudo:*"]));
    assert!(!every_command(&[(Allow, "cmd:*")], &["cmd:sudo:*"], &["cmd:sudo:*"]));
    assert!(every_command(&[(Allow, "cmd:*")], &["cmd:*"], &["cmd:sudo:*"]));
    assert!(!every_command(&[(Allow, "cmd:*")], &["cmd:*"], &["cmd:sudo:*", "env:LD_*"]));
}

#[test]
fn a_policy_with_a_ceiling_never_allows_every_command() {
    let granting = document(Role::User, &[(Allow, "cmd:*")]);
    let ceiling = document(Role::Ceiling, &[(Allow, "cmd:*")]);
    assert!(!compile(vec![granting, ceiling], &[]).allows_every_command(&anywhere()));
}
