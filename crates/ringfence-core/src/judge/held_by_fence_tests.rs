//! What a fence holds: programs, variables and ports that no rule grants, and doubts.

use super::super::tests::*;
use super::*;
use crate::access::{Arg, UnknownArg};
use crate::document::Document;
use crate::rule::{ToolKind, ToolScope};
use crate::settings::Settings;
use Effect::{Allow, Ask, Deny};

fn workspace(rules: &[(Effect, &str)]) -> Document {
    let mut document = document(Role::User, rules);
    document.default = Some(Ask);
    document.settings.unlisted_programs = Some(Allow);
    document
}

fn in_fence(what: AccessKind) -> Access {
    let mut access = Access::new(what);
    access.scope.enforcement = Enforcement::WholeFence;
    access
}

fn effect(document: Document, what: AccessKind) -> Effect {
    compile(vec![document], &["cmd:rm:*:-rf"]).decide(&in_fence(what)).effect
}

#[test]
fn an_unlisted_program_runs_in_a_whole_fence_alone() {
    let policy = compile(vec![workspace(&[(Allow, "cmd:git:*")])], &[]);
    let mut access = in_fence(exec("mytool --flag"));
    assert_eq!(policy.decide(&access).effect, Allow);
    for enforcement in [Enforcement::Advisory, Enforcement::PartialFence] {
        access.scope.enforcement = enforcement;
        assert_eq!(policy.decide(&access).effect, Ask);
    }
}

#[test]
fn deny_danger_and_ask_rules_bind_an_unlisted_program_by_every_name() {
    let rules = [(Ask, "cmd:git:push:*"), (Deny, "cmd:nc:*")];
    for (line, expected) in [
        ("/home/u/proj/git push", Ask),
        ("/home/u/proj/git status", Allow),
        ("/home/u/proj/nc -l 1", Deny),
        ("/home/u/proj/rm -rf x", Deny),
    ] {
        assert_eq!(effect(workspace(&rules), exec(line)), expected, "{line}");
    }
}

#[test]
fn a_stated_default_of_deny_and_a_stricter_word_stay() {
    let mut strict = workspace(&[]);
    strict.default = Some(Deny);
    assert_eq!(effect(strict, exec("mytool")), Deny);
    for (word, expected) in [(None, Ask), (Some(Ask), Ask), (Some(Deny), Deny)] {
        let mut own = workspace(&[]);
        own.settings.unlisted_programs = word;
        assert_eq!(effect(own, exec("mytool")), expected);
    }
}

#[test]
fn the_organisation_is_asked_apart() {
    let organisation = |word| {
        let mut own = document(Role::Organisation, &[(Allow, "cmd:git:*")]);
        own.settings.unlisted_programs = word;
        own
    };
    for (word, expected) in [(None, Ask), (Some(Allow), Allow), (Some(Deny), Deny)] {
        let policy = compile(vec![workspace(&[]), organisation(word)], &[]);
        assert_eq!(policy.decide(&in_fence(exec("mytool"))).effect, expected, "{word:?}");
    }
}

#[test]
fn a_ceiling_stays() {
    let ceiling = document(Role::Ceiling, &[(Allow, "cmd:git:*")]);
    let policy = compile(vec![workspace(&[]), ceiling], &[]);
    assert_eq!(policy.decide(&in_fence(exec("mytool"))).effect, Deny);
}

#[test]
fn a_tool_that_is_scoped_by_paths_stays() {
    let mut paths = document(Role::Ceiling, &[(Allow, "fs:r:@root/**")]);
    let scope = ToolScope::Kind(ToolKind::Terminal);
    paths.rules.iter_mut().for_each(|rule| rule.scope.tool = Some(scope.clone()));
    let policy = compile(vec![workspace(&[]), paths], &[]);
    let mut access = in_fence(exec("mytool"));
    assert_eq!(policy.decide(&access).effect, Allow);
    access.scope.tool = Some(Arc::new(crate::access::ToolName {
        wire: "terminal".into(),
        mcp: None,
        kind: Some(ToolKind::Terminal),
    }));
    assert_eq!(policy.decide(&access).effect, Ask);
}

#[test]
fn variables_and_own_ports_need_no_grant() {
    let own = || workspace(&[(Allow, "env:CI"), (Allow, "net:a.example")]);
    for (what, expected) in [
        (AccessKind::SetEnv("FOO".into()), Allow),
        (AccessKind::ReadEnv("*".into()), Allow),
        (AccessKind::Listen(3000), Allow),
        (connect("localhost", 3000), Allow),
        (connect("b.example", 443), Ask),
        (connect("10.0.0.1", 80), Ask),
    ] {
        assert_eq!(effect(own(), what.clone()), expected, "{what:?}");
    }
}

#[test]
fn a_rule_on_a_port_of_the_host_stays() {
    let own = workspace(&[(Ask, "net:localhost:5432"), (Deny, "net:localhost:6379")]);
    for (port, expected) in [(5432, Ask), (6379, Deny), (3000, Allow)] {
        assert_eq!(effect(own.clone(), connect("localhost", port)), expected, "{port}");
    }
}

#[test]
fn a_word_that_could_complete_a_danger_entry_is_left_to_the_gate() {
    let policy = compile(vec![workspace(&[(Deny, "cmd:git:push:*:--force")])], &["cmd:rm:*:-rf"]);
    let start = |program: &str, args: &[&str], file: bool| {
        let AccessKind::Exec(own) = exec(program) else { unreachable!() };
        let mut own = crate::access::Exec::clone(&own);
        own.args = args.iter().map(|word| Arg::from(*word)).collect();
        own.args.push(Arg::Unknown(UnknownArg { shown: "$x".into(), operand: false, many: false }));
        own.program.file = file.then(|| crate::path::AbsPath::new("/usr/bin/x").unwrap());
        policy.decide(&in_fence(AccessKind::Exec(Arc::new(own)))).effect
    };
    assert_eq!(start("rm", &["a"], true), Allow);
    // A builtin never comes to the gate.
    assert_eq!(start("rm", &["a"], false), Ask);
    assert_eq!(start("git", &["push"], true), Deny);
}

#[test]
fn a_doubt_about_what_cannot_be_read_is_held_unless_a_document_decides_it() {
    let plain = compile(vec![workspace(&[])], &[]);
    let explicit = compile(
        vec![Document {
            settings: Settings { unanalysable: Some(Deny), ..Settings::default() },
            ..workspace(&[])
        }],
        &[],
    );
    let whole = Enforcement::WholeFence;
    let doubt = |kind| Doubt { kind, ..Doubt::denied("it cannot be read") };
    for (kind, held, held_if_explicit) in [
        (DoubtKind::Program, true, false),
        (DoubtKind::LaterStarts, true, false),
        (DoubtKind::Place, true, true),
        (DoubtKind::Other, false, false),
    ] {
        let effect = |policy: &Policy, by| policy.weigh(&doubt(kind), by).effect();
        assert_eq!(effect(&plain, whole) == Allow, held, "{kind:?}");
        assert_eq!(effect(&explicit, whole) == Allow, held_if_explicit, "{kind:?}");
        assert_eq!(effect(&plain, Enforcement::PartialFence), Deny);
        assert_eq!(effect(&plain, Enforcement::Advisory), Deny);
    }
}
