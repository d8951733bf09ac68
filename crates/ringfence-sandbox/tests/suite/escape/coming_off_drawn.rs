//! What is denied is not read, whatever others and the run itself do meanwhile: drawn.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use ringfence_sandbox::gate::Deed;
use ringfence_sandbox::plan::Judged;

use super::coming_off::{run, secret};
use super::user;
use crate::suite::fixture::{Fixture, Rules};

/// Denied names that others write, replace and remove.
const SECRETS: [&str; 6] =
    [".env", "a/.env", "keys/x", ".anthropic/key", "b/.anthropic/key", "a/b/.env"];
/// Names that the run makes and moves.
const NAMES: [&str; 8] = ["a", "b", "a/b", "c", ".anthropic", "b/.anthropic", "keys", "a/x"];
/// More cases are drawn by `RINGFENCE_DRAWN=100`.
const CASES: u32 = 6;

/// What the run does before each round in which it looks everywhere.
const STEPS: &str = r#"
held=[]
def step(words):
    do,one,two=words.split(',')
    try:
        if do=='mkdir': os.makedirs(one)
        if do=='rename': os.rename(one,two)
        if do=='symlink': os.symlink(two.split('/')[-1],one)
        if do=='link': os.link(one,two)
        if do=='open': held.append(os.open(one,os.O_RDONLY|os.O_DIRECTORY))
        if do=='place': held.append(os.open(one,os.O_PATH))
    except OSError: pass
def look_everywhere():
    for path in PATHS: look(path)
    for fd in held:
        look(f'/proc/self/fd/{fd}')
        for name in ('.env','x','key','.anthropic/key','b/.env'): look(name,dir_fd=fd)
def all_of(steps):
    ready()
    steps=list(steps)
    while going():
        if steps: step(steps.pop(0))
        look_everywhere()
"#;

#[test]
fn nothing_denied_is_read() {
    user::as_everyone("coming_off_drawn::nothing_denied_is_read", |user| {
        let cases = std::env::var("RINGFENCE_DRAWN").ok().and_then(|text| text.parse().ok());
        let cases = cases.unwrap_or(CASES);
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let outside = prop::collection::vec((select(vec![0, 1, 2]), select(&SECRETS[..])), 5..40);
        let inside = prop::collection::vec(steps(), 3..15);
        let done = TestRunner::new(config)
            .run(&(outside, inside, any::<bool>()), |(outside, inside, covers)| {
                check(&outside, &inside, covers)
            });
        println!("coming_off_drawn::nothing_denied_is_read: {cases} cases as {user}");
        assert!(done.is_ok(), "as {user}: {done:?}");
    });
}

fn steps() -> impl Strategy<Value = String> {
    let names = [&NAMES[..], &SECRETS[..]].concat();
    let what =
        select(vec!["mkdir", "rename", "rename", "symlink", "link", "open", "open", "place"]);
    (what, select(names.clone()), select(names))
        .prop_map(|(what, one, two)| format!("'{what},{one},{two}'"))
}

fn check(outside: &[(i32, &str)], inside: &[String], covers: bool) -> Result<(), TestCaseError> {
    let mut fixture = Fixture::new();
    let root = fixture.root().to_owned();
    for name in [".env", "keys/x"] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        secret(&root.join(name));
        if covers {
            fixture.plan.files.masks.push(root.join(name));
        }
    }
    fixture.plan.files.judged = Judged::Hiding;
    let all = [&NAMES[..], &SECRETS[..]].concat();
    let script = format!("PATHS={all:?}\n{STEPS}\nall_of([{}])", inside.join(","));
    let said = thread::scope(|scope| {
        scope.spawn(|| {
            while !root.join("ready").exists() {
                thread::sleep(Duration::from_millis(2));
            }
            for (what, name) in outside {
                others(&root, *what, name);
                thread::sleep(Duration::from_millis(3));
            }
            fs::write(root.join("stop"), "").unwrap();
        });
        run(&fixture, &script, rules())
    });
    prop_assert!(!said.contains("found"), "{said}");
    Ok(())
}

/// What others do, where what the run did lets them.
fn others(root: &Path, what: i32, name: &str) {
    let path = root.join(name);
    // Through links of the run others would write elsewhere.
    let is_theirs = |path: &Path| {
        path.parent().and_then(|own| own.canonicalize().ok()) == path.parent().map(Path::to_owned)
    };
    if fs::create_dir_all(path.parent().unwrap()).is_err()
        || !is_theirs(&path)
        || path.is_symlink()
        || path.is_dir()
    {
        return;
    }
    let new = root.with_extension("new");
    match what {
        0 => drop(fs::remove_file(&path)),
        1 => {
            secret(&new);
            drop(fs::rename(&new, &path));
        }
        _ => {
            drop(fs::remove_file(&path));
            drop(fs::write(&path, super::coming_off::SECRET));
        }
    }
}

/// The run may make what is denied, but neither read it nor take it away.
fn rules() -> Rules {
    let mut rules = Rules::all();
    rules.change = Box::new(|deed, path| {
        let mut names = path.iter().map(|name| name.to_string_lossy());
        let is_denied = names.any(|name| matches!(&*name, ".env" | ".anthropic" | "keys"));
        !(is_denied && matches!(deed, Deed::Read | Deed::Delete))
    });
    rules
}
