use std::path::PathBuf;

use ringfence_sandbox::gate::Deed;

use super::{harmless, is_plain, running};

fn runs(text: &str) -> bool {
    running(text).is_none_or(|found| !found.is_empty())
}

#[test]
fn everyday_settings_run_nothing() {
    let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
        [user]\n\tname = A\n[remote \"origin\"]\n\turl = https://example.com/x.git\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n";
    assert!(!runs(text));
    assert!(!runs("[user]\n\tname = \"A; B\" # who it is\n\temail = \\\"a\\\"@b\n"));
    assert!(!runs("[branch \"a/b-c\"]\n\tremote = \"o # p\"\n[extensions]\nobjectformat=sha256"));
}

#[test]
fn settings_that_run_programs_are_found_however_they_are_written() {
    for text in [
        "[core]\nhooksPath = x",
        "[CORE]\n\tfsMonitor=./x",
        "[core]\nsshcommand = x",
        "[core] pager = x",
        "[alias]\nx = !sh",
        "[filter \"a\"]\nclean = x",
        "[diff \"a\"]\ntextconv = x",
        "[credential]\nhelper = !x",
        "[include]\npath = x",
        "[includeIf \"gitdir:/\"]\npath = x",
        "[remote \"o\"]\nurl = ext::sh -c x",
        "[remote \"o\"]\nuploadpack = x",
        "[branch \"a\"]\nremote = ext::sh -c x",
        "[branch \"a\"]\npushRemote = \"ext::sh -c x\"",
        "[branch \"a\"]\nremote = any::x",
        "[remote]\npushDefault = ext::sh -c x",
        "[submodule \"s\"]\nupdate = !x",
        "[core]\nfilemode = true\\\nhooksPath = x",
        "[gc]\nrecentObjectsHook = x",
        "[nobody \"knows\"]\nthis = x",
        // Git reads on behind the first bracket that closes a section.
        "[core] fsmonitor = x #]",
        "[core] fsmonitor = x ;]\n[user]\nname = A",
        "[remote \"o\"] uploadpack = x \"]",
        "[remote \"o\\\"]\nurl = x\n[core]\nfsmonitor = x\n#\"]",
        // Quotation marks are no part of a value, wherever they stand.
        "[submodule \"s\"]\nupdate = \"!x\"",
        "[submodule \"s\"]\nupdate = \"\"!x",
        "[remote \"o\"]\nurl = ext:\"\":sh -c x",
        "[remote \"o\"]\nurl = \"\"-x",
        "[user]\nname = \"A",
        "[user]\nname = \\x",
    ] {
        assert!(runs(text), "{text}");
    }
}

#[test]
fn a_file_of_settings_that_git_puts_in_place_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (lock, config) = (folder.path().join("config.lock"), folder.path().join("config"));
    let moved =
        [(Deed::Read, lock.clone()), (Deed::Delete, lock.clone()), (Deed::Write, config.clone())];
    std::fs::write(&lock, "[user]\n\tname = A\n").unwrap();
    assert_eq!(harmless(&moved).as_deref(), Some(&b"[user]\n\tname = A\n"[..]));
    for text in ["[core]\n\thooksPath = x\n", "[core] fsmonitor = x #]\n"] {
        std::fs::write(&lock, text).unwrap();
        assert_eq!(harmless(&moved), None, "{text}");
    }
    let elsewhere = [moved[0].clone(), moved[1].clone(), (Deed::Write, folder.path().join("x"))];
    std::fs::write(&lock, "[user]\n").unwrap();
    assert_eq!(harmless(&elsewhere), None);
}

#[test]
fn settings_are_not_read_through_a_link_that_was_put_on_their_way() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir(root.join("outside")).unwrap();
    std::fs::write(root.join("outside/config.lock"), "[user]\n\tname = A\n").unwrap();
    std::os::unix::fs::symlink("outside", root.join("git")).unwrap();
    let moved = |git: PathBuf| {
        let (lock, config) = (git.join("config.lock"), git.join("config"));
        harmless(&[(Deed::Read, lock.clone()), (Deed::Delete, lock), (Deed::Write, config)])
    };
    assert_eq!(moved(root.join("git")), None);
    assert!(moved(root.join("outside")).is_some());
}

#[test]
fn what_every_new_repository_needs_is_plain() {
    let hooks = PathBuf::from("/p/.git/hooks");
    let config = PathBuf::from("/p/.git/config");
    assert!(is_plain(&[(Deed::MakeDirectory, hooks.clone())]));
    assert!(is_plain(&[(Deed::About, config.clone())]));
    for deed in [Deed::Write, Deed::About, Deed::Delete] {
        assert!(!is_plain(&[(deed, hooks.clone())]), "{deed:?}");
    }
    assert!(!is_plain(&[(Deed::About, hooks.join("pre-push"))]));
    assert!(!is_plain(&[(Deed::Write, config)]));
}
