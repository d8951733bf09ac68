use ringfence_core::host::MemoryHost;
use ringfence_core::{Context, Date, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;

const POLICY: &str = r#"
    allow = ["fs:rw:~/**"]
    ask = ["fs:r:~/mail/**"]
    deny = ["fs:r:**/.env", "fs:r:~/.ssh/**", { pattern = "fs:r:~/keys/**", except = ["~/keys/*.pub"] }]
"#;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn host() -> MemoryHost {
    let mut host = MemoryHost::new();
    for file in ["keys/one", "keys/one.pub", "keys/old/two", "mail/a", "p/a"] {
        host.add_file(&path(&format!("/home/u/{file}")), "x");
    }
    host
}

fn hidden(text: &str, files: &FilePlan) -> Option<Hidden> {
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let document = read(&source, Role::User, &NoLibrary).unwrap().document;
    let today = Date::new(2026, 11, 15).unwrap();
    let context = Context::new(Some(path("/home/u/p")), path("/home/u"), path("/home/u/p"), today);
    let policy = Policy::compile(vec![document], Vec::new(), &context, &MemoryHost::new()).unwrap();
    Hiding::new(|| Arc::new(policy), AccessScope::default(), PathRules::LINUX).prepare(files)
}

fn files() -> FilePlan {
    FilePlan { private: vec!["/tmp".into()], ..FilePlan::default() }
}

#[track_caller]
fn check(path: &str, is_directory: bool, expected: bool) {
    let hidden = hidden(POLICY, &files()).unwrap();
    assert_eq!(hidden.hides(Path::new(path), &[], is_directory, &host()), expected, "{path}");
}

#[test]
fn what_rules_stand_against_is_hidden() {
    check("/home/u/p/.env", false, true);
    check("/home/u/p/a/b/.env", false, true);
    check("/usr/share/x/.env", false, true);
    check("/home/u/p/README", false, false);
    // A directory of that name is not what the rule takes, but something in it may be.
    check("/home/u/p/.env", true, false);
    check("/home/u/.ssh", true, true);
    check("/home/u/.ssh/id", false, true);
}

#[test]
fn a_directory_is_listed_if_something_in_it_may_be_read() {
    check("/home/u/keys", true, false);
    check("/home/u/keys/one", false, true);
    check("/home/u/keys/one.pub", false, false);
    check("/home/u/keys/old", true, true);
    check("/home/u/mail", true, true);
    check("/home/u", true, false);
}

#[test]
fn what_the_run_has_for_itself_is_not_hidden() {
    check("/tmp/x/.env", false, false);
    check("/tmpx/.env", false, true);
}

#[test]
fn a_path_that_rules_cannot_be_asked_about_is_hidden() {
    check("a", false, true);
    check("/a/../b", false, true);
}

#[test]
fn without_a_rule_that_hides_there_is_nothing_to_ask() {
    assert!(hidden("allow = [\"fs:rw:~/**\"]", &files()).is_none());
    let judged = FilePlan { judged: Judged::Openings, ..files() };
    assert!(hidden(POLICY, &judged).is_none());
}
