//! The init: the first process of the new namespaces.

use std::io;
use std::ptr;
use std::sync::atomic::Ordering;

use super::{Blueprint, Frame, Stack, Stage, broker, landlock, loopback, mounts, payload};
use crate::sys::processors::SELF;
use crate::sys::{self, Errno, at, at_mut, int, syscall};

/// What the supervisor asks of the init.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Request {
    /// Send a signal to the command's group.
    Signal = 1,
    /// Connect to a port inside.
    Dial = 2,
    /// Listen at an address inside.
    Listen = 3,
    /// Begin: it is known what to make of the namespaces.
    Begin = 4,
    /// Become the command: what was made is what the plan wants.
    Start = 5,
    /// Put the command's group in the foreground of its terminal.
    Foreground = 6,
}

/// What the init tells the supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Told {
    /// The command stopped, by a signal.
    Stopped = 1,
    /// An answer to a request.
    Answer = 2,
    /// The sockets of the network.
    Sockets = 3,
    /// The descriptor on which the filter asks, and the number of the broker.
    Listener = 4,
    /// The command ended, and nobody else is left.
    Ended = 5,
    /// Something that is to be hidden was not at its path: is the command to start?
    Missing = 6,
}

/// No request is longer.
const LONGEST: usize = 64;

/// The namespaces of a tree.
const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET;

/// Makes a process that makes the init. Namespaces take as long as much else that has to be done
/// before a command begins, and whoever makes them waits.
pub(super) fn begin(frame: &Frame) -> io::Result<i32> {
    // No signal is sent at its end: whoever waits for any child would take it from us.
    let [.., stack] = &frame.stacks;
    let maker = clone(frame, make, stack, libc::CLONE_VM)?;
    if let Some(place) = &frame.place {
        place.keep_off(maker);
    }
    Ok(maker)
}

/// Waits for the process that made the init; the number of the init.
pub(super) fn begun(frame: &Frame, maker: i32) -> io::Result<i32> {
    let mut status = 0;
    // SAFETY: the kernel writes the status.
    while unsafe { libc::waitpid(maker, &raw mut status, libc::__WALL) } == -1 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    match frame.init.load(Ordering::Acquire) {
        pid if pid > 0 => Ok(pid),
        // Once more from here, where the reason can be told.
        _ => {
            let [stack, ..] = &frame.stacks;
            clone(frame, main, stack, libc::CLONE_VM | NAMESPACES)
        }
    }
}

type Main = extern "C" fn(*mut libc::c_void) -> libc::c_int;

fn clone(frame: &Frame, main: Main, stack: &Stack, flags: i32) -> io::Result<i32> {
    let argument = ptr::from_ref(frame).cast_mut().cast();
    // SAFETY: the stack is memory of its own, and the frame outlives the process: whoever
    // started it keeps it until the process has been waited for.
    let pid = without_signals(|| unsafe { libc::clone(main, stack.top(), flags, argument) });
    match pid? {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(pid),
    }
}

/// Makes the init, as a child of the supervisor's.
extern "C" fn make(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `begin` hands over a frame, which nobody changes but through atomics.
    let frame = unsafe { &*argument.cast_const().cast::<Frame>() };
    if let Some(place) = &frame.place {
        // The supervisor says so too, but may have been put aside for this process.
        place.keep_off(SELF);
    }
    let [stack, ..] = &frame.stacks;
    let flags = libc::CLONE_VM | libc::CLONE_PARENT | NAMESPACES;
    // SAFETY: the stack is memory of its own, and the frame outlives the process. On failure
    // `errno` is written, which a thread of the supervisor may be about to read: it may then
    // take one error for another, in a run that cannot begin.
    let pid = unsafe { libc::clone(main, stack.top(), flags, argument) };
    frame.init.store(pid, Ordering::Release);
    sys::exit(0)
}

/// Does something while no signal arrives: a handler of this program must not run in the init.
fn without_signals<T>(body: impl FnOnce() -> T) -> io::Result<T> {
    let (all, mut before) = (!0_u64, 0_u64);
    let (all, then) = (at(&raw const all), &raw mut before);
    let args = [libc::SIG_SETMASK as usize, all, at_mut(then), size_of::<u64>(), 0, 0];
    // SAFETY: the kernel reads one mask and writes the other, and their size is said.
    unsafe { syscall(libc::SYS_rt_sigprocmask, args) }?;
    let done = body();
    block_signals(before)?;
    Ok(done)
}

extern "C" fn main(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: a frame was handed over, which nobody changes but through atomics.
    let frame = unsafe { &*argument.cast_const().cast::<Frame>() };
    let (blueprint, payload) = match prepare(frame) {
        Ok(made) => made,
        Err(errno) => frame.report.fail(errno),
    };
    serve(blueprint, payload)
}

