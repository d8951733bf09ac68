//! An ordinary user with a home and a project, at a terminal where one is needed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::run_with_input;
use super::skip::skip;

/// The number of the next user.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A user of our own with a home and a project, gone when the test ends.
pub(crate) struct Person {
    pub(crate) name: String,
    folder: tempfile::TempDir,
}

impl Person {
    /// `None`, and the test is skipped, where this test may not make users.
    pub(crate) fn new() -> Option<Person> {
        Person::below(&std::env::temp_dir())
    }

    /// The same, with a home below this directory.
    pub(crate) fn below(above: &Path) -> Option<Person> {
        let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
        if !is_root {
            skip("only root can make the ordinary user that this test needs");
            return None;
        }
        let folder = tempfile::tempdir_in(above).unwrap();
        let name = format!("rf{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        open_to_all(folder.path());
        let person = Person { name, folder };
        person.enter();
        let command = person.folder.path().join("ringfence");
        std::fs::copy(env!("CARGO_BIN_EXE_ringfence"), &command).unwrap();
        open_to_all(&command);
        person.run_plain(&["mkdir", "-p", "project/.git"]);
        Some(person)
    }

    /// Adds the user to the list of users alone. `useradd` replaces the lists of passwords too, which
    /// runs of other tests hide at that moment, and a run stops where a hidden file is replaced.
    fn enter(&self) {
        let (name, home) = (&self.name, self.home());
        let number = 100_000 + std::process::id() * 8 + NEXT.fetch_add(1, Relaxed) % 8;
        let line = format!("{name}:x:{number}:{number}::{}:/bin/sh\n", home.display());
        change_users(|users| format!("{users}{line}"));
        let copied = Command::new("cp").args(["-rT", "/etc/skel"]).arg(&home).status().unwrap();
        assert!(copied.success());
        let owner = format!("{number}:{number}");
        let owned = Command::new("chown").args(["-hR", &owner]).arg(&home).status().unwrap();
        assert!(owned.success());
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn write_policy(&self, text: &str) {
        self.write("project/ringfence.toml", text);
    }

    /// Writes a file of theirs, named from their home.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let file = self.home().join(name);
        let directory = file.parent().unwrap().to_str().unwrap().to_owned();
        self.run_plain(&["mkdir", "-p", &directory]);
        std::fs::write(&file, text).unwrap();
        let name = &self.name;
        let owner = Command::new("chown").arg(format!("{name}:")).arg(&file).status().unwrap();
        assert!(owner.success());
    }

    /// What a file of theirs says; none where there is no such file.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.home().join(name)).ok()
    }

    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("runuser");
        command.args(["-u", &self.name, "--", program]);
        command
    }

    pub(crate) fn run_plain(&self, words: &[&str]) {
        let mut command = self.command(words[0]);
        assert!(command.args(&words[1..]).current_dir(self.home()).status().unwrap().success());
    }

    /// The command under test, where they can run it.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("ringfence")
    }

    /// Runs ringfence in the project, without a terminal.
    pub(crate) fn ringfence(&self, words: &[&str]) -> Output {
        let binary = self.program();
        self.command(binary.to_str().unwrap())
            .args(words)
            .current_dir(self.home().join("project"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs ringfence in the project, at a terminal, with these keys typed.
    pub(crate) fn at_terminal(&self, words: &[&str], keys: &str) -> Output {
        self.at_terminal_in("project", words, keys)
    }

    /// The same in another directory, named from their home.
    pub(crate) fn at_terminal_in(&self, directory: &str, words: &[&str], keys: &str) -> Output {
        let binary = self.program();
        let line = format!("{} {}", binary.display(), words.join(" "));
        let mut command = self.command("script");
        command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        run_with_input(command.current_dir(self.home().join(directory)), keys.as_bytes())
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        let own = format!("{}:", self.name);
        change_users(|users| {
            let others = users.lines().filter(|line| !line.starts_with(&own));
            others.map(|line| format!("{line}\n")).collect()
        });
    }
}

/// Changes the list of users, one test at a time.
fn change_users(change: impl FnOnce(&str) -> String) {
    const USERS: &str = "/etc/passwd";
    let lock = std::fs::File::create(std::env::temp_dir().join("ringfence-users.lock")).unwrap();
    lock.lock().unwrap();
    let users = std::fs::read_to_string(USERS).unwrap();
    let between = format!("{USERS}.ringfence");
    std::fs::write(&between, change(&users)).unwrap();
    std::fs::set_permissions(&between, std::fs::metadata(USERS).unwrap().permissions()).unwrap();
    std::fs::rename(&between, USERS).unwrap();
}

fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}
