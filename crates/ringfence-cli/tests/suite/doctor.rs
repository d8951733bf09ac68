//! What this host can hold.

use std::process::Command;

use super::{ringfence, stderr, stdout};

#[test]
fn this_host_holds_everything() {
    let output = ringfence().arg("doctor").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).lines().filter(|line| line.starts_with("full ")).count() == 10);
    let output = ringfence().args(["doctor", "--json"]).output().unwrap();
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["full"], true);
    let landlock = &said["facets"][6];
    assert_eq!((&landlock["name"], &landlock["state"]), (&"Landlock".into(), &"full".into()));
}

/// Runs it where no further user namespace can be made.
fn cramped(words: &str) -> std::process::Output {
    let line = format!(
        "echo 0 > /proc/sys/user/max_user_namespaces && exec {} {words}",
        env!("CARGO_BIN_EXE_ringfence")
    );
    Command::new("unshare").args(["--user", "--map-root-user", "sh", "-c", &line]).output().unwrap()
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let output = cramped("doctor");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let said = stdout(&output);
    assert!(said.contains("none    user namespace"), "{said}");
    assert!(said.contains("sudo sysctl user.max_user_namespaces=15000"), "{said}");
    assert!(said.contains("full    Landlock"), "{said}");
}

#[test]
fn a_run_that_cannot_be_confined_points_to_the_doctor() {
    let output = cramped("run -- /bin/true");
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("this host lacks user namespace"), "{said}");
    assert!(said.contains("`ringfence doctor`"), "{said}");
}

#[test]
fn a_run_that_would_be_given_a_directory_does_not_begin() {
    let project = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    std::fs::write(project.path().join(".env"), "SECRET=1\n").unwrap();
    let directory = std::fs::File::open(project.path()).unwrap();
    let read = "import os; print(os.read(os.open('.env', 0, dir_fd=0), 99))";
    let mut command = super::ringfence();
    command.args(["run", "--", "python3", "-c", read]).current_dir(project.path());
    let output = command.stdin(directory).output().unwrap();
    assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(said.contains("standard input is a directory"), "{said}");
    assert!(said.contains("hint: give it a file, a pipe or /dev/null"), "{said}");
}