/// Makes the namespaces what they should be, then the payload.
fn prepare(frame: &Frame) -> sys::Result<(&Blueprint, i32)> {
    let report = &frame.report;
    if let Some(place) = &frame.place {
        place.let_go();
    }
    block_signals(!0)?;
    close_others(&frame.keep)?;
    take_streams(&frame.streams)?;
    begin_session(frame.hold.terminal())?;
    // The lifeline is what counts; this is quicker.
    sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize, 0)?;
    report.enter(Stage::Users);
    sys::put(c"/proc/self/uid_map", &frame.uid_map)?;
    sys::put(c"/proc/self/setgroups", b"deny")?;
    sys::put(c"/proc/self/gid_map", &frame.gid_map)?;
    report.enter(Stage::Network);
    loopback::begin()?;
    report.enter(Stage::Mounts);
    let parts = mounts::begin(report)?;
    let blueprint = wait_for_blueprint(frame);
    report.enter(Stage::Network);
    loopback::prepare(blueprint)?;
    let laid = mounts::prepare(blueprint, &parts)?;
    report.enter(Stage::Landlock);
    let ruleset = landlock::ruleset(report, &blueprint.setup, &laid)?;
    report.enter(Stage::Payload);
    let payload = payload::start(blueprint, ruleset)?;
    sys::close(ruleset);
    // The broker's alone from here on: when it ends, the supervisor is to notice.
    sys::close(frame.orders);
    Ok((blueprint, payload))
}

/// Waits until it is known what to make. Ends where nobody will say.
fn wait_for_blueprint(frame: &Frame) -> &Blueprint {
    let wanted = hears(frame, Request::Begin);
    match frame.blueprint().filter(|_| wanted) {
        Some(blueprint) => blueprint,
        None => sys::exit(0),
    }
}

/// Whether the next that the supervisor says is this.
pub(super) fn hears(frame: &Frame, request: Request) -> bool {
    let mut bytes = [0_u8; 1];
    let said = sys::receive(frame.control, &mut bytes);
    matches!(said, Ok((1, _))) && bytes == [request as u8]
}

/// Closes what the supervisor has open, the ends of its own lines among them.
fn close_others(keep: &[i32]) -> sys::Result<()> {
    let mut from: u32 = 0;
    for fd in keep {
        let fd = *fd as u32;
        if fd > from {
            close_range(from, fd.wrapping_sub(1))?;
        }
        from = fd.wrapping_add(1);
    }
    close_range(from, u32::MAX)
}

/// Puts what was given in the place of the standard streams.
fn take_streams(streams: &[Option<i32>; 3]) -> sys::Result<()> {
    for (number, given) in streams.iter().enumerate() {
        let Some(given) = given else { continue };
        // SAFETY: takes numbers alone; this process has descriptors of its own.
        unsafe { syscall(libc::SYS_dup3, [int(*given), number, 0, 0, 0, 0]) }?;
    }
    Ok(())
}

/// Leaves the session, and with it its terminal. A terminal that is the tree's own becomes its
/// controlling one.
fn begin_session(terminal: Option<i32>) -> sys::Result<()> {
    // SAFETY: takes nothing.
    unsafe { syscall(libc::SYS_setsid, [0; 6]) }?;
    let Some(terminal) = terminal else { return Ok(()) };
    let args = [int(terminal), libc::TIOCSCTTY as usize, 0, 0, 0, 0];
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_ioctl, args) }.map(drop)
}

fn close_range(from: u32, to: u32) -> sys::Result<()> {
    let args = [from as usize, to as usize, 0, 0, 0, 0];
    // SAFETY: this process has descriptors of its own, and nobody uses those that it closes.
    unsafe { syscall(libc::SYS_close_range, args) }.map(drop)
}

/// Reaps, obeys, and ends when the command or the supervisor does.
fn serve(blueprint: &Blueprint, payload: i32) -> ! {
    let children = match children_ended() {
        Ok(fd) => fd,
        Err(errno) => blueprint.frame.report.fail(errno),
    };
    // Whoever else holds the ends keeps the supervisor's end from being noticed.
    loop {
        reap(blueprint, payload);
        let wanted = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let mut fds =
            [wanted(children), wanted(blueprint.frame.lifeline), wanted(blueprint.frame.control)];
        let args = [at_mut(fds.as_mut_ptr()), fds.len(), 0, 0, 0, 0];
        // SAFETY: the kernel writes the three entries, which outlive the call.
        let _ = unsafe { syscall(libc::SYS_ppoll, args) };
        let [children_ready, lifeline_ready, control_ready] = fds;
        if lifeline_ready.revents != 0 {
            sys::exit(0);
        }
        if children_ready.revents != 0 {
            let mut skipped = [0_u8; 128];
            let _ = sys::read(children, &mut skipped);
        }
        if control_ready.revents != 0 && obey(blueprint, payload).is_err() {
            sys::exit(0);
        }
    }
}

