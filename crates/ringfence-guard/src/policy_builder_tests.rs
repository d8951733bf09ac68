use std::sync::Arc;

use ringfence_core::host::MemoryHost;
use ringfence_core::path::AbsPath;
use ringfence_core::{Date, Effect, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;
use crate::{Action, Call, Guard};

const WIDE: &str = "allow = [\"cmd:*\", \"fs:rw:/**\", \"fs:d:/**\"]\n";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn context() -> Context {
    let root = path("/home/u/proj");
    Context::new(Some(root.clone()), path("/home/u"), root, Date::from_unix_days(20_000))
}

fn loaded(text: &str, role: Role) -> Loaded {
    read(&Source::new("policy.toml", Format::Toml, text).unwrap(), role, &NoLibrary).unwrap()
}

fn guard(builder: PolicyBuilder) -> Guard {
    let host = Arc::new(MemoryHost::new());
    let built = builder.build(&context(), &*host).unwrap();
    Guard::new(built.policy, host, context())
}

fn check(guard: &Guard, access: &str, expected: Effect) {
    let call = Call::new(Action::Access { text: access.to_owned() });
    let verdict = guard.consider(&call).verdict;
    assert_eq!(verdict.effect, expected, "{access}: {verdict:?}");
}

#[test]
fn every_policy_has_the_protected_files_and_the_danger_list() {
    let guard = guard(PolicyBuilder::new().loaded(loaded(WIDE, Role::User)));
    check(&guard, "fs:w:/home/u/proj/notes", Effect::Allow);
    check(&guard, "fs:w:/home/u/proj/ringfence.toml", Effect::Deny);
    check(&guard, "fs:r:/home/u/.ssh/id_rsa", Effect::Deny);
    check(&guard, "cmd:sudo:ls", Effect::Deny);
}

#[test]
fn files_of_documents_are_kept() {
    let files = [path("/srv/policies/agent.toml")];
    let builder = PolicyBuilder::new().loaded(loaded(WIDE, Role::Named)).protecting_files(files);
    let guard = guard(builder);
    check(&guard, "fs:w:/srv/policies/agent.toml", Effect::Deny);
    check(&guard, "fs:r:/srv/policies/agent.toml", Effect::Allow);
    check(&guard, "fs:w:/srv/policies/other.toml", Effect::Allow);
}

#[test]
fn every_policy_knows_the_servers_that_granting_documents_name() {
    let text = "[mcp.servers.far]\npaths = \"remote\"\n[mcp.servers.near]\nallow = []\n";
    for (role, far, near) in [
        (Role::User, true, true),
        (Role::Named, true, true),
        (Role::Project, false, true),
        (Role::Ceiling, false, false),
        (Role::Untrusted, false, false),
    ] {
        let policy = guard(PolicyBuilder::new().loaded(loaded(text, role))).policy();
        assert_eq!(policy.has_remote_paths("far"), far, "{role:?}");
        assert_eq!(policy.names_server("far"), far, "{role:?}");
        assert_eq!(policy.names_server("near"), near, "{role:?}");
        assert!(!policy.has_remote_paths("near"));
    }
}

#[test]
fn servers_in_extended_documents_are_known() {
    struct Folder;
    impl ringfence_manifest::Library for Folder {
        fn fetch(&self, _: &str, _: &str) -> Result<Source, String> {
            let text = "[mcp.servers.far]\npaths = \"remote\"\n";
            Source::new("base.toml", Format::Toml, text).map_err(|error| error.to_string())
        }
    }
    let source = Source::new("policy.toml", Format::Toml, "extends = [\"base.toml\"]\n").unwrap();
    let loaded = read(&source, Role::User, &Folder).unwrap();
    assert!(guard(PolicyBuilder::new().loaded(loaded)).policy().has_remote_paths("far"));
}

#[test]
fn a_policy_without_documents_allows_nothing() {
    let guard = guard(PolicyBuilder::new());
    ["fs:r:/home/u/proj/a", "cmd:ls", "net:example.com:443", "env:X"]
        .iter()
        .for_each(|access| check(&guard, access, Effect::Deny));
}

#[test]
fn a_denial_without_a_place_is_an_error_with_its_line() {
    let text = "deny = [\"fs:r:${NOWHERE}/x\"]\n";
    let builder = PolicyBuilder::new().loaded(loaded(text, Role::User));
    let error = builder.build(&context(), &MemoryHost::new()).unwrap_err();
    assert_eq!(error.problems().len(), 1);
    assert!(error.to_string().contains("policy.toml:1"), "{error}");
}
