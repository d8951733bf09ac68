//! The examples run.

use std::path::PathBuf;
use std::process::Command;

use super::project::Project;

fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().join("examples").join(name)
}

#[test]
fn a_command_is_run() {
    let project = Project::new();
    let mut command = Command::new(example("run"));
    let output = command.args(["printf", "%s", "hello"]).current_dir(project.root()).output();
    let output = output.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "it ended: Exited(0)\nit said 5 bytes\n");
}

#[test]
#[cfg(feature = "tokio")]
fn a_command_is_spoken_with() {
    let project = Project::new();
    let output = Command::new(example("run_async")).current_dir(project.root()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "it said \"hello\"\nit ended: Killed\n");
}