/// Blocks these signals and no others.
pub(crate) fn block_signals(mask: u64) -> sys::Result<()> {
    let args = [libc::SIG_SETMASK as usize, at(&raw const mask), 0, size_of::<u64>(), 0, 0];
    // SAFETY: the mask outlives the call, and its size is said.
    unsafe { syscall(libc::SYS_rt_sigprocmask, args) }.map(drop)
}

/// A descriptor that is ready when a child ended.
pub(crate) fn children_ended() -> sys::Result<i32> {
    let mask: u64 = 1 << (libc::SIGCHLD - 1);
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    let args = [int(-1), at(&raw const mask), size_of::<u64>(), flags as usize, 0, 0];
    // SAFETY: the mask outlives the call, and its size is said.
    unsafe { syscall(libc::SYS_signalfd4, args) }.map(|fd| fd as i32)
}

/// Waits for all that ended or stopped.
fn reap(blueprint: &Blueprint, payload: i32) {
    loop {
        let mut status = 0_i32;
        let flags = libc::WNOHANG | libc::WUNTRACED | libc::__WALL;
        let args = [int(-1), at_mut(&raw mut status), flags as usize, 0, 0, 0];
        // SAFETY: the kernel writes the status, which outlives the call.
        match unsafe { syscall(libc::SYS_wait4, args) } {
            Err(_) | Ok(0) => return,
            Ok(pid) if pid as i32 != payload => {}
            Ok(_) if libc::WIFSTOPPED(status) => {
                let signal = libc::WSTOPSIG(status) as u8;
                let _ = sys::send(blueprint.frame.control, &[Told::Stopped as u8, signal], &[]);
            }
            Ok(_) => end(blueprint, status),
        }
    }
}

/// Ends with the command, and with all that it left behind. The kernel would end them too, but it
/// would take the namespaces apart before anybody learns of it.
fn end(blueprint: &Blueprint, status: i32) -> ! {
    blueprint.frame.report.end(status);
    // SAFETY: sending a signal touches no memory. To all but this process.
    let _ = unsafe { syscall(libc::SYS_kill, [int(-1), libc::SIGKILL as usize, 0, 0, 0, 0]) };
    // Whoever has lost its parent is this process's child: without children it is alone.
    let args = [int(-1), 0, libc::__WALL as usize, 0, 0, 0];
    // SAFETY: the kernel writes nothing.
    while unsafe { syscall(libc::SYS_wait4, args) }.is_ok() {}
    let _ = sys::send(blueprint.frame.control, &[Told::Ended as u8], &[]);
    sys::exit(0)
}

/// Does what the supervisor asked for. An error: there is no supervisor any more.
fn obey(blueprint: &Blueprint, payload: i32) -> sys::Result<()> {
    let mut bytes = [0_u8; LONGEST];
    let (length, _) = sys::receive(blueprint.frame.control, &mut bytes)?;
    let Some((&request, rest)) = bytes.get(..length).and_then(<[u8]>::split_first) else {
        return Err(Errno(libc::EPIPE));
    };
    let made = match request {
        own if own == Request::Signal as u8 => {
            signal(payload, rest.first().copied().unwrap_or_default());
            return Ok(());
        }
        own if own == Request::Foreground as u8 => {
            let _ = payload::give_terminal(blueprint.frame.hold, payload);
            return Ok(());
        }
        own if own == Request::Dial as u8 => loopback::dial(rest),
        own if own == Request::Listen as u8 => loopback::listen_at(rest),
        _ => Err(Errno(libc::ENOSYS)),
    };
    answer(blueprint.frame.control, made)
}

fn answer(control: i32, made: sys::Result<i32>) -> sys::Result<()> {
    let errno = made.err().map_or(0, |errno| errno.0);
    let said = errno.to_ne_bytes();
    let [a, b, c, d] = said;
    let bytes = [Told::Answer as u8, a, b, c, d];
    match made {
        Ok(fd) if fd >= 0 => {
            let sent = sys::send(control, &bytes, &[fd]);
            sys::close(fd);
            sent
        }
        _ => sys::send(control, &bytes, &[]),
    }
}

fn signal(payload: i32, signal: u8) {
    let group = payload.wrapping_neg();
    let args = |to: i32| [int(to), usize::from(signal), 0, 0, 0, 0];
    // SAFETY: sending a signal touches no memory.
    if unsafe { syscall(libc::SYS_kill, args(group)) }.is_err() {
        // SAFETY: as above; it has no group of its own yet.
        let _ = unsafe { syscall(libc::SYS_kill, args(payload)) };
    }
}

/// Makes the broker; for the payload, which is in its Landlock domain by then.
pub(super) fn start_broker(blueprint: &Blueprint) -> sys::Result<i32> {
    broker::start(blueprint)
}
