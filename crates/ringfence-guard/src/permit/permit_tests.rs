use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::net::IpAddr;
use std::sync::Arc;

use ringfence_core::access::{AccessScope, FileOp};
use ringfence_core::net::HostName;
use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect, Role};
use ringfence_manifest::{Format, NoLibrary, Source};
use serde_json::json;

use super::*;
use crate::world::RealHost;
use crate::{Action, Call, Guard, McpAction, PolicyBuilder};

fn guard(project: &tempfile::TempDir, policy: &str) -> Guard {
    guard_of(project, Role::Named, policy)
}

fn guard_of(project: &tempfile::TempDir, role: Role, policy: &str) -> Guard {
    let root = project.path().canonicalize().unwrap();
    let root = AbsPath::new(root.to_str().unwrap()).unwrap();
    let home = AbsPath::new("/home/nobody-here").unwrap();
    let today = Date::new(2026, 11, 15).unwrap();
    let context = Context::new(Some(root.clone()), home, root, today);
    let source = Source::new("policy.toml", Format::Toml, policy).unwrap();
    let loaded = ringfence_manifest::read(&source, role, &NoLibrary).unwrap();
    let host = RealHost::new();
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &host).unwrap();
    Guard::new(built.policy, Arc::new(host), context)
}

fn project() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn file_call(tool: &str, path: &str) -> Call {
    let input = json!({ "path": path });
    Call::new(Action::Tool { name: tool.to_owned(), input })
}

fn name(text: &str) -> HostName {
    HostName::parse(text).unwrap()
}

fn by_name(guard: &Guard, host: &str) -> Outcome<ResolveHost> {
    guard.judge_host(name(host), 443, AccessScope::default())
}

#[test]
fn a_permit_opens_the_file_that_was_judged() {
    let project = project();
    fs::write(project.path().join("notes"), "hello").unwrap();
    let guard = guard(&project, r#"allow = ["fs:r:@root/**", "fs:w:@root/out"]"#);
    let mut text = String::new();
    let permit = guard.judge(&file_call("read_file", "notes")).unwrap();
    assert_eq!(permit.basis(), PermitBasis::Allowed);
    permit.open().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "hello");
    let permit = guard.judge(&file_call("write_file", "out")).unwrap();
    permit.create().unwrap().write_all(b"new").unwrap();
    assert_eq!(fs::read(project.path().join("out")).unwrap(), b"new");
}

#[test]
fn a_link_that_was_put_there_after_the_judgement_is_not_followed() {
    let project = project();
    fs::write(project.path().join("notes"), "hello").unwrap();
    let guard = guard(&project, r#"allow = ["fs:r:@root/**"]"#);
    let permit = guard.judge(&file_call("read_file", "notes")).unwrap();
    fs::remove_file(project.path().join("notes")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.path().join("notes")).unwrap();
    assert!(permit.open().is_err());
}

#[test]
fn a_permit_to_read_is_none_to_write() {
    let project = project();
    fs::write(project.path().join("notes"), "hello").unwrap();
    let guard = guard(&project, r#"allow = ["fs:r:@root/**"]"#);
    let judge = || guard.judge(&file_call("read_file", "notes")).unwrap();
    assert_eq!(judge().into_write().unwrap_err(), NotOne::Write);
    assert!(judge().create().is_err());
    assert_eq!(judge().into_command().unwrap_err(), NotOne::Command);
    let files = judge().into_files();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].act().operation(), FileOp::Read);
    assert_eq!(fs::read(project.path().join("notes")).unwrap(), b"hello");
}

