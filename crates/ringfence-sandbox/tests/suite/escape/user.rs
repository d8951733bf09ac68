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

/// Runs a test as this user, and, where this is root, once more as an ordinary one: this program
/// starts itself, with that test alone.
pub(super) fn as_everyone(test: &str, body: impl Fn(&str)) {
    if !is_root() {
        return body("an ordinary user");
    }
    body("root");
    let name = format!("suite::escape::{test}");
    let output = Command::new(program())
        .args(["--exact", &name, "--nocapture", "--include-ignored"])
        .uid(ORDINARY)
        .gid(ORDINARY)
        .current_dir("/")
        .env("TMPDIR", env::temp_dir())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    print!(
        "{}",
        said.lines()
            .filter(|line| line.contains(test))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    );
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complaint}");
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
