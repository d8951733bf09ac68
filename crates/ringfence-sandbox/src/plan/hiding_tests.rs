use std::ffi::OsStr;

use ringfence_core::host::MemoryHost;
use ringfence_core::{Context, Date, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use super::*;

const POLICY: &str = r#"
    allow = ["fs:rw:~/**"]
    deny = ["fs:r:**/.env", "fs:r:~/.ssh/**", { pattern = "fs:r:~/keys/**", except = ["~/keys/*.pub"] }]
"#;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
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
    FilePlan {
        watched: vec!["/home/u/p".into()],
        masks: vec!["/usr/share/x/.env".into()],
        private: vec!["/tmp".into()],
        ..FilePlan::default()
    }
}

fn check(at: &str, name: &str, kind: EntryKind, expected: Look) {
    let hidden = hidden(POLICY, &files()).unwrap();
    let at = hidden.at(Path::new(at)).unwrap();
    assert_eq!(hidden.look(&at, OsStr::new(name), kind).0, expected, "{name} in {at:?}");
}

#[test]
fn what_rules_stand_against_is_hidden() {
    check("/home/u/p", ".env", EntryKind::File, Look::Hide);
    check("/home/u/p/a/b", ".env", EntryKind::Other, Look::Hide);
    check("/home/u/p", "README", EntryKind::File, Look::Past);
    check("/home/u/p", "src", EntryKind::Dir, Look::Inside);
    check("/home/u/p", ".env", EntryKind::Link, Look::Past);
    // A directory of that name is not what the rule takes, but something in it may be.
    check("/home/u/p", ".env", EntryKind::Dir, Look::Inside);
}

#[test]
fn what_has_a_path_of_its_own_is_found_outside_of_watched_trees() {
    check("/home/u", ".ssh", EntryKind::Dir, Look::Hide);
    check("/home/u", "music", EntryKind::Dir, Look::Past);
    check("/home/u", ".env", EntryKind::File, Look::Past);
    check("/home/u", "keys", EntryKind::Dir, Look::Inside);
    check("/home/u/keys", "one", EntryKind::File, Look::Hide);
    check("/home/u/keys", "one.pub", EntryKind::File, Look::Past);
}

#[test]
fn where_something_was_hidden_its_successor_is() {
    check("/usr/share/x", ".env", EntryKind::File, Look::Hide);
    check("/usr/share/y", ".env", EntryKind::File, Look::Past);
}

#[test]
fn what_the_run_has_for_itself_is_not_looked_at() {
    let hidden = hidden(POLICY, &files()).unwrap();
    assert!(hidden.at(Path::new("/tmp/x")).is_none());
    let root = hidden.at(Path::new("/")).unwrap();
    assert_eq!(hidden.look(&root, OsStr::new("tmp"), EntryKind::Dir).0, Look::Past);
}

#[test]
fn where_nothing_can_be_hidden_nothing_is_watched() {
    assert!(hidden("allow = [\"fs:rw:~/**\"]", &files()).is_none());
    let judged = FilePlan { judged: Judged::Openings, ..files() };
    assert!(hidden(POLICY, &judged).is_none());
}
