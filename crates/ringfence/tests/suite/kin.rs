//! Whose child a program is: what `make` starts needs no grant, what a shell starts does.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ringfence::{Command, Stdio};

use super::project::Project;

const POLICY: &str = r#"
allow = ["cmd:bash", "cmd:make", "cmd:sleep", "cmd:./broken", "fs:rw:@root/**", "fs:r:@system/**", "env:*"]
"#;

/// What a line of bash says; `id` is granted to nobody.
fn said(line: &str) -> String {
    let project = Project::of(POLICY);
    let root = project.root();
    fs::write(root.join("Makefile"), "wait:\n\t@sleep 1\nid:\n\t@id\n").unwrap();
    fs::write(root.join("broken"), b"\x7fELF\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    fs::set_permissions(root.join("broken"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let command = Command::new("bash").args(["-c", line]).variables([("PATH", path)]);
    let command = command.stdin(Stdio::Null).stdout(Stdio::Piped).stderr(Stdio::Piped);
    let outcome = ringfence::run(&project.fence(&command), project.typed(&command)).unwrap();
    String::from_utf8(outcome.stdout).unwrap()
}

#[test]
fn what_make_starts_is_part_of_its_grant() {
    assert!(said("make -s id").contains("uid="));
    assert_eq!(said("id"), "");
}

#[test]
fn what_was_forked_before_is_no_child_of_what_its_parent_became() {
    assert_eq!(said("(sleep 0.3; id) & exec make -s wait"), "");
}

#[test]
fn a_start_that_failed_leaves_a_process_what_it_was() {
    assert_eq!(said("shopt -s execfail; exec ./broken; id"), "");
}
