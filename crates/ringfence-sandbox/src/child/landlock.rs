//! The rules on files, made inside the new view of the file system.

use std::ptr;
use std::sync::atomic::Ordering;

use super::mounts::Laid;
use super::object::Opened;
use super::{Confine, LandlockRule, Report, Setup};
use crate::sys::{self, Errno, at, int, syscall};

const CREATE_RULESET: libc::c_long = 444;
const ADD_RULE: libc::c_long = 445;
const RESTRICT_SELF: libc::c_long = 446;
const PATH_BENEATH: usize = 1;
/// What can be said of a single file; the rest concerns directories.
const OF_FILES: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;

/// Every right on files that version 5 knows.
pub(crate) const ALL: u64 = (1 << 16) - 1;
/// Abstract sockets and signals do not leave the domain.
const SCOPES: u64 = 0b11;

#[repr(C)]
struct Ruleset {
    files: u64,
    net: u64,
    scopes: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    access: u64,
    parent: i32,
}

/// A ruleset that grants all of files. Whoever takes it on besides the other can neither look into
/// a process that has not, nor signal it: the broker, whose memory is the supervisor's.
pub(super) fn apart() -> sys::Result<i32> {
    create(&Ruleset { files: 0, net: 0, scopes: SCOPES })
}

fn create(handled: &Ruleset) -> sys::Result<i32> {
    let args = [at(ptr::from_ref(handled)), size_of::<Ruleset>(), 0, 0, 0, 0];
    // SAFETY: the kernel reads the structure, whose size is said.
    unsafe { syscall(CREATE_RULESET, args) }.map(|fd| fd as i32)
}

/// Takes a ruleset on, for good.
pub(super) fn restrict(ruleset: i32) -> sys::Result<()> {
    // SAFETY: takes numbers alone.
    unsafe { syscall(RESTRICT_SELF, [int(ruleset), 0, 0, 0, 0, 0]) }.map(drop)
}

/// Returns a ruleset that grants what the setup grants: the judged objects, and what the init itself
/// has mounted.
pub(super) fn ruleset(report: &Report, setup: &Setup, laid: &Laid) -> sys::Result<i32> {
    let ruleset = create(&Ruleset { files: ALL, net: 0, scopes: SCOPES })?;
    let Confine { landlock, private, blank, .. } = &setup.confine;
    for (number, rule) in landlock.iter().enumerate() {
        report.at(number);
        add_judged(ruleset, rule)?;
    }
    for own in &setup.private {
        let mount = own.mount.load(Ordering::Relaxed);
        if mount >= 0 {
            add(ruleset, Opened { fd: mount, is_directory: true }, *private)?;
            sys::close(mount);
        }
    }
    if laid.blank >= 0 {
        add(ruleset, Opened { fd: laid.blank, is_directory: false }, *blank)?;
        sys::close(laid.blank);
    }
    Ok(ruleset)
}

fn add_judged(ruleset: i32, rule: &LandlockRule) -> sys::Result<()> {
    let opened = match rule.object.open() {
        // What is not there needs no rule.
        Err(Errno(libc::ENOENT | libc::ENOTDIR | libc::EACCES)) => return Ok(()),
        opened => opened?,
    };
    let added = add(ruleset, opened, rule.access);
    sys::close(opened.fd);
    added
}

/// Adds a rule on an open file or directory.
fn add(ruleset: i32, Opened { fd, is_directory }: Opened, access: u64) -> sys::Result<()> {
    let access = if is_directory { access } else { access & OF_FILES };
    if access == 0 {
        return Ok(());
    }
    let beneath = PathBeneath { access, parent: fd };
    let args = [int(ruleset), PATH_BENEATH, at(&raw const beneath), 0, 0, 0];
    // SAFETY: the kernel reads the structure, which outlives the call.
    unsafe { syscall(ADD_RULE, args) }.map(drop)
}
