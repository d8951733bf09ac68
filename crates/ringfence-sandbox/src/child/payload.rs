//! The payload: confines itself, then becomes the command.

use std::ptr;
use std::sync::atomic::Ordering;

use super::init::{Request, Told, block_signals, hears, start_broker};
use super::{Blueprint, Frame, Object, Stage, Start, landlock};
use crate::relay::Hold;
use crate::sys::{self, Errno, at, int, syscall};

/// Capabilities that any kernel may know.
const CAPABILITIES: usize = 64;
const FILTER_LISTENER: usize = 1 << 3;
const FILTER_WAIT_KILLABLE: usize = 1 << 5;
const SET_MODE_FILTER: usize = 1;

/// The payload's blueprint and the rules on files that it takes on.
struct Given<'a> {
    blueprint: &'a Blueprint,
    ruleset: i32,
}

/// Makes the payload, and comes back once it has become the command.
pub(super) fn start(blueprint: &Blueprint, ruleset: i32) -> sys::Result<i32> {
    let given = Given { blueprint, ruleset };
    let [_, stack, ..] = &blueprint.frame.stacks;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let argument = ptr::from_ref(&given).cast_mut().cast();
    // SAFETY: the stack is memory of its own, and `given` stays until the payload has left it:
    // with CLONE_VFORK this process waits for that. On failure `errno` is written, which the
    // thread that made the init does not read again.
    match unsafe { libc::clone(main, stack.top(), flags, argument) } {
        -1 => Err(Errno(libc::EAGAIN)),
        pid => match blueprint.frame.report.error() {
            Some((errno, _)) => Err(errno),
            None => Ok(pid),
        },
    }
}

