//! `trust`, by an ordinary user at a terminal, on the real host.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::{run_with_input, stderr, stdout};

/// The number of the next user.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A user of our own with a home and a project, gone when the test ends.
struct Person {
    name: String,
    folder: tempfile::TempDir,
}

impl Person {
    /// `None`, said aloud, where this test may not make users.
    fn new() -> Option<Person> {
        let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        if !is_root {
            eprintln!("skipped: only root can make the ordinary user that this test needs");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let name = format!("rf{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        open_to_all(folder.path());
        let person = Person { name, folder };
        let made = Command::new("useradd")
            .args(["--create-home", "--home-dir"])
            .arg(person.folder.path().join("home"))
            .arg(&person.name)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", stderr(&made));
        let command = person.folder.path().join("ringfence");
        std::fs::copy(env!("CARGO_BIN_EXE_ringfence"), &command).unwrap();
        open_to_all(&command);
        person.run_plain(&["mkdir", "-p", "project/.git"]);
        Some(person)
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn write_policy(&self, text: &str) {
        let file = self.home().join("project/ringfence.toml");
        std::fs::write(&file, text).unwrap();
        let name = &self.name;
        let owner = Command::new("chown").arg(format!("{name}:")).arg(&file).status().unwrap();
        assert!(owner.success());
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("runuser");
        command.args(["-u", &self.name, "--", program]);
        command
    }

    fn run_plain(&self, words: &[&str]) {
        let mut command = self.command(words[0]);
        assert!(command.args(&words[1..]).current_dir(self.home()).status().unwrap().success());
    }

    /// Runs ringfence in the project, without a terminal.
    fn ringfence(&self, words: &[&str]) -> Output {
        let binary = self.folder.path().join("ringfence");
        self.command(binary.to_str().unwrap())
            .args(words)
            .current_dir(self.home().join("project"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs ringfence in the project, at a terminal, with these keys typed.
    fn at_terminal(&self, words: &[&str], keys: &str) -> Output {
        let binary = self.folder.path().join("ringfence");
        let line = format!("{} {}", binary.display(), words.join(" "));
        let mut command = self.command("script");
        command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        run_with_input(command.current_dir(self.home().join("project")), keys.as_bytes())
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = Command::new("userdel").args(["--force", &self.name]).output();
    }
}

fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

const POLICY: &str = "allow = [\"fs:r:/srv/x\"]\ndeny = [\"fs:r:@root/secret\"]\n";

#[test]
fn c077_a_project_file_counts_once_a_person_trusted_its_bytes() {
    let Some(person) = Person::new() else { return };
    person.write_policy(POLICY);
    let granted = ["check", "--access", "fs:r:/srv/x"];
    let denied = ["check", "--access", "fs:r:@root/secret"];

    let before = person.ringfence(&granted);
    assert_eq!(before.status.code(), Some(3), "{}", stdout(&before));
    assert!(stderr(&before).contains("trust"), "it is said: {}", stderr(&before));
    assert_eq!(person.ringfence(&denied).status.code(), Some(4), "denials count at once");

    let piped = person.ringfence(&["trust"]);
    assert_eq!(piped.status.code(), Some(2), "{}", stdout(&piped));
    assert!(stderr(&piped).contains("terminal"), "{}", stderr(&piped));
    assert_eq!(person.at_terminal(&["trust"], "n\n").status.code(), Some(1));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));

    let agreed = person.at_terminal(&["trust"], "y\n");
    assert_eq!(agreed.status.code(), Some(0), "{}", stdout(&agreed));
    assert!(stdout(&agreed).contains("fs:r:/srv/x"), "it shows what is new: {}", stdout(&agreed));
    assert_eq!(person.ringfence(&granted).status.code(), Some(0));
    let list = stdout(&person.ringfence(&["trust", "--list"]));
    assert!(list.contains("home/project"), "{list}");

    // One byte more, and nobody has trusted it.
    person.write_policy(&format!("{POLICY}\n"));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));
    person.write_policy(POLICY);
    assert_eq!(person.ringfence(&granted).status.code(), Some(0));
    assert_eq!(person.at_terminal(&["trust", "--revoke"], "").status.code(), Some(0));
    assert_eq!(person.ringfence(&granted).status.code(), Some(3));
}

#[test]
fn a_policy_whose_own_tests_fail_is_not_trusted() {
    let Some(person) = Person::new() else { return };
    person.write_policy("[[test]]\ncall = \"git status\"\nexpect = \"allow\"\n");
    let refused = person.at_terminal(&["trust"], "y\n");
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
    assert!(stdout(&refused).contains("tests fail"), "{}", stdout(&refused));
}
