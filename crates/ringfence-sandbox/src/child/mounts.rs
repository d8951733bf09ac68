//! The view of the file system.
//!
//! What is the same for every plan is made before there is one: three small file systems that are
//! mounted nowhere yet. One of them holds the directories that the tree has for itself, and what
//! covers other files.

use std::ffi::CStr;

use super::{Blueprint, Cover, Hidden, Report, Setup, Stage};
use crate::sys::{self, Errno, at, int, syscall};

const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const NOEXEC: u64 = 8;
/// Where the tree's own directories and the covers lie until the new `/proc` lies on them.
const SCRATCH: &CStr = c"/proc";
/// Covers: an empty file and an empty directory that nobody can open, and one that all can read.
const FILE: &CStr = c"/proc/file";
const DIRECTORY: &CStr = c"/proc/directory";
const BLANK: &CStr = c"/proc/blank";
/// Directories that are the tree's own; as many as plans usually have.
const OWN: [&CStr; 3] = [c"/proc/own0", c"/proc/own1", c"/proc/own2"];
/// Whoever makes something may remove it, and nobody else.
const STICKY: usize = 0o1777;

/// What the kernel tells root, and nobody else, of the memory and the timers of the whole machine. It
/// asks for no capability there, only whose process it is.
const OF_MACHINE: [&CStr; 8] = [
    c"/proc/kpagecgroup",
    c"/proc/kpagecount",
    c"/proc/kpageflags",
    c"/proc/pagetypeinfo",
    c"/proc/sched_debug",
    c"/proc/slabinfo",
    c"/proc/timer_list",
    c"/proc/vmallocinfo",
];

/// File systems that are mounted nowhere yet.
pub(super) struct Parts {
    scratch: i32,
    terminals: i32,
    proc: i32,
}

/// Makes what is the same for every plan.
pub(super) fn begin(report: &Report) -> sys::Result<Parts> {
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    let scratch = sys::new_mount(c"tmpfs", &[(c"mode", c"700")], NOSUID | NODEV)?;
    sys::close(sys::open_at(scratch, c"file", libc::O_CREAT | libc::O_WRONLY, 0)?);
    sys::close(sys::open_at(scratch, c"blank", libc::O_CREAT | libc::O_WRONLY, 0o444)?);
    make_directory(scratch, c"directory", 0)?;
    for path in OWN {
        let name = below_scratch(path);
        make_directory(scratch, name, STICKY)?;
        let args = [int(scratch), at(name.as_ptr()), STICKY, 0, 0, 0];
        // SAFETY: a C string that outlives the call.
        unsafe { syscall(libc::SYS_fchmodat, args) }?;
    }
    // Terminals that are made inside are not those of the host.
    let options = [(c"ptmxmode", c"0666"), (c"mode", c"620")];
    let terminals = sys::new_mount(c"devpts", &options, NOSUID | NOEXEC)?;
    report.enter(Stage::Proc);
    // Only those processes are seen that one could look into: the command line of the init is
    // the supervisor's.
    let options = [(c"hidepid", c"ptraceable")];
    let proc = sys::new_mount(c"proc", &options, NOSUID | NODEV | NOEXEC)?;
    Ok(Parts { scratch, terminals, proc })
}

/// The name in the scratch file system.
fn below_scratch(path: &'static CStr) -> &'static CStr {
    let bytes = path.to_bytes_with_nul();
    let name = bytes.get(SCRATCH.to_bytes_with_nul().len()..).unwrap_or_default();
    CStr::from_bytes_with_nul(name).unwrap_or_default()
}

fn make_directory(directory: i32, name: &CStr, mode: usize) -> sys::Result<()> {
    let args = [int(directory), at(name.as_ptr()), mode, 0, 0, 0];
    // SAFETY: a C string that outlives the call.
    unsafe { syscall(libc::SYS_mkdirat, args) }.map(drop)
}

/// Makes everything read-only but what is to be written, covers what is to be hidden, and mounts
/// what the tree has for itself.
pub(super) fn prepare(blueprint: &Blueprint, parts: &Parts) -> sys::Result<()> {
    let report = &blueprint.frame.report;
    report.enter(Stage::Mounts);
    if let Some(writable) = &blueprint.setup.writable {
        sys::mount_attributes(c"/", true, RDONLY | NOSUID, 0)?;
        report.enter(Stage::Writable);
        for (number, bound) in writable.iter().enumerate() {
            report.at(number);
            make_writable(&bound.path)?;
        }
    }
    report.enter(Stage::Mounts);
    sys::put_mount(parts.scratch, SCRATCH)?;
    let mut own = OWN.into_iter();
    for path in &blueprint.setup.private {
        match own.next() {
            Some(source) => lay(source, path)?,
            None => mount_own(path)?,
        }
    }
    match sys::put_mount(parts.terminals, c"/dev/pts") {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => {}
        done => done?,
    }
    report.enter(Stage::Hiding);
    hide_all(blueprint)?;
    report.enter(Stage::Proc);
    sys::put_mount(parts.proc, c"/proc")?;
    cover_machine()?;
    if let Some(most) = &blueprint.setup.most_processes {
        report.enter(Stage::Limits);
        sys::put(c"/proc/sys/kernel/pid_max", most)?;
    }
    // Settings of the system are not written, whatever is granted.
    sys::mount_attributes(c"/proc", false, RDONLY, 0)?;
    [parts.scratch, parts.terminals, parts.proc].into_iter().for_each(sys::close);
    Ok(())
}

/// Covers what only root is told: a run of root's has no more than one of anybody else.
fn cover_machine() -> sys::Result<()> {
    // SAFETY: takes nothing and always succeeds.
    if unsafe { syscall(libc::SYS_geteuid, [0; 6]) }? != 0 {
        return Ok(());
    }
    for path in OF_MACHINE {
        match hide_later(path.to_bytes_with_nul(), false) {
            // This kernel does not tell it.
            Err(Errno(libc::ENOENT)) => {}
            done => done?,
        }
    }
    Ok(())
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

/// Mounts something on a path, where there is something.
fn lay(source: &CStr, path: &CStr) -> sys::Result<()> {
    match sys::mount(Some(source), path, None, libc::MS_BIND, None) {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => Ok(()),
        done => done,
    }
}

/// A directory that is empty and the tree's own, where there are more than usual.
fn mount_own(path: &CStr) -> sys::Result<()> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    match sys::mount(Some(c"tmpfs"), path, Some(c"tmpfs"), flags, Some(c"mode=1777")) {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => Ok(()),
        done => done,
    }
}

/// Covers what is to be hidden. What lies in the scratch file system is not written from here on
/// but through the mounts that were made before.
fn hide_all(blueprint: &Blueprint) -> sys::Result<()> {
    let Setup { hidden, net, .. } = &blueprint.setup;
    if hidden.is_empty() && !net.resolver {
        return Ok(());
    }
    if net.resolver {
        super::loopback::write_resolver()?;
    }
    sys::mount_attributes(SCRATCH, false, RDONLY | NOEXEC, 0)?;
    if net.resolver {
        super::loopback::name_resolver()?;
    }
    for (number, hidden) in hidden.iter().enumerate() {
        blueprint.frame.report.at(number);
        hide(hidden)?;
    }
    Ok(())
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
