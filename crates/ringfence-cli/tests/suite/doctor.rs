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

#[test]
fn a_run_that_would_be_given_a_socket_of_the_network_does_not_begin() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let connected = std::net::TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let mut command = super::ringfence();
    command.args(["run", "--", "echo", "begun"]);
    let output = command.stdin(std::os::fd::OwnedFd::from(connected)).output().unwrap();
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(125), ""), "{}", stderr(&output));
    assert!(stderr(&output).contains("standard input is a socket"), "{}", stderr(&output));
}

#[test]
fn a_run_does_not_change_the_policy_that_it_was_given() {
    let project = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
    let policy = "allow = [\"fs:rw:@root/**\", \"fs:r:@system/**\", \"cmd:*\"]\n";
    let write = "echo x > other && ! (echo x >> agent.toml) 2> /dev/null && ! mv agent.toml b";
    std::fs::write(project.path().join("agent.toml"), policy).unwrap();
    let mut command = super::ringfence();
    command.args(["run", "--policy", "agent.toml", "--", "sh", "-c", write]);
    let output = command.current_dir(project.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(project.path().join("agent.toml")).unwrap(), policy);
}
