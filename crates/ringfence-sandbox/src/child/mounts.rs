//! The view of the file system.
//!
//! What is the same for every plan is made before there is one: three small file systems that are
//! mounted nowhere yet. One of them holds the directories that the tree has for itself, and what
//! covers other files.

use std::ffi::CStr;
use std::sync::atomic::Ordering;

use super::{Blueprint, Cover, Hidden, Object, Report, Setup, Stage};
use crate::sys::{self, Errno, at, int, syscall};

const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const NOEXEC: u64 = 8;
/// Where the tree's own directories and the covers lie until the new `/proc` lies on them.
const SCRATCH: &CStr = c"/proc";
/// Names in the scratch file system of the covers: an empty file and an empty directory that nobody
/// can open, and an empty file that all can read.
const FILE: &CStr = c"file";
const DIRECTORY: &CStr = c"directory";
const BLANK: &CStr = c"blank";
/// Names there of directories that are the tree's own; as many as plans usually have.
const OWN: [&CStr; 3] = [c"own0", c"own1", c"own2"];
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

/// Descriptors of what the init has mounted, for the Landlock rules.
pub(super) struct Laid {
    /// The empty file that covers others and can be read; -1 where it covers none.
    pub(super) blank: i32,
}

/// Makes what is the same for every plan.
pub(super) fn begin(report: &Report) -> sys::Result<Parts> {
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    let scratch = sys::new_mount(c"tmpfs", &[(c"mode", c"700")], NOSUID | NODEV)?;
    sys::close(sys::open_at(scratch, FILE, libc::O_CREAT | libc::O_WRONLY, 0)?);
    sys::close(sys::open_at(scratch, BLANK, libc::O_CREAT | libc::O_WRONLY, 0o444)?);
    make_directory(scratch, DIRECTORY, 0)?;
    for name in OWN {
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

fn make_directory(directory: i32, name: &CStr, mode: usize) -> sys::Result<()> {
    let args = [int(directory), at(name.as_ptr()), mode, 0, 0, 0];
    // SAFETY: a C string that outlives the call.
    unsafe { syscall(libc::SYS_mkdirat, args) }.map(drop)
}

/// Makes everything read-only but what is to be written, covers what is to be hidden, and mounts
/// what the tree has for itself.
pub(super) fn prepare(blueprint: &Blueprint, parts: &Parts) -> sys::Result<Laid> {
    let report = &blueprint.frame.report;
    report.enter(Stage::Mounts);
    if let Some(writable) = &blueprint.setup.writable {
        sys::mount_attributes(c"/", true, RDONLY | NOSUID, 0)?;
        report.enter(Stage::Writable);
        for (number, object) in writable.iter().enumerate() {
            report.at(number);
            make_writable(object)?;
        }
    }
    report.enter(Stage::Mounts);
    sys::put_mount(parts.scratch, SCRATCH)?;
    report.enter(Stage::Private);
    mount_private(blueprint, parts.scratch)?;
    report.enter(Stage::Mounts);
    match sys::put_mount(parts.terminals, c"/dev/pts") {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => {}
        done => done?,
    }
    report.enter(Stage::Hiding);
    hide_all(blueprint, parts.scratch)?;
    let blank = match blueprint.setup.confine.blank {
        0 => -1,
        _ => sys::open_at(parts.scratch, BLANK, libc::O_PATH | libc::O_CLOEXEC, 0)?,
    };
    report.enter(Stage::Proc);
    sys::put_mount(parts.proc, c"/proc")?;
    cover_machine()?;
    if let Some(most) = &blueprint.setup.most_processes {
        report.enter(Stage::Limits);
        sys::put(c"/proc/sys/kernel/pid_max", most)?;
    }
    report.enter(Stage::Hiding);
    hide_in_proc(blueprint, parts.scratch)?;
    report.enter(Stage::Proc);
    // Settings of the system are not written, whatever is granted.
    sys::mount_attributes(c"/proc", false, RDONLY, 0)?;
    [parts.scratch, parts.terminals, parts.proc].into_iter().for_each(sys::close);
    Ok(Laid { blank })
}

/// Covers what only root is told: a run of root's has no more than one of anybody else.
fn cover_machine() -> sys::Result<()> {
    // SAFETY: takes nothing and always succeeds.
    if unsafe { syscall(libc::SYS_geteuid, [0; 6]) }? != 0 {
        return Ok(());
    }
    for path in OF_MACHINE {
        match sys::open_exact(libc::AT_FDCWD, path, libc::O_PATH) {
            // This kernel does not tell it.
            Err(Errno(libc::ENOENT)) => {}
            opened => attach_and_close(late_cover(false)?, opened?)?,
        }
    }
    Ok(())
}

/// Mounts a file or directory on itself, and makes that mount writable.
fn make_writable(object: &Object) -> sys::Result<()> {
    let target = match object.open() {
        // What is not there cannot be written.
        Err(Errno(libc::ENOENT)) => return Ok(()),
        opened => opened?.fd,
    };
    let mount = sys::clone_mount(target, c"", true)?;
    match sys::set_mount_attributes(mount, true, 0, RDONLY) {
        // Something below is read-only on this host, and stays so.
        Err(Errno(libc::EPERM)) => sys::set_mount_attributes(mount, false, 0, RDONLY)?,
        done => done?,
    }
    attach_and_close(mount, target)
}

/// Attaches a mount to an open file or directory, and closes both descriptors.
fn attach_and_close(mount: i32, target: i32) -> sys::Result<()> {
    let attached = sys::attach_mount(mount, target);
    [mount, target].into_iter().for_each(sys::close);
    attached
}

/// Mounts an empty directory of the run's own on each private directory that exists.
fn mount_private(blueprint: &Blueprint, scratch: i32) -> sys::Result<()> {
    let mut own = OWN.into_iter();
    for (number, private) in blueprint.setup.private.iter().enumerate() {
        blueprint.frame.report.at(number);
        let target = match private.object.open() {
            Err(Errno(libc::ENOENT | libc::ENOTDIR)) => continue,
            opened => opened?.fd,
        };
        let mount = match own.next() {
            Some(name) => sys::clone_mount(scratch, name, false)?,
            None => sys::new_mount(c"tmpfs", &[(c"mode", c"1777")], NOSUID | NODEV)?,
        };
        sys::attach_mount(mount, target)?;
        sys::close(target);
        private.mount.store(mount, Ordering::Relaxed);
    }
    Ok(())
}

/// Covers what is to be hidden. What lies in the scratch file system is not written from here on
/// but through the mounts that were made before.
fn hide_all(blueprint: &Blueprint, scratch: i32) -> sys::Result<()> {
    let Setup { hidden, net, .. } = &blueprint.setup;
    if hidden.is_empty() && !net.resolver {
        return Ok(());
    }
    if net.resolver {
        super::loopback::write_resolver()?;
    }
    sys::set_mount_attributes(scratch, false, RDONLY | NOEXEC, 0)?;
    if net.resolver {
        super::loopback::name_resolver()?;
    }
    for (number, hidden) in hidden.iter().enumerate() {
        blueprint.frame.report.at(number);
        hide(hidden, scratch)?;
    }
    Ok(())
}

/// Covers what is to be hidden in the new `/proc`. What this kernel does not tell is not there.
fn hide_in_proc(blueprint: &Blueprint, scratch: i32) -> sys::Result<()> {
    for object in &blueprint.setup.hidden_in_proc {
        let opened = match object.open() {
            Err(Errno(libc::ENOENT | libc::ENOTDIR | libc::EACCES)) => continue,
            opened => opened?,
        };
        let cover = if opened.is_directory { DIRECTORY } else { FILE };
        attach_and_close(sys::clone_mount(scratch, cover, false)?, opened.fd)?;
    }
    Ok(())
}

/// Covers a judged file or directory. One that is not at its path is left to the supervisor, which
/// knows whether it was removed or moved.
fn hide(hidden: &Hidden, scratch: i32) -> sys::Result<()> {
    let target = match hidden.object.open() {
        Err(Errno(libc::ENOENT | libc::ENOTDIR)) => {
            hidden.missing.store(true, Ordering::Relaxed);
            return Ok(());
        }
        opened => opened?.fd,
    };
    let cover = match hidden.cover {
        Cover::File => FILE,
        Cover::Directory => DIRECTORY,
        Cover::Blank => BLANK,
    };
    attach_and_close(sys::clone_mount(scratch, cover, false)?, target)
}

/// Returns a new cover that is attached nowhere.
fn late_cover(is_directory: bool) -> sys::Result<i32> {
    const CLOSED: u64 = RDONLY | NOSUID | NODEV | NOEXEC;
    if is_directory {
        return sys::new_mount(c"tmpfs", &[(c"size", c"4k"), (c"mode", c"000")], CLOSED);
    }
    // A device that cannot be opened on a mount without devices.
    let mount = sys::clone_mount(libc::AT_FDCWD, c"/dev/null", false)?;
    match sys::set_mount_attributes(mount, false, CLOSED, 0) {
        Ok(()) => Ok(mount),
        Err(errno) => {
            sys::close(mount);
            Err(errno)
        }
    }
}
