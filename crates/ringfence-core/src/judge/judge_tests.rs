//! Tests of the decision, on documents written as lists of patterns.

use std::sync::Arc;

use super::Policy;
use crate::access::*;
use crate::context::Context;
use crate::date::Date;
use crate::document::{Document, Role};
use crate::effect::Effect::{self, Allow, Ask, Deny};
use crate::host::MemoryHost;
use crate::net::HostName;
use crate::origin::Origin;
use crate::path::{AbsPath, FilePath};
use crate::pattern::{CommandPattern, NamePattern, Pattern};
use crate::rule::{Rule, ToolKind, ToolScope};
use crate::verdict::{Ground, Verdict};

#[path = "classes_tests.rs"]
mod classes;
#[path = "danger_tests.rs"]
mod dangers;
#[path = "exec_tests.rs"]
mod exec_rules;
#[path = "laws_tests.rs"]
mod laws;

pub(super) fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

pub(super) fn rule(effect: Effect, text: &str) -> Rule {
    Rule::new(effect, Pattern::parse(text).unwrap(), Origin::new("test", 1, 1))
}

pub(super) fn document(role: Role, rules: &[(Effect, &str)]) -> Document {
    let mut document = Document::new("test", role);
    document.rules = rules.iter().map(|(effect, text)| rule(*effect, text)).collect();
    document
}

pub(super) fn compile(documents: Vec<Document>, dangers: &[&str]) -> Policy {
    let today = Date::new(2026, 11, 15).unwrap();
    let root = Some(path("/home/u/proj"));
    let context = Context::new(root, path("/home/u"), path("/home/u/proj"), today);
    let dangers = dangers.iter().map(|text| rule(Deny, text)).collect();
    Policy::compile(documents, dangers, &context, &MemoryHost::new()).unwrap()
}

fn one(rules: &[(Effect, &str)]) -> Policy {
    compile(vec![document(Role::User, rules)], &[])
}

pub(super) fn exec(line: &str) -> AccessKind {
    let mut words = line.split_whitespace();
    let invoked: Text = words.next().unwrap().into();
    let plain = !invoked.contains('/');
    let file = if plain { format!("/usr/bin/{invoked}") } else { invoked.to_string() };
    let file = path("/home/u/proj").join(&file).unwrap();
    AccessKind::Exec(Arc::new(Exec {
        aliases: Vec::new(),
        program: Program {
            known_as: (plain || file.as_str().starts_with("/usr/bin/"))
                .then(|| file.file_name().into()),
            file: Some(file),
            invoked,
        },
        args: words.map(Into::into).collect(),
        reading: None,
        carrier: None,
        cwd: path("/home/u/proj"),
    }))
}

pub(super) fn file(op: FileOp, text: &str) -> AccessKind {
    AccessKind::File(FileAccess { op, extent: Extent::One, path: FilePath::named(path(text)) })
}

fn tree(op: FileOp, text: &str) -> AccessKind {
    AccessKind::File(FileAccess { op, extent: Extent::Tree, path: FilePath::named(path(text)) })
}

pub(super) fn connect(host: &str, port: u16) -> AccessKind {
    AccessKind::Connect(Connect {
        host: HostName::parse(host).unwrap(),
        port: Some(port),
        addresses: Vec::new(),
    })
}

fn check(policy: &Policy, what: AccessKind, expected: Effect) {
    let access = Access::new(what);
    let verdict = policy.decide(&access);
    assert_eq!(verdict.effect, expected, "{:?}: {:?}", access.what, verdict.grounds);
    assert!(verdict.decisive().next().is_some(), "a verdict has grounds");
}

fn check_lines(policy: &Policy, lines: &[(&str, Effect)]) {
    for (line, expected) in lines {
        check(policy, exec(line), *expected);
    }
}

fn check_reads(policy: &Policy, paths: &[(&str, Effect)]) {
    for (path, expected) in paths {
        check(policy, file(FileOp::Read, path), *expected);
    }
}

fn check_writes(policy: &Policy, paths: &[(&str, Effect)]) {
    for (path, expected) in paths {
        check(policy, file(FileOp::Write, path), *expected);
    }
}

#[test]
fn without_a_grant_an_access_is_denied() {
    let empty = one(&[]);
    check(&empty, exec("ls"), Deny);
    check(&empty, file(FileOp::Read, "/etc/hosts"), Deny);
    check(&empty, connect("a.example", 443), Deny);
    check(&empty, AccessKind::SetEnv("A".into()), Deny);
}

#[test]
fn c072_the_narrower_of_allow_and_ask_wins() {
    let policy = one(&[(Ask, "cmd:cargo:*"), (Allow, "cmd:cargo:test:*")]);
    check_lines(&policy, &[("cargo test -q", Allow), ("cargo publish", Ask)]);
    let broad = one(&[(Allow, "cmd:git:*"), (Ask, "cmd:git:push:*")]);
    check_lines(&broad, &[("git push", Ask), ("git status", Allow)]);
}

