//! Whether a program needs a grant depends on its parent: programs started by `make` need none,
//! those started by a shell do.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use ringfence::{Command, Stdio};

use super::project::Project;

const POLICY: &str = r#"
allow = ["cmd:bash", "cmd:make", "cmd:sleep", "cmd:./broken", "fs:rw:@root/**", "fs:r:@system/**", "env:*"]
"#;

/// Returns the output of a bash line; `id` is not granted.
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
fn programs_started_by_make_are_covered_by_its_grant() {
    assert!(said("make -s id").contains("uid="));
    assert_eq!(said("id"), "");
}

#[test]
fn a_process_forked_before_exec_does_not_inherit_from_the_new_program() {
    assert_eq!(said("(sleep 0.3; id) & exec make -s wait"), "");
}

#[test]
fn a_failed_exec_does_not_change_the_child_policy() {
    assert_eq!(said("shopt -s execfail; exec ./broken; id"), "");
}
