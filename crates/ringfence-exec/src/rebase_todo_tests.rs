use std::fs;

use super::*;

/// Returns whether `new` may replace `old`.
fn may_replace(old: Option<&str>, new: &str) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path().join(".git/rebase-merge");
    fs::create_dir_all(&at).unwrap();
    let (from, to) = (at.join("git-rebase-todo.lock"), at.join("git-rebase-todo"));
    fs::write(&from, new).unwrap();
    if let Some(old) = old {
        fs::write(&to, old).unwrap();
    }
    let deeds = [(Deed::Read, from.clone()), (Deed::Delete, from), (Deed::Write, to)];
    harmless(&deeds).is_some_and(|(_, content)| content == new.as_bytes())
}

#[test]
fn lines_that_run_nothing() {
    let usual = "pick 1234 a\nf -C 1234 x\n\n# Rebase\n# x, exec <command> = run command\n\tlabel onto\n\
        reset [new root]\nmerge -C abc b # c\nupdate-ref refs/heads/a\nbreak\nnoop\r\nd 1 exec x\n; said\n";
    assert!(may_replace(None, usual));
    assert!(may_replace(Some("pick 1 a"), usual));
    assert!(may_replace(Some("pick 1 a"), ""));
}

#[test]
fn lines_that_run_a_program_or_are_unknown() {
    for line in [
        "exec touch a",
        "x touch a",
        "exec\ttouch a",
        "  \t exec touch a",
        "x",
        "pick 1\rexec touch a",
        "exec\u{b}touch a",
        "run touch a",
        "PICK 1",
        "pick 1\n\u{a0}x touch a",
        "pick 1\0",
    ] {
        assert!(!may_replace(None, line), "{line:?}");
        assert!(!may_replace(Some("pick 1 a"), &format!("pick 2 b\n{line}\n")), "{line:?}");
    }
}

#[test]
fn existing_commands_in_a_todo_list_may_stay() {
    let old = "exec make test\npick 1 a\nexec make test\n";
    assert!(may_replace(Some(old), "pick 1 a\nexec make test\n"));
    assert!(!may_replace(Some(old), "pick 1 a\nexec make test more\n"));
}

#[test]
fn a_todo_list_may_be_removed_but_not_written_in_place() {
    let todo = PathBuf::from("/p/.git/rebase-merge/git-rebase-todo");
    assert!(is_plain(&[(Deed::Delete, todo.clone())]));
    assert!(is_plain(&[(Deed::About, todo.clone())]));
    assert!(!is_plain(&[(Deed::Write, todo.clone())]));
    assert!(!is_plain(&[(Deed::Delete, todo.clone()), (Deed::Write, todo)]));
    assert!(!is_plain(&[(Deed::Delete, "/p/.git/config".into())]));
}