#[test]
fn c073_neither_narrower_means_ask() {
    let tie = one(&[(Allow, "cmd:git:push:*"), (Ask, "cmd:git:push:*")]);
    check_lines(&tie, &[("git push", Ask)]);
    let crossing = one(&[(Allow, "cmd:git:*:-v"), (Ask, "cmd:git:push:*")]);
    check_lines(&crossing, &[("git push -v", Ask), ("git pull -v", Allow)]);
}

#[test]
fn c074_without_a_match_the_default_decides() {
    let mut asking = document(Role::User, &[(Allow, "cmd:git:*")]);
    asking.default = Some(Ask);
    check(&compile(vec![asking.clone()], &[]), exec("ls"), Ask);
    let mut denying = document(Role::Project, &[]);
    denying.default = Some(Deny);
    check(&compile(vec![asking, denying], &[]), exec("ls"), Deny);
    check(&one(&[(Allow, "cmd:git:*")]), exec("ls"), Deny);
}

#[test]
fn an_exception_narrows_only_its_own_deny_rule() {
    let mut doc = document(Role::User, &[(Allow, "fs:r:**"), (Deny, "fs:r:**/.env*")]);
    doc.rules[1].except = vec![Pattern::parse("fs:r:**/.env.example").unwrap()];
    let policy = compile(vec![doc.clone()], &[]);
    check_reads(&policy, &[("/p/.env", Deny), ("/p/.env.example", Allow), ("/p/.envrc", Deny)]);
    doc.rules.push(rule(Deny, "fs:r:/p/**"));
    check_reads(&compile(vec![doc], &[]), &[("/p/.env.example", Deny)]);
}

#[test]
fn expired_rules_match_nothing_but_keep_the_stance() {
    let mut doc = document(Role::User, &[(Allow, "cmd:*"), (Allow, "env:A")]);
    doc.rules[1].note.until = Date::new(2026, 11, 15);
    let on_the_day = compile(vec![doc.clone()], &[]);
    check(&on_the_day, AccessKind::SetEnv("A".into()), Allow);
    doc.rules[1].note.until = Date::new(2026, 11, 14);
    let after = compile(vec![doc], &[]);
    let mut access = Access::new(AccessKind::SetEnv("B".into()));
    access.scope.cover = Cover::ParentGrant;
    assert_eq!(after.decide(&access).effect, Deny, "an expired grant widens nothing");
}

#[test]
fn without_a_stance_a_grant_covers_the_accesses_of_its_command() {
    let policy = one(&[(Allow, "cmd:git:*")]);
    let mut access = Access::new(file(FileOp::Read, "/etc/hosts"));
    access.scope.cover = Cover::ParentGrant;
    assert_eq!(policy.decide(&access).effect, Allow);
    access.scope.cover = Cover::OwnGrant;
    assert_eq!(policy.decide(&access).effect, Deny);
    let stance = one(&[(Allow, "cmd:git:*"), (Ask, "fs:r:@root/**")]);
    access.scope.cover = Cover::ParentGrant;
    assert_eq!(stance.decide(&access).effect, Deny);
}

#[test]
fn ceilings_only_narrow() {
    let user = document(Role::User, &[(Allow, "net:*"), (Allow, "cmd:*")]);
    let ceiling = document(Role::Ceiling, &[(Allow, "net:*.acme.example")]);
    let policy = compile(vec![user, ceiling], &[]);
    check(&policy, connect("x.acme.example", 443), Allow);
    check(&policy, connect("evil.example", 443), Deny);
    check(&policy, exec("ls"), Allow);
    let alone = compile(vec![document(Role::Ceiling, &[(Allow, "net:*.acme.example")])], &[]);
    check(&alone, connect("x.acme.example", 443), Deny);
}

#[test]
fn the_rules_of_a_person_and_of_a_trusted_project_add_up() {
    let user =
        document(Role::User, &[(Allow, "cmd:git:*"), (Ask, "cmd:npm:*"), (Deny, "cmd:rm:*")]);
    let project = document(
        Role::Project,
        &[(Allow, "cmd:npm:run:test"), (Ask, "cmd:git:push:*"), (Allow, "cmd:rm:*")],
    );
    let policy = compile(vec![user.clone(), project.clone()], &[]);
    let lines = [
        ("git status", Allow),
        ("git push", Ask),
        ("npm run test", Allow),
        ("npm publish", Ask),
        ("rm x", Deny),
        ("curl x", Deny),
    ];
    check_lines(&policy, &lines);
    // The organisation's document stands apart: it allows what it is asked about, or asks.
    let organisation =
        document(Role::Organisation, &[(Ask, "cmd:npm:*"), (Allow, "cmd:git:push:*")]);
    let policy = compile(vec![organisation, user, project], &[]);
    check_lines(&policy, &[("git push", Ask), ("npm run test", Ask), ("git status", Allow)]);
}

