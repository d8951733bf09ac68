//! Uses of dangerous programs for which the reason of the entry does not apply, in a real repository.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ringfence_core::path::AbsPath;
use ringfence_core::{Context, Date, Effect, Role};
use ringfence_manifest::{Format, NoLibrary, Source, read};

use crate::world::RealHost;
use crate::{Action, Call, Guard, PolicyBuilder};

fn git(root: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(root).args(["-c", "user.name=u", "-c", "user.email=u@example.com"]);
    let done = git.args(words).env("HOME", root).env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
    assert!(done.status.success(), "git {words:?}: {done:?}");
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Makes a project with tracked, changed, ignored and new files.
fn project(root: &Path) {
    let ignored = "node_modules/\n/dist\n__pycache__/\n*.log\n";
    for (name, text) in [
        (".gitignore", ignored),
        ("kept/a.rs", "a"),
        ("src/b.rs", "b"),
        ("scripts/run.sh", "echo"),
        ("mixed/c.rs", "c"),
        ("odd/.gitignore", "!x.log\n"),
        ("odd/y", "y"),
    ] {
        write(root, name, text);
    }
    git(root, &["init", "-q"]);
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "first"]);
    for (name, text) in [
        ("src/b.rs", "changed"),
        ("mixed/new.rs", "new"),
        ("dist/out.js", "x"),
        ("node_modules/p/index.js", "x"),
        ("lib/__pycache__/m.pyc", "x"),
        ("odd/z.log", "z"),
        ("vendor/repo/.git/HEAD", "ref: x"),
        ("node_modules/fork/.git/HEAD", "ref: x"),
        ("notes.txt", "mine"),
    ] {
        write(root, name, text);
    }
    std::os::unix::fs::symlink("..", root.join("up")).unwrap();
}

fn guard(root: &Path) -> Guard {
    let root = AbsPath::new(root.to_str().unwrap()).unwrap();
    let home = AbsPath::new("/home/nobody").unwrap();
    let context = Context::new(Some(root.clone()), home, root, Date::from_unix_days(20_000));
    let text = "extends = [\"@workspace\"]\nallow = [\"fs:d:@root/**\"]\n";
    let source = Source::new("policy.toml", Format::Toml, text).unwrap();
    let loaded = read(&source, Role::User, &NoLibrary).unwrap();
    let host = Arc::new(RealHost::new());
    let built = PolicyBuilder::new().loaded(loaded).build(&context, &*host).unwrap();
    Guard::new(built.policy, host, context)
}

fn effect(guard: &Guard, line: &str) -> Effect {
    let action = Action::Line { line: line.to_owned(), shell: None };
    guard.consider(&Call::new(action)).verdict.effect
}

#[test]
fn only_what_git_ignores_or_can_bring_back_is_deleted_without_an_opt_in() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    let guard = guard(&root);
    for line in [
        "rm -rf dist",
        "rm -rf ./dist/ kept",
        "rm -fr node_modules/p dist",
        "rm -r --force lib/__pycache__",
        "rm -rf kept/a.rs",
        "rm -rf not-there",
        "git status --short && rm -rf dist",
        "git add . && rm -rf dist",
        "find lib -name __pycache__ -exec rm -rf {} +",
    ] {
        assert_eq!(effect(&guard, line), Effect::Allow, "{line}");
    }
    for line in [
        "rm -rf src",
        "rm -rf mixed",
        "rm -rf odd",
        "rm -rf odd/z.log",
        "rm -rf notes.txt",
        "rm -rf .",
        "rm -rf ./",
        "rm -rf .git",
        "rm -rf .git/hooks",
        "rm -rf vendor",
        "rm -rf node_modules",
        "rm -rf dist src",
        "rm -rf ../proj/src",
        "rm -rf up/other",
        "rm -rf /",
        "rm -rf *",
        "mv src dist && rm -rf dist",
        "cp notes.txt dist/ && rm -rf dist",
        "echo x > dist/y; rm -rf dist",
        "ssh host rm -rf dist",
        "read x; rm -rf dist/$x",
        "rm -rf \"dist/$(cat notes.txt)\"",
        "cd \"$d\" && rm -rf dist",
        "cat notes.txt | xargs rm -rf",
        "cat notes.txt | xargs -I {} rm -rf {}",
        "cat notes.txt | xargs -I {} rm -rf dist/{}",
        "find . -name src -exec rm -rf {} +",
        "find \"$d\" -name dist -exec rm -rf {} +",
        "find dist -name x -exec rm -rf {}/../../src ';'",
        "for i in 1 2; do rm -rf dist; mv src dist; done",
        "rm -rf kept; mv .git /tmp/g",
        "rm -rf kept; echo x > .git/index",
    ] {
        assert_ne!(effect(&guard, line), Effect::Allow, "{line}");
    }
}