extern "C" fn main(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start` hands this over and waits.
    let given = unsafe { &*argument.cast_const().cast::<Given<'_>>() };
    match become_command(given) {
        Ok(never) => never,
        Err(errno) => given.blueprint.frame.report.fail(errno),
    }
}

fn become_command(given: &Given<'_>) -> sys::Result<libc::c_int> {
    let Given { blueprint, ruleset } = given;
    let report = &blueprint.frame.report;
    // SAFETY: takes numbers alone. A group of its own.
    unsafe { syscall(libc::SYS_setpgid, [0; 6]) }?;
    report.enter(Stage::Limits);
    limit(&blueprint.setup.confine.limits)?;
    report.enter(Stage::Directory);
    change_directory(&blueprint.setup.cwd)?;
    report.enter(Stage::Capabilities);
    drop_capabilities()?;
    sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
    report.enter(Stage::Landlock);
    landlock::restrict(*ruleset)?;
    let broker = start_broker(blueprint)?;
    // The broker stays in the outer domain, out of reach.
    landlock::restrict(landlock::apart()?)?;
    close_all_later()?;
    reset_signals()?;
    report.enter(Stage::Filter);
    filter(blueprint, broker)?;
    let start = wait_for_start(&blueprint.frame);
    ask_about_missing(blueprint)?;
    report.enter(Stage::Payload);
    if let Hold::InFront(_) = blueprint.frame.hold {
        // SAFETY: takes nothing.
        let own = unsafe { syscall(libc::SYS_getpid, [0; 6]) }? as i32;
        give_terminal(blueprint.frame.hold, own)?;
    }
    report.enter(Stage::Exec);
    block_signals(start.mask)?;
    let args =
        [at(start.program.as_ptr()), at(start.argv.as_ptr()), at(start.envp.as_ptr()), 0, 0, 0];
    // SAFETY: program, arguments and variables are C strings and lists of them that end with null.
    unsafe { syscall(libc::SYS_execve, args) }.map(|_| 0)
}

/// Waits until there is a plan that wants what was made, and a command. Ends where there is none.
fn wait_for_start(frame: &Frame) -> &Start {
    let wanted = hears(frame, Request::Start);
    match frame.start().filter(|_| wanted) {
        Some(start) => start,
        None => sys::exit(0),
    }
}

/// Asks the supervisor whether to go on where something that is to be hidden was not at its path.
/// Only the supervisor can tell whether it was removed, or moved for a moment and is back by now.
fn ask_about_missing(blueprint: &Blueprint) -> sys::Result<()> {
    if !blueprint.setup.hidden.iter().any(|own| own.missing.load(Ordering::Relaxed)) {
        return Ok(());
    }
    sys::send(blueprint.frame.control, &[Told::Missing as u8], &[])?;
    if hears(&blueprint.frame, Request::Start) { Ok(()) } else { sys::exit(0) }
}

/// Puts a process group in the foreground of the tree's own terminal.
pub(super) fn give_terminal(hold: Hold, group: i32) -> sys::Result<()> {
    let Some(terminal) = hold.terminal() else { return Ok(()) };
    let args = [int(terminal), libc::TIOCSPGRP as usize, at(&raw const group), 0, 0, 0];
    // SAFETY: the kernel reads the number, which outlives the call. All signals are blocked, so
    // that asking from the background does not stop us.
    unsafe { syscall(libc::SYS_ioctl, args) }.map(drop)
}

fn limit(limits: &[(usize, u64)]) -> sys::Result<()> {
    for (resource, most) in limits {
        let both = [*most, *most];
        let args = [0, *resource, at(both.as_ptr()), 0, 0, 0];
        // SAFETY: the kernel reads two numbers, which outlive the call.
        unsafe { syscall(libc::SYS_prlimit64, args) }?;
    }
    Ok(())
}

/// Enters the judged working directory.
fn change_directory(cwd: &Object) -> sys::Result<()> {
    let fd = cwd.open()?.fd;
    // SAFETY: takes a number alone.
    let entered = unsafe { syscall(libc::SYS_fchdir, [int(fd), 0, 0, 0, 0, 0]) };
    sys::close(fd);
    entered.map(drop)
}

/// Gives up every capability for good.
fn drop_capabilities() -> sys::Result<()> {
    for capability in 0..CAPABILITIES {
        match sys::prctl(libc::PR_CAPBSET_DROP, capability, 0) {
            // The kernel knows no more of them.
            Err(Errno(libc::EINVAL)) => break,
            done => done?,
        };
    }
    sys::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL as usize, 0)?;
    // Version 3: two sets of effective, permitted and inheritable ones.
    let header = [0x2008_0522_u32, 0];
    let none = [0_u32; 6];
    let args = [at(header.as_ptr()), at(none.as_ptr()), 0, 0, 0, 0];
    // SAFETY: header and sets are as the version says, and outlive the call.
    unsafe { syscall(libc::SYS_capset, args) }.map(drop)
}

/// Whatever is open besides the standard streams is closed when the command begins.
pub(crate) fn close_all_later() -> sys::Result<()> {
    let cloexec = libc::CLOSE_RANGE_CLOEXEC as usize;
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_close_range, [3, u32::MAX as usize, cloexec, 0, 0, 0]) }.map(drop)
}

/// Signals do what they do by default, also those that this process ignored.
pub(crate) fn reset_signals() -> sys::Result<()> {
    let by_default = [0_u64; 4];
    for signal in 1..=64_i32 {
        if signal == libc::SIGKILL || signal == libc::SIGSTOP {
            continue;
        }
        let args = [int(signal), at(by_default.as_ptr()), 0, size_of::<u64>(), 0, 0];
        // SAFETY: the kernel reads an action of all zeros: the default, no flags, no mask.
        unsafe { syscall(libc::SYS_rt_sigaction, args) }?;
    }
    Ok(())
}

/// Puts the filter of calls in force, and hands over the descriptor on which it asks.
fn filter(blueprint: &Blueprint, broker: i32) -> sys::Result<()> {
    let filter = &blueprint.setup.confine.filter;
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    let flags = FILTER_LISTENER | FILTER_WAIT_KILLABLE;
    let args = [SET_MODE_FILTER, flags, at(&raw const program), 0, 0, 0];
    // SAFETY: the program points at the filter, and both outlive the call.
    let listener = unsafe { syscall(libc::SYS_seccomp, args) }? as i32;
    let [a, b, c, d] = broker.to_ne_bytes();
    sys::send(blueprint.frame.control, &[Told::Listener as u8, a, b, c, d], &[listener])?;
    sys::close(listener);
    Ok(())
}
