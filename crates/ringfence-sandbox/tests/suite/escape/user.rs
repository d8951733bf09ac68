//! The same tests as root and as an ordinary user.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

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
    run_alone(test, User::Ordinary, &[]);
}

/// Runs a helper in processes of its own, as every user.
pub(super) fn alone_as_everyone(helper: &str) {
    alone_as_everyone_in(helper, &[]);
}

/// Runs a helper in processes of its own, as every user, started by another program.
pub(super) fn alone_as_everyone_in(helper: &str, before: &[&str]) {
    run_alone(helper, User::This, before);
    if is_root() {
        run_alone(helper, User::Ordinary, before);
    }
}

/// Runs a helper in a process of its own, started by another program, as whoever that makes it.
pub(super) fn alone(helper: &str, before: &[&str]) {
    run_alone(helper, User::This, before);
}

/// How many processes and threads this user has.
pub(super) fn tasks() -> u32 {
    let listed = Command::new("ps").args(["-L", "-o", "lwp=", "-U"]).arg(own_number()).output();
    listed.unwrap().stdout.iter().filter(|byte| **byte == b'\n').count() as u32
}

fn own_number() -> String {
    // SAFETY: takes nothing and always succeeds.
    unsafe { libc::geteuid() }.to_string()
}

enum User {
    This,
    Ordinary,
}

fn run_alone(test: &str, user: User, before: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let is_ordinary = matches!(user, User::Ordinary);
    let output = alone_in(directory.path(), test, is_ordinary, before).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let counts: Vec<&str> = said.lines().filter(|line| line.starts_with(test)).collect();
    println!("{}", counts.join("\n"));
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complaint}");
}

/// Says that a test was started by another one.
const ALONE: &str = "RINGFENCE_ALONE";

/// Whether this process was started by a test, for one test alone.
pub(super) fn is_alone() -> bool {
    env::var_os(ALONE).is_some()
}

/// This program once more, with one test alone, from a directory where everyone can start it.
pub(super) fn alone_command(directory: &Path, test: &str, ordinary: bool) -> Command {
    alone_in(directory, test, ordinary, &[])
}

fn alone_in(directory: &Path, test: &str, ordinary: bool, before: &[&str]) -> Command {
    let copy = directory.join("all");
    // Not by this process: what it has open for writing while it starts others stays busy.
    let copied = Command::new("cp").arg(env::current_exe().unwrap()).arg(&copy).status();
    assert!(copied.unwrap().success());
    for path in [directory, &copy] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    // Whatever it leaves behind is left there.
    let own = directory.join("own");
    fs::create_dir(&own).unwrap();
    fs::set_permissions(&own, fs::Permissions::from_mode(0o1777)).unwrap();
    let name = format!("suite::escape::{test}");
    let mut words = before.iter().map(OsStr::new).chain([copy.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words);
    command.args(["--exact", &name, "--nocapture"]).env(ALONE, "1").current_dir("/");
    for variable in ["TMPDIR", "HOME", "XDG_RUNTIME_DIR"] {
        command.env(variable, &own);
    }
    if ordinary {
        command.uid(ORDINARY).gid(ORDINARY);
    }
    command
}
