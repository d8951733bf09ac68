//! The rules on files, made inside the new view of the file system.

use std::ptr;

use super::{LandlockRule, Report};
use crate::sys::{self, Errno, at, at_mut, int, syscall};

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

/// A ruleset in which only these are granted.
pub(super) fn ruleset(report: &Report, rules: &[LandlockRule]) -> sys::Result<i32> {
    let ruleset = create(&Ruleset { files: ALL, net: 0, scopes: SCOPES })?;
    for (number, rule) in rules.iter().enumerate() {
        report.at(number);
        add(ruleset, rule)?;
    }
    Ok(ruleset)
}

fn add(ruleset: i32, rule: &LandlockRule) -> sys::Result<()> {
    let parent = match sys::open(&rule.path, libc::O_PATH | libc::O_CLOEXEC) {
        Ok(fd) => fd,
        // What is not there needs no rule.
        Err(Errno(libc::ENOENT | libc::ENOTDIR | libc::EACCES)) => return Ok(()),
        Err(errno) => return Err(errno),
    };
    let access = match is_directory(parent) {
        Ok(true) => rule.access,
        Ok(false) => rule.access & OF_FILES,
        Err(errno) => {
            sys::close(parent);
            return Err(errno);
        }
    };
    let beneath = PathBeneath { access, parent };
    let args = [int(ruleset), PATH_BENEATH, at(&raw const beneath), 0, 0, 0];
    let added = match access {
        0 => Ok(0),
        // SAFETY: the kernel reads the structure, which outlives the call.
        _ => unsafe { syscall(ADD_RULE, args) },
    };
    sys::close(parent);
    added.map(drop)
}

fn is_directory(fd: i32) -> sys::Result<bool> {
    // SAFETY: all zeros is a `stat` like any other.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes the structure, which outlives the call.
    unsafe { syscall(libc::SYS_fstat, [int(fd), at_mut(&raw mut stat), 0, 0, 0, 0]) }?;
    Ok(stat.st_mode & libc::S_IFMT == libc::S_IFDIR)
}
