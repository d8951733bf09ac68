//! Tests for links that make paths reachable under names that rules forbid.

use super::super::tests::{compile, document, path, rule};
use super::*;
use crate::document::Role;
use crate::effect::Effect::{Allow, Deny};
use crate::pattern::Pattern;

fn policy(denies: &[&str]) -> Policy {
    let rules = denies.iter().map(|text| (Deny, *text)).chain([(Allow, "fs:w:/**")]);
    compile(vec![document(Role::User, &rules.collect::<Vec<_>>())], &[])
}

/// Returns the forbidden path below a link in the project that leads to another directory.
fn behind(policy: &Policy, link: &str) -> Option<String> {
    let link = path("/home/u/proj").join(link).unwrap();
    let elsewhere = path("/home/u/proj/v");
    let found = policy.forbidden_below_link(&AccessScope::default(), &link, Some(&elsewhere));
    found.map(|found| found.as_str().replace("/home/u/", "~/").replace(ANY_NAME, "?"))
}

#[track_caller]
fn check(rule: &str, link: &str, expected: Option<&str>) {
    assert_eq!(behind(&policy(&[rule]), link).as_deref(), expected, "{rule} {link}");
}

#[test]
fn a_link_replaces_a_directory_above_a_named_file() {
    let own = "fs:w:~/.config/ringfence/policy.toml";
    check(own, "/home/u/.config", Some("~/.config/ringfence/policy.toml"));
    check(own, "/home/u/.config/ringfence", Some("~/.config/ringfence/policy.toml"));
    check("fs:w:@root/deploy/prod/**", "deploy", Some("~/proj/deploy/prod"));
    check("fs:w:@root/*/prod/*.toml", "deploy", Some("~/proj/deploy/prod/?.toml"));
}

#[test]
fn a_link_at_the_named_path_is_judged_directly() {
    check("fs:w:~/.config/ringfence/policy.toml", "/home/u/.config/ringfence/policy.toml", None);
    check("fs:w:@root/deploy/prod/**", "deploy/prod", None);
    check("fs:w:@root/deploy/prod/**", "deploy/prod/x", None);
    check("fs:w:**/.claude/**", ".claude", None);
}

#[test]
fn a_link_has_the_first_name_after_a_floating_wildcard() {
    check("fs:w:**/.vscode/tasks.json", ".vscode", Some("~/proj/.vscode/tasks.json"));
    check("fs:w:**/.vscode/tasks.json", "a/b/.vscode", Some("~/proj/a/b/.vscode/tasks.json"));
    check("fs:w:**/.git/trees/*/config", ".git/trees/x", Some("~/proj/.git/trees/x/config"));
    check("fs:w:**/.git/trees/*/config", ".git/trees", Some("~/proj/.git/trees/?/config"));
    check("fs:w:**/[a-c]x/y", "bx", Some("~/proj/bx/y"));
}

#[test]
fn names_matched_only_by_wildcards_do_not_count() {
    for rule in ["fs:w:**/.env", "fs:w:**/.vscode/tasks.json", "fs:w:**/*/x", "fs:w:@root/**/x/y"] {
        check(rule, "a", None);
        check(rule, "node_modules/.bin/tsc", None);
        check(rule, ".env", None);
        check(rule, ".vscode/a", None);
    }
}

#[test]
fn a_rule_with_a_second_floating_wildcard() {
    let own = "fs:w:**/.git/modules/**/hooks/**";
    check(own, ".git/modules", Some("~/proj/.git/modules/hooks"));
    check(own, ".git/modules/lib", Some("~/proj/.git/modules/lib/hooks"));
    check(own, ".git/modules/a/b", Some("~/proj/.git/modules/a/b/hooks"));
    check(own, ".git/other", None);
    let (policy, scope) = (policy(&[own]), AccessScope::default());
    let link = path("/home/u/proj/.git/modules/lib/t");
    let leads = |to: &str| policy.forbidden_below_link(&scope, &link, Some(&path(to))).is_some();
    assert!(!leads("/home/u/proj/.git/modules/lib/testing"));
    assert!(!leads("/home/u/proj/.git/modules"));
    assert!(leads("/home/u/proj/.git"));
    assert!(leads("/home/u/proj/.git/modules2/x"));
    assert!(policy.forbidden_below_link(&scope, &link, None).is_some());
}

#[test]
fn rules_that_do_not_deny_writing_do_not_count() {
    check("fs:r:~/.config/ringfence/policy.toml", "/home/u/.config", None);
    let rules = [(Allow, "fs:w:~/.config/app/x"), (Allow, "fs:w:/**")];
    let policy = compile(vec![document(Role::User, &rules)], &[]);
    assert_eq!(behind(&policy, "/home/u/.config"), None);
}

#[test]
fn danger_entries_count_until_an_opt_in() {
    let dangers = ["fs:w:**/.vscode/tasks.json"];
    let mut own = document(Role::User, &[(Allow, "fs:w:/**")]);
    assert!(behind(&compile(vec![own.clone()], &dangers), ".vscode").is_some());
    own.danger = Some(vec![rule(Allow, "fs:w:@root/.vscode/*")]);
    assert_eq!(behind(&compile(vec![own], &dangers), ".vscode"), None);
}

#[test]
fn exceptions_do_not_count() {
    let mut own = document(Role::User, &[(Allow, "fs:w:/**"), (Deny, "fs:w:@root/*/x")]);
    own.rules[1].except = vec![Pattern::parse("fs:w:@root/open/x").unwrap()];
    let policy = compile(vec![own], &[]);
    assert_eq!(behind(&policy, "open"), None);
    assert!(behind(&policy, "shut").is_some());
}
