//! `run --report FILE`, where the run can change what lies by that name.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{ringfence, stderr, stdout};

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// A project, and beside it a file that no run may write.
    fn new() -> Place {
        let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        let place = Place { folder };
        std::fs::create_dir_all(place.project().join(".git")).unwrap();
        std::fs::write(place.precious(), "precious").unwrap();
        let policy = "extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n";
        std::fs::write(place.folder.path().join("policy.toml"), policy).unwrap();
        place
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn precious(&self) -> PathBuf {
        self.folder.path().join("precious")
    }

    /// Runs code of Python in the fence: the words of `ln` would be judged before it makes a link.
    fn run(&self, report: &str, code: &str) -> Output {
        // What would wait for a pipe is ended, and fails.
        let mut command = Command::new("timeout");
        command.arg("60").arg(ringfence().get_program());
        command.args(["run", "--report", report, "--policy", "../policy.toml"]);
        let code = format!("import os\n{code}");
        command
            .args(["--", "python3", "-S", "-c", &code])
            .current_dir(self.project())
            .stdin(Stdio::null());
        command.output().unwrap()
    }

    fn assert_nothing_is_lost(&self) {
        assert_eq!(std::fs::read_to_string(self.precious()).unwrap(), "precious");
    }
}

fn is_report(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap();
    serde_json::from_slice::<serde_json::Value>(&text).is_ok_and(|own| own["refused"].is_array())
}

#[test]
fn a_link_that_the_run_puts_there_is_not_followed() {
    let place = Place::new();
    let output = place.run(
        "r.json",
        "os.path.lexists('r.json') and os.unlink('r.json'); os.symlink('../precious', 'r.json')",
    );
    place.assert_nothing_is_lost();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("it was removed during the run"), "{}", stderr(&output));
}

#[test]
fn a_directory_that_the_run_replaces_is_not_followed() {
    let place = Place::new();
    std::fs::create_dir(place.project().join("out")).unwrap();
    let output = place.run("out/precious", "os.rename('out', 'old'); os.symlink('..', 'out')");
    place.assert_nothing_is_lost();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(is_report(&place.project().join("old/precious")));
}

#[test]
fn a_pipe_that_the_run_puts_there_is_not_waited_for() {
    let place = Place::new();
    let output = place
        .run("r.json", "os.path.lexists('r.json') and os.unlink('r.json'); os.mkfifo('r.json')");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn what_is_no_file_stops_the_run_before_it_begins() {
    let place = Place::new();
    std::fs::create_dir(place.project().join("directory")).unwrap();
    symlink("../precious", place.project().join("link")).unwrap();
    let made = Command::new("mkfifo").arg("pipe").current_dir(place.project()).status().unwrap();
    assert!(made.success());
    for name in ["directory", "link", "pipe", "missing/r.json"] {
        let output = place.run(name, "os.mkdir('begun')");
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains("could not be written"), "{}", stderr(&output));
        assert!(!place.project().join("begun").exists(), "{name}");
    }
    place.assert_nothing_is_lost();
}

#[test]
fn it_takes_the_place_of_a_longer_one_and_goes_into_pipes_that_were_given() {
    let place = Place::new();
    let file = place.project().join("r.json");
    std::fs::write(&file, "x".repeat(1 << 16)).unwrap();
    assert_eq!(place.run("r.json", "os._exit(3)").status.code(), Some(3));
    assert!(is_report(&file));
    let output = place.run("/dev/stdout", "");
    assert!(stdout(&output).contains("\"refused\""), "{}", stderr(&output));
}

#[test]
fn a_policy_is_not_formatted_through_a_link() {
    let place = Place::new();
    let policy = place.project().join("p.toml");
    std::fs::write(&policy, "allow=[ \"cmd:ls\" ]").unwrap();
    // The name of the new file holds the number of the process, which `exec` keeps.
    let line = "ln -s ../precious p.toml.$$.tmp; exec \"$0\" fmt p.toml";
    let mut command = Command::new("sh");
    command.args(["-c", line]).arg(ringfence().get_program()).current_dir(place.project());
    let output = command.output().unwrap();
    place.assert_nothing_is_lost();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}
