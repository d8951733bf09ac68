//! The same tests as root and as an ordinary user.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// Nobody has this number: an ordinary user needs no entry anywhere.
const ORDINARY: u32 = 64_123;

pub(super) fn is_root() -> bool {
    // SAFETY: takes nothing and always succeeds.
    unsafe { libc::geteuid() == 0 }
}

/// Runs a test as this user, and, where this is root, once more as an ordinary one.
pub(super) fn as_everyone(test: &str, body: impl Fn(&str)) {
    if !is_root() {
        return body("an ordinary user");
    }
    body("root");
    run_alone(test, User::Ordinary);
}

/// Runs a helper in processes of its own, as every user.
pub(super) fn alone_as_everyone(helper: &str) {
    run_alone(helper, User::This);
    if is_root() {
        run_alone(helper, User::Ordinary);
    }
}

enum User {
    This,
    Ordinary,
}

fn run_alone(test: &str, user: User) {
    let output = alone(test, matches!(user, User::Ordinary)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let counts: Vec<&str> = said.lines().filter(|line| line.starts_with(test)).collect();
    println!("{}", counts.join("\n"));
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complaint}");
}

/// This program once more, with one test alone.
pub(super) fn alone(test: &str, ordinary: bool) -> Command {
    let name = format!("suite::escape::{test}");
    let mut command = Command::new(program());
    command.args(["--exact", &name, "--nocapture", "--include-ignored"]).current_dir("/");
    if ordinary {
        command.uid(ORDINARY).gid(ORDINARY);
    }
    command
}

/// This program, where everyone can start it.
fn program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let copy = directory.path().join("all");
        // Not by this process: what it has open for writing while it starts others stays busy.
        let copied = Command::new("cp").arg(env::current_exe().unwrap()).arg(&copy).status();
        assert!(copied.unwrap().success());
        for path in [directory.path(), &copy] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        // It is used until the end.
        let _ = directory.keep();
        copy
    })
}
