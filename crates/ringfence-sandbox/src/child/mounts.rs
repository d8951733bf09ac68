//! The view of the file system.

use std::ffi::CStr;

use super::{Blueprint, Cover, Hidden, Stage};
use crate::sys::{self, Errno, at, int, syscall};

const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const NOEXEC: u64 = 8;
/// Covers: an empty file and an empty directory that nobody can open, and one that all can read.
const COVERS: &CStr = c"/proc";
const FILE: &CStr = c"/proc/file";
const DIRECTORY: &CStr = c"/proc/directory";
const BLANK: &CStr = c"/proc/blank";

/// Makes everything read-only but what is to be written, covers what is to be hidden, and mounts
/// what the tree has for itself.
pub(super) fn prepare(blueprint: &Blueprint) -> sys::Result<()> {
    let report = &blueprint.report;
    report.enter(Stage::Mounts);
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    if let Some(writable) = &blueprint.writable {
        sys::mount_attributes(c"/", true, RDONLY | NOSUID, 0)?;
        report.enter(Stage::Writable);
        for (number, bound) in writable.iter().enumerate() {
            report.at(number);
            make_writable(&bound.path)?;
        }
    }
    report.enter(Stage::Mounts);
    for path in &blueprint.private {
        own(path)?;
    }
    own_terminals()?;
    report.enter(Stage::Hiding);
    if !blueprint.hidden.is_empty() || blueprint.net.resolver {
        hide_all(blueprint)?;
    }
    report.enter(Stage::Proc);
    // Settings of the system are not written, whatever is granted. And only those processes are
    // seen that one could look into: the command line of the init is the supervisor's.
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(Some(c"proc"), c"/proc", Some(c"proc"), flags, Some(c"hidepid=ptraceable"))?;
    if let Some(most) = &blueprint.most_processes {
        report.enter(Stage::Limits);
        sys::put(c"/proc/sys/kernel/pid_max", most)?;
    }
    sys::mount_attributes(c"/proc", false, RDONLY, 0)
}

/// Mounts a path on itself, and makes that writable.
fn make_writable(path: &CStr) -> sys::Result<()> {
    match sys::mount(Some(path), path, None, libc::MS_BIND | libc::MS_REC, None) {
        // What is not there cannot be written.
        Err(Errno(libc::ENOENT)) => return Ok(()),
        done => done?,
    }
    match sys::mount_attributes(path, true, 0, RDONLY) {
        // Something below is read-only on this host, and stays so.
        Err(Errno(libc::EPERM)) => sys::mount_attributes(path, false, 0, RDONLY),
        done => done,
    }
}

/// A directory that is empty and the tree's own.
fn own(path: &CStr) -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    match sys::mount(Some(c"tmpfs"), path, Some(c"tmpfs"), flags, Some(c"mode=1777")) {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => Ok(()),
        done => done,
    }
}

/// Terminals that are made inside are not those of the host.
fn own_terminals() -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
    let data = Some(c"newinstance,ptmxmode=0666,mode=620");
    match sys::mount(Some(c"devpts"), c"/dev/pts", Some(c"devpts"), flags, data) {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => Ok(()),
        done => done,
    }
}

/// Covers lie in a small file system that is mounted on `/proc`, before the new one is.
fn hide_all(blueprint: &Blueprint) -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(Some(c"covers"), COVERS, Some(c"tmpfs"), flags, Some(c"size=64k,mode=700"))?;
    sys::close(sys::open_at(libc::AT_FDCWD, FILE, libc::O_CREAT | libc::O_WRONLY, 0)?);
    sys::close(sys::open_at(libc::AT_FDCWD, BLANK, libc::O_CREAT | libc::O_WRONLY, 0o444)?);
    // SAFETY: a C string that outlives the call.
    unsafe {
        syscall(libc::SYS_mkdirat, [int(libc::AT_FDCWD), at(DIRECTORY.as_ptr()), 0, 0, 0, 0])
    }?;
    if blueprint.net.resolver {
        super::loopback::name_resolver()?;
    }
    sys::mount_attributes(COVERS, false, RDONLY, 0)?;
    for (number, hidden) in blueprint.hidden.iter().enumerate() {
        blueprint.report.at(number);
        hide(hidden)?;
    }
    let args = [at(COVERS.as_ptr()), libc::MNT_DETACH as usize, 0, 0, 0, 0];
    // SAFETY: a C string that outlives the call.
    unsafe { syscall(libc::SYS_umount2, args) }.map(drop)
}

fn hide(hidden: &Hidden) -> sys::Result<()> {
    let cover = match hidden.cover {
        Cover::File => FILE,
        Cover::Directory => DIRECTORY,
        Cover::Blank => BLANK,
    };
    match sys::mount(Some(cover), &hidden.path, None, libc::MS_BIND, None) {
        // It went away, so there is nothing to hide.
        Err(Errno(libc::ENOENT)) => Ok(()),
        done => done,
    }
}

/// Covers something that appeared while the tree ran.
pub(super) fn hide_later(path: &[u8], is_directory: bool) -> sys::Result<()> {
    let path = CStr::from_bytes_with_nul(path).map_err(|_| Errno(libc::EINVAL))?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
    match is_directory {
        true => sys::mount(Some(c"cover"), path, Some(c"tmpfs"), flags, Some(c"size=4k,mode=000")),
        // A device that cannot be opened on a mount without devices.
        false => {
            sys::mount(Some(c"/dev/null"), path, None, libc::MS_BIND, None)?;
            sys::mount_attributes(path, false, RDONLY | NOSUID | NODEV | NOEXEC, 0)
        }
    }
}