#[test]
fn loopback_granted_in_one_file_of_the_pool_counts_for_the_others() {
    let hosts = || document(Role::Project, &[(Allow, "net:a.example")]);
    let loopback = || document(Role::User, &[(Allow, "net:localhost")]);
    let one = document(Role::User, &[(Allow, "net:a.example"), (Allow, "net:localhost")]);
    let mut access = Access::new(AccessKind::Listen(8080));
    access.scope.cover = Cover::ParentGrant;
    for documents in [vec![one], vec![hosts(), loopback()], vec![loopback(), hosts()]] {
        assert_eq!(compile(documents, &[]).decide(&access).effect, Allow);
    }
    assert_eq!(compile(vec![hosts()], &[]).decide(&access).effect, Deny);
}

#[test]
fn untrusted_files_only_make_verdicts_stricter() {
    let user = || document(Role::User, &[(Allow, "cmd:git:*"), (Allow, "cmd:ls:*")]);
    let project = document(
        Role::Untrusted,
        &[(Allow, "cmd:rm:*"), (Ask, "cmd:git:push:*"), (Deny, "cmd:ls:*"), (Ask, "cmd:curl:*")],
    );
    let policy = compile(vec![user(), project], &[]);
    check_lines(
        &policy,
        &[("rm x", Deny), ("git push", Ask), ("git log", Allow), ("ls", Deny), ("curl x", Deny)],
    );
}

#[test]
fn scopes_limit_rules_to_agents_commands_and_directories() {
    let mut doc = document(
        Role::User,
        &[(Allow, "cmd:kubectl:*"), (Allow, "net:crates.example"), (Allow, "cmd:cargo:*")],
    );
    doc.rules[0].scope.agent = Some(NamePattern::exact("ops"));
    let cargo = CommandPattern::parse_seal("cargo:*").unwrap();
    doc.rules[1].scope.command = Some(vec![cargo].into());
    let below = crate::pattern::PathPattern::parse("@root/crates/**").unwrap();
    doc.rules[2].scope.within = Some(vec![below].into());
    let policy = compile(vec![doc], &[]);

    let mut access = Access::new(exec("kubectl get pods"));
    assert_eq!(policy.decide(&access).effect, Deny);
    access.scope.agent = Some("ops".into());
    assert_eq!(policy.decide(&access).effect, Allow);

    let command = |line: &str| match exec(line) {
        AccessKind::Exec(exec) => exec,
        _ => unreachable!(),
    };
    let mut access = Access::new(connect("crates.example", 443));
    assert_eq!(policy.decide(&access).effect, Deny);
    access.scope.command = Some(command("cargo build"));
    assert_eq!(policy.decide(&access).effect, Allow);
    access.scope.command = Some(command("curl x"));
    assert_eq!(policy.decide(&access).effect, Deny);

    let mut inside = (*command("cargo test")).clone();
    check(&policy, AccessKind::Exec(Arc::new(inside.clone())), Deny);
    inside.cwd = path("/home/u/proj/crates/a");
    check(&policy, AccessKind::Exec(Arc::new(inside)), Allow);
}

#[test]
fn a_deny_whose_variable_is_not_set_is_an_error_and_an_allow_a_notice() {
    let context =
        Context::new(None, path("/home/u"), path("/home/u/proj"), Date::new(2026, 11, 15).unwrap());
    let allow = document(Role::User, &[(Allow, "fs:r:${NOPE}/**"), (Allow, "fs:r:@root/**")]);
    let policy = Policy::compile(vec![allow], vec![], &context, &MemoryHost::new()).unwrap();
    assert_eq!(policy.notices().count(), 2);
    check(&policy, file(FileOp::Read, "/x"), Deny);
    let deny = document(Role::User, &[(Deny, "fs:r:${NOPE}/**")]);
    assert!(Policy::compile(vec![deny], vec![], &context, &MemoryHost::new()).is_err());
}

#[test]
fn grounds_name_the_rules_that_decided() {
    let policy = one(&[(Allow, "cmd:git:*"), (Deny, "cmd:git:push")]);
    let verdict = policy.decide(&Access::new(exec("git push")));
    let [Ground::Rule(rule)] = verdict.grounds.as_slice() else { panic!("{verdict:?}") };
    let rule = rule.rule().unwrap();
    assert_eq!(rule.pattern.to_string(), "cmd:git:push");
    assert_eq!(rule.origin.to_string(), "test:1");
}