#[test]
fn an_approval_makes_a_permit_of_a_question_and_a_refusal_stays_one() {
    let project = project();
    let guard = guard(&project, r#"ask = ["fs:r:@root/a"]"#);
    let Outcome::Asks(open) = guard.judge_call(&file_call("read_file", "a")) else { panic!() };
    assert_eq!(open.approved(Approval::by_person()).basis(), PermitBasis::Approved);
    let refused = guard.judge_call(&file_call("read_file", "b"));
    assert!(matches!(refused, Outcome::Refused(_)));
    assert!(guard.judge(&file_call("read_file", "a")).is_err());
}

#[test]
fn a_judged_command_runs_the_program_that_was_judged() {
    let project = project();
    let guard = guard(&project, r#"allow = ["cmd:ls:*", "env:LANG", "fs:r:@root/**"]"#);
    let argv = ["ls", "-l"].map(str::to_owned).to_vec();
    let env = vec![("LANG".to_owned(), "C".to_owned())];
    let permit = guard.judge(&Call::new(Action::Argv { argv, env })).unwrap();
    let command = permit.into_command().unwrap().into_act();
    let found = guard.find_program("ls").unwrap();
    assert_eq!(command.program(), &fs::canonicalize(found.as_str()).unwrap());
    assert_eq!(command.argv(), ["ls", "-l"].map(OsString::from));
    assert_eq!(command.variables(), [("LANG".to_owned(), "C".to_owned())]);
    assert_eq!(command.directory(), &guard.context().cwd);
    let line = Action::Line { line: "ls | ls".to_owned(), shell: None };
    let command = guard.judge(&Call::new(line)).unwrap().into_command().unwrap();
    assert_eq!(command.act().argv(), ["bash", "-c", "ls | ls"].map(OsString::from));
}

#[test]
fn a_typed_command_needs_no_rule() {
    let project = project();
    let guard = guard(&project, "deny = [\"cmd:ls:*\"]");
    let permit = guard.permit_typed_command("/bin/ls", vec!["ls".into()]);
    assert_eq!(permit.basis(), PermitBasis::Typed);
    assert_eq!(permit.act().directory(), &guard.context().cwd);
}

#[test]
fn a_connection_is_permitted_by_name_and_then_by_every_address() {
    let project = project();
    let guard = guard(&project, r#"allow = ["net:*.b.test:443"]"#);
    let public: IpAddr = "93.184.216.34".parse().unwrap();
    let inward: IpAddr = "10.0.0.1".parse().unwrap();
    let judge = |addresses: &[IpAddr]| {
        let Outcome::Allowed(permit) = by_name(&guard, "a.b.test") else { panic!() };
        guard.judge_addresses(permit, addresses)
    };
    let Outcome::Allowed(permit) = judge(&[public]) else { panic!() };
    let act = permit.into_act();
    assert_eq!((act.addresses(), act.port()), (&[public][..], 443));
    assert!(act.covers((public, 443).into()) && !act.covers((public, 80).into()));
    assert!(matches!(judge(&[public, inward]), Outcome::Refused(_) | Outcome::Asks(_)));
    assert!(matches!(by_name(&guard, "c.test"), Outcome::Refused(_)));
}

#[test]
fn an_agreement_by_name_covers_addresses_on_the_internet_alone() {
    let project = project();
    let guard = guard(&project, r#"ask = ["net:*.b.test:443"]"#);
    let judge = |address: &str| {
        let Outcome::Asks(open) = by_name(&guard, "a.b.test") else { panic!() };
        let permit = open.approved(Approval::by_person());
        guard.judge_addresses(permit, &[address.parse().unwrap()])
    };
    let Outcome::Allowed(permit) = judge("93.184.216.34") else { panic!() };
    assert_eq!(permit.basis(), PermitBasis::Approved);
    assert!(matches!(judge("10.0.0.1"), Outcome::Asks(_) | Outcome::Refused(_)));
}

#[test]
fn an_address_that_was_asked_for_is_the_only_one_that_is_permitted() {
    let project = project();
    let guard = guard(&project, r#"allow = ["net:93.184.216.34:443", "net:localhost:443"]"#);
    let judge = |host: &str| {
        let Outcome::Allowed(permit) = by_name(&guard, host) else { panic!() };
        let other = ["8.8.8.8".parse().unwrap()];
        let Outcome::Allowed(permit) = guard.judge_addresses(permit, &other) else { panic!() };
        permit.into_act().addresses().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(judge("93.184.216.34"), ["93.184.216.34"]);
    assert_eq!(judge("localhost"), ["127.0.0.1", "::1"]);
}

#[test]
fn a_message_is_permitted_by_its_own_text() {
    let project = project();
    let guard = guard(&project, r#"allow = ["mcp:s/t"]"#);
    let call = |tool: &str| {
        let item = McpAction::Tool { name: tool.to_owned(), args: json!({}) };
        Call::new(Action::Mcp { server: "s".to_owned(), item })
    };
    let Outcome::Allowed(permit) = guard.judge_message(&call("t"), "the text") else { panic!() };
    assert_eq!(permit.into_act().into_text(), "the text");
    assert!(matches!(guard.judge_message(&call("u"), "the text"), Outcome::Refused(_)));
}

#[test]
fn observed_acts_are_permitted_and_say_so() {
    let project = project();
    let guard = guard_of(&project, Role::User, "mode = \"observe\"");
    let outcome = guard.judge_call(&file_call("read_file", "a"));
    let Outcome::Observed(permit, judgement) = outcome else { panic!() };
    assert_eq!(permit.basis(), PermitBasis::Observed);
    assert_eq!(judgement.verdict.effect, Effect::Deny);
}
