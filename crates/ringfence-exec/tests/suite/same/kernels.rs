//! Files below `/proc`, `/sys`, `/dev`, `/run` and `/tmp`, outside the test tree.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;

use ringfence_core::Ground;
use ringfence_core::path::FilePath;
use ringfence_core::{AccessKind, Effects};
use ringfence_guard::Guard;
use ringfence_sandbox::plan::{Rights, always};

use super::access::{Access, Op};
use super::compare::Class;
use crate::suite::place::absolute;

/// Mounts a `/run` for the test only, in addition to `/dev` and `/tmp`.
pub(super) const RUN: &str = "mount -t tmpfs -o mode=1777 run /run\n";

/// Kernel files and devices.
const MADE_UP: [&str; 12] = [
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/version",
    "/proc/sys/kernel/ostype",
    "/proc/self/status",
    "/proc/self/cmdline",
    "/proc/self/task",
    "/sys/devices/system/cpu/online",
    "/sys/kernel/notes",
    "/dev/urandom",
    "/dev/zero",
    "/dev/null",
];

/// Files and sockets that the test creates in shared directories.
const FILES: [&str; 5] =
    ["/run/same/data", "/run/same/.env", "/tmp/same/data", "/dev/shm/same/data", "/dev/same"];
const SOCKETS: [&str; 3] = ["/run/same/socket", "/tmp/same/socket", "/dev/shm/same/socket"];

/// The private directories of a run.
const PRIVATE: [&str; 2] = ["/tmp", "/dev/shm"];

/// Patterns of rules on these files.
pub(super) const PATHS: [&str; 26] = [
    "/proc/**",
    "/proc/*",
    "/proc/meminfo",
    "/proc/*info",
    "**/meminfo",
    "/proc/sys/**",
    "/proc/self/**",
    "/proc/*/status",
    "/proc/*/task",
    "**/cmdline",
    "/sys/**",
    "/sys/devices/**",
    "/sys/kernel/notes",
    "**/online",
    "/dev/**",
    "/dev/*",
    "/dev/urandom",
    "/dev/*random",
    "/dev/same",
    "/dev/shm/**",
    "/dev/shm/same/*",
    "/run/**",
    "/run/same/*",
    "/run/*/.env",
    "/tmp/**",
    "/tmp/same/data",
];

/// Patterns of rules on these sockets.
pub(super) const SOCKET_PATHS: [&str; 5] =
    ["/run/**", "/run/same/socket", "/tmp/same/*", "/dev/**", "/dev/shm/same/socket"];

/// Creates the files and listens on the sockets.
pub(super) fn make() {
    for path in FILES {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        fs::write(path, path).unwrap();
    }
    for path in SOCKETS {
        let listener = UnixListener::bind(path).unwrap();
        thread::spawn(move || listener.incoming().for_each(drop));
    }
}

/// Returns whether a path is outside the test tree.
pub(super) fn is_outside(path: &Path) -> bool {
    let mut all = MADE_UP.iter().chain(&FILES).chain(&SOCKETS);
    all.any(|own| path == Path::new(own))
}

/// Returns the access with this number.
pub(super) fn access(number: usize) -> Access {
    let files: Vec<&str> = MADE_UP.iter().chain(&FILES).copied().collect();
    let number = number % (files.len() + SOCKETS.len());
    let (op, path) = match files.get(number) {
        Some(path) if path.ends_with("task") => (Op::List, *path),
        Some(path) => (Op::Read, *path),
        None => (Op::Socket, SOCKETS[number - files.len()]),
    };
    Access { op, words: vec![path.to_owned()] }
}

/// Returns the documented differences for an access. For files that every run has, a missing grant
/// does not count.
pub(super) fn reasons(access: &Access, guard: &Guard) -> Vec<Class> {
    let path = PathBuf::from(&access.words[0]);
    let mut classes = Vec::new();
    if PRIVATE.iter().any(|own| path.starts_with(own)) {
        classes.push(Class::Private);
    }
    let is_usual =
        always().any(|(own, rights, _)| rights.has(Rights::READ) && path.starts_with(own));
    let is_free = FilePath::named(absolute(&path)).is_free_device();
    if is_usual && access.op != Op::Socket && (is_free || !is_opposed(&path, guard)) {
        classes.push(Class::Usual);
    }
    classes
}

/// Returns whether a rule objects to reading a file, as opposed to a missing grant. Ceilings only
/// concern grants.
fn is_opposed(path: &Path, guard: &Guard) -> bool {
    use ringfence_core::access::{Extent, FileAccess, FileOp};
    let path = FilePath::named(absolute(path));
    let file = FileAccess { op: FileOp::Read, extent: Extent::One, path };
    let mut effects = Effects::default();
    effects.accesses.push(ringfence_core::Access::new(AccessKind::File(file)));
    let verdict = guard.consider_effects(effects).verdict;
    let is_grant =
        |ground: &Ground| matches!(ground, Ground::NotGranted { .. } | Ground::Ceiling { .. });
    verdict.decisive().any(|ground| !is_grant(ground))
}