#[test]
fn a_list_that_takes_names_out_again_makes_nothing_certain() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    write(&root, ".gitignore", "/dist\n!dist/kept\n");
    assert_ne!(effect(&guard(&root), "rm -rf dist"), Effect::Allow);
}

#[test]
fn a_file_on_the_danger_list_is_not_deleted_with_what_is_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    write(&root, "dist/deep/.env", "KEY=x");
    assert_ne!(effect(&guard(&root), "rm -rf dist"), Effect::Allow);
    assert_ne!(effect(&guard(&root), "rm -rf dist/deep/.env"), Effect::Allow);
}

#[test]
fn a_list_ignores_only_as_it_is_staged() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    write(&root, ".gitignore", "/dist\n/notes.txt\n");
    assert_ne!(effect(&guard(&root), "rm -rf notes.txt"), Effect::Allow);
    assert_ne!(effect(&guard(&root), "rm -rf dist"), Effect::Allow);
    git(&root, &["add", ".gitignore"]);
    assert_eq!(effect(&guard(&root), "rm -rf dist"), Effect::Allow);
}

#[test]
fn a_name_in_the_index_without_its_content_brings_nothing_back() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    // `hash-object` without `-w` names a content that is not stored.
    let named = Command::new("git").current_dir(&root).args(["hash-object", "src/b.rs"]).output();
    let id = String::from_utf8(named.unwrap().stdout).unwrap();
    git(&root, &["update-index", "--cacheinfo", &format!("100644,{},src/b.rs", id.trim())]);
    assert_ne!(effect(&guard(&root), "rm -rf src"), Effect::Allow);
    git(&root, &["add", "src"]);
    assert_eq!(effect(&guard(&root), "rm -rf src"), Effect::Allow);
    git(&root, &["commit", "-q", "-m", "second"]);
    git(&root, &["gc", "-q", "--prune=now"]);
    assert_eq!(effect(&guard(&root), "rm -rf src kept"), Effect::Allow, "from a pack");
    for entry in fs::read_dir(root.join(".git/objects/pack")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|kind| kind == "pack") {
            fs::remove_file(path).unwrap();
        }
    }
    assert_ne!(effect(&guard(&root), "rm -rf kept"), Effect::Allow, "without the pack");
}

#[test]
fn an_index_that_is_not_certain_makes_nothing_certain() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    assert_eq!(effect(&guard(&root), "rm -rf kept"), Effect::Allow);
    let index = root.join(".git/index");
    let whole = fs::read(&index).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&index, bytes).unwrap();
        assert_ne!(effect(&guard(&root), "rm -rf kept"), Effect::Allow, "byte {at}");
    }
    for end in (0..whole.len()).step_by(11) {
        fs::write(&index, &whole[..end]).unwrap();
        assert_ne!(effect(&guard(&root), "rm -rf kept"), Effect::Allow, "{end} bytes");
    }
}

#[test]
fn a_program_of_the_project_and_a_job_of_the_shell() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    let guard = guard(&root);
    for line in ["chmod +x scripts/run.sh", "chmod u+x scripts/run.sh", "sleep 1 & kill %1"] {
        assert_eq!(effect(&guard, line), Effect::Allow, "{line}");
    }
    for line in [
        "chmod 777 scripts/run.sh",
        "chmod -R +x scripts",
        "chmod a+w scripts/run.sh",
        "chmod +x .git/hooks/pre-commit",
        "chmod +x ../x",
        "chmod +x up/x",
        "kill 1",
        "kill -9 -1",
        "kill %1 1",
        "kill %1 -1",
        "kill -9 -1 %1",
        "kill -TERM -- -1 %1",
        "kill",
        "pkill node",
    ] {
        assert_ne!(effect(&guard, line), Effect::Allow, "{line}");
    }
    // A whole fence has no processes but its own.
    let fenced = guard.in_whole_fence();
    for line in ["kill 1", "pkill node", "killall node"] {
        assert_eq!(effect(&fenced, line), Effect::Allow, "{line}");
    }
    assert_ne!(effect(&fenced, "ssh host kill 1"), Effect::Allow);
}

#[test]
fn options_of_node_that_load_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap().join("proj");
    fs::create_dir(&root).unwrap();
    project(&root);
    let guard = guard(&root);
    for line in [
        "NODE_OPTIONS=--max-old-space-size=4096 node --version",
        "NODE_OPTIONS='--max-old-space-size=4096 --no-warnings' node --version",
    ] {
        assert_eq!(effect(&guard, line), Effect::Allow, "{line}");
    }
    for line in [
        "NODE_OPTIONS=--require=./x.js node --version",
        "NODE_OPTIONS='--no-warnings -r ./x.js' node --version",
        "NODE_OPTIONS=--max-old-space-size=4096$x node --version",
        "NODE_OPTIONS=\"--max-old-space-size=1 \\\"--import=x\\\"\" node --version",
    ] {
        assert_ne!(effect(&guard, line), Effect::Allow, "{line}");
    }
}
