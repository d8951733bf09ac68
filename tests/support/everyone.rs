//! The same tests as root and as an ordinary user, each in a process of its own.
//!
//! A test that is started by root starts itself twice more, alone: as root, and as a user whom no
//! database knows. Both have a directory of their own that lies outside the one for temporary
//! files, which a run has for itself. The repository may lie where that user cannot read: files of
//! it that a test needs are copied.

use std::env;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Nobody has this number: an ordinary user needs no entry anywhere.
pub const ORDINARY: u32 = 64_123;

/// Says that a test was started by another one, and where it may work.
const ALONE: &str = "RINGFENCE_ALONE";

pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// The directory beside the one for work in which copied files lie.
const GIVEN: &str = "given";

/// Runs a test alone, as every user that this one can be. `name` is the path of the test.
pub fn as_everyone(name: &str, body: impl Fn(&Path, &str)) {
    as_everyone_on(name, "", body);
}

/// The same, with copies of these files, as far as they exist; `given` reads them.
pub fn as_everyone_given(name: &str, files: &[PathBuf], body: impl Fn(&Path, &str)) {
    start(name, "", files, body);
}

/// Returns the text of a file that was copied for this test, by its name.
pub fn given(name: &str) -> Option<String> {
    let work = PathBuf::from(env::var_os(ALONE)?);
    fs::read_to_string(work.parent()?.join(GIVEN).join(name)).ok()
}

/// The same, after these lines of a shell, which mount what they like in the directory `$WORK`: in a
/// namespace of their own, as root, or as whoever is root there.
pub fn as_everyone_on(name: &str, mounts: &str, body: impl Fn(&Path, &str)) {
    start(name, mounts, &[], body);
}

fn start(name: &str, mounts: &str, files: &[PathBuf], body: impl Fn(&Path, &str)) {
    if let Some(place) = env::var_os(ALONE) {
        let user = if is_root() { "root" } else { "an ordinary user" };
        return body(Path::new(&place), user);
    }
    let above = if is_root() { PathBuf::from("/home") } else { env::home_dir().unwrap() };
    let users: &[Option<u32>] = if is_root() { &[None, Some(ORDINARY)] } else { &[None] };
    for user in users {
        let place = tempfile::Builder::new().prefix("ringfence-").tempdir_in(&above).unwrap();
        copy_to(&place.path().join(GIVEN), files);
        run_alone(name, mounts, place.path(), *user);
    }
}

/// Copies files to a directory that everyone can read.
fn copy_to(directory: &Path, files: &[PathBuf]) {
    fs::create_dir(directory).unwrap();
    for file in files.iter().filter(|file| file.exists()) {
        let copy = directory.join(file.file_name().unwrap());
        fs::write(&copy, fs::read(file).unwrap()).unwrap();
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    }
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run_alone(name: &str, mounts: &str, place: &Path, user: Option<u32>) {
    let output = alone(name, mounts, place, user).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{complaint}");
    let own = |line: &&str| !line.is_empty() && !line.starts_with("running ");
    said.lines().filter(own).for_each(|line| println!("{line}"));
}

/// This program once more, with one test alone, from a directory where everyone can start it.
fn alone(name: &str, mounts: &str, place: &Path, user: Option<u32>) -> Command {
    let copy = place.join("test");
    let work = place.join("work");
    // Not by this process: what it has open for writing while it starts others stays busy.
    let copied = Command::new("cp").arg(env::current_exe().unwrap()).arg(&copy).status();
    assert!(copied.unwrap().success());
    fs::create_dir(&work).unwrap();
    for path in [place, &copy, &work] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = match mounts {
        "" => Command::new(copy),
        mounts => after(mounts, &copy, user),
    };
    // Programs that a test brings come first.
    let path = format!("{}/stubs:/usr/local/bin:/usr/bin:/bin", work.display());
    command.args(["--exact", name, "--nocapture"]).env("PATH", path);
    command.env(ALONE, &work).env("WORK", &work).current_dir("/");
    if let Some(user) = user {
        chown(&work, Some(user), Some(user)).unwrap();
        if mounts.is_empty() {
            command.uid(user).gid(user);
        }
    }
    command
}

/// A program in a namespace in which these lines have mounted something, as this user.
fn after(mounts: &str, program: &Path, user: Option<u32>) -> Command {
    let mut command = Command::new("unshare");
    let own = if is_root() { "-m" } else { "-Urm" };
    let becomes = user.map(|user| format!("setpriv --reuid {user} --regid {user} --clear-groups"));
    let becomes = becomes.unwrap_or_default();
    let owns = user.map(|user| format!("chown -hR {user}:{user} \"$WORK\";")).unwrap_or_default();
    let lines = format!("{mounts}\n{owns} exec {becomes} \"$0\" \"$@\"");
    command.args([own, "--propagation", "private", "sh", "-ec", &lines]).arg(program);
    command
}
