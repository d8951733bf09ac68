//! The broker: carries out, in the payload's Landlock domain, what was judged.
//!
//! It gets directories as descriptors and single names, so nothing that the tree does in between
//! can lead it elsewhere. It never decides, and it follows no link. A socket alone is bound by the
//! whole name that it is to say of itself.

use std::ptr;

use super::Blueprint;
use super::alarm::{heed_alarm, in_time};
use super::orders::{Operation, Order, answer};
use crate::sys::{self, Errno, at, int, syscall};

/// A descriptor that was opened, or a number.
#[derive(Debug, Clone, Copy)]
enum Done {
    Nothing,
    Descriptor(i32),
    Number(i32),
}

/// The longest order: two paths, or an attribute with its value.
const LONGEST: usize = 70 << 10;
/// How everything is opened: whoever waits, it is not the broker.
const ALWAYS: i32 = libc::O_CLOEXEC | libc::O_NOCTTY | libc::O_NONBLOCK;
/// An address of a socket.
const ADDRESS: usize = 108;

/// Makes the broker; its number.
pub(super) fn start(blueprint: &Blueprint) -> sys::Result<i32> {
    let [_, _, stack, _] = &blueprint.frame.stacks;
    // The init is its parent: it is no child that the command could wait for.
    let flags = libc::CLONE_VM | libc::CLONE_PARENT;
    let argument = ptr::from_ref(blueprint).cast_mut().cast();
    // SAFETY: the stack is memory of its own, and the blueprint outlives the process.
    match unsafe { libc::clone(main, stack.top(), flags, argument) } {
        -1 => Err(Errno(libc::EAGAIN)),
        pid => Ok(pid),
    }
}

extern "C" fn main(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `start` hands over a blueprint, which nobody changes but through atomics.
    let blueprint = unsafe { &*argument.cast_const().cast::<Blueprint>() };
    let orders = blueprint.frame.orders;
    // What is sent to the command's group is not for the broker.
    // SAFETY: takes numbers alone.
    let _ = unsafe { syscall(libc::SYS_setpgid, [0; 6]) };
    if heed_alarm().is_err() {
        sys::exit(0);
    }
    let mut bytes = [0_u8; LONGEST];
    loop {
        let Ok((length, fds)) = sys::receive(orders, &mut bytes) else { sys::exit(0) };
        let Some(received) = bytes.get(..length).filter(|received| !received.is_empty()) else {
            sys::exit(0)
        };
        let done = obey(received, fds);
        fds.into_iter().flatten().for_each(sys::close);
        let sent = match done {
            Ok(Done::Nothing) => sys::send(orders, &answer(0, 0), &[]),
            Ok(Done::Number(number)) => sys::send(orders, &answer(0, number), &[]),
            Ok(Done::Descriptor(fd)) => {
                let sent = sys::send(orders, &answer(0, 0), &[fd]);
                sys::close(fd);
                sent
            }
            Err(errno) => sys::send(orders, &answer(errno.0, 0), &[]),
        };
        if sent.is_err() {
            sys::exit(0);
        }
    }
}

/// The parts of an order.
struct Taken<'a> {
    head: Order,
    first: &'a [u8],
    second: &'a [u8],
    fds: [Option<i32>; sys::FDS],
}

impl Taken<'_> {
    fn fd(&self, number: usize) -> sys::Result<usize> {
        self.fds.get(number).copied().flatten().map(int).ok_or(Errno(libc::EBADF))
    }

    fn first(&self) -> usize {
        at(self.first.as_ptr())
    }

    fn second(&self) -> usize {
        at(self.second.as_ptr())
    }
}

fn obey(bytes: &[u8], fds: [Option<i32>; sys::FDS]) -> sys::Result<Done> {
    let bad = Errno(libc::EINVAL);
    let (head, texts) = bytes.split_at_checked(Order::SIZE).ok_or(bad)?;
    // SAFETY: the head is as long as an order, which is plain numbers of any value.
    let head: Order = unsafe { ptr::read_unaligned(head.as_ptr().cast()) };
    let [first, second] = head.lengths;
    let (first, texts) = texts.split_at_checked(first as usize).ok_or(bad)?;
    let (second, _) = texts.split_at_checked(second as usize).ok_or(bad)?;
    // The kernel reads them to their ends.
    if first.last() != Some(&0) || second.last() != Some(&0) {
        return Err(bad);
    }
    let taken = Taken { head, first, second, fds };
    // SAFETY: takes a number alone.
    unsafe { syscall(libc::SYS_umask, [head.umask as usize, 0, 0, 0, 0, 0]) }?;
    let operation = |own: Operation| own as u32 == head.operation;
    if operation(Operation::Open) {
        return open(&taken).map(Done::Descriptor);
    }
    if operation(Operation::Connect) || operation(Operation::Bind) {
        return in_time(|| by_name(&taken)).map(|()| Done::Nothing);
    }
    if operation(Operation::ConnectTo) || operation(Operation::BindTo) {
        return in_time(|| to_address(&taken)).map(|()| Done::Nothing);
    }
    if operation(Operation::Reopen) {
        return reopen(&taken, 0, head.flags).map(Done::Descriptor);
    }
    if operation(Operation::Cut) {
        return cut(&taken).map(|()| Done::Nothing);
    }
    if operation(Operation::LinkOpen) {
        return link_open(&taken).map(|()| Done::Nothing);
    }
    if operation(Operation::Watch) {
        return watch(&taken).map(Done::Number);
    }
    if operation(Operation::SetAttribute) || operation(Operation::RemoveAttribute) {
        return attribute(&taken).map(|()| Done::Nothing);
    }
    let (number, args) = call(&taken)?;
    // SAFETY: the texts end with NUL and outlive the call, and the numbers are in `head`.
    unsafe { syscall(number, args) }.map(|_| Done::Nothing)
}

fn open(taken: &Taken<'_>) -> sys::Result<i32> {
    let flags = taken.head.flags | libc::O_NOFOLLOW | ALWAYS;
    let args = [taken.fd(0)?, taken.first(), int(flags), taken.head.mode as usize, 0, 0];
    // SAFETY: the name ends with NUL and outlives the call.
    unsafe { syscall(libc::SYS_openat, args) }.map(|fd| fd as i32)
}

/// The call that an order means.
fn call(taken: &Taken<'_>) -> sys::Result<(libc::c_long, [usize; 6])> {
    const EMPTY: usize = libc::AT_EMPTY_PATH as usize;
    let Taken { head, .. } = taken;
    let [one, two, ..] = head.numbers.map(|number| number as usize);
    let mode = head.mode as usize;
    let flags = int(head.flags);
    let is = |own: Operation| own as u32 == head.operation;
    let none = at(c"".as_ptr());
    let here = taken.fd(0)?;
    let (first, second) = (taken.first(), taken.second());
    Ok(match () {
        () if is(Operation::MakeDirectory) => (libc::SYS_mkdirat, [here, first, mode, 0, 0, 0]),
        () if is(Operation::MakeNode) => (libc::SYS_mknodat, [here, first, mode, one, 0, 0]),
        () if is(Operation::Symlink) => (libc::SYS_symlinkat, [second, here, first, 0, 0, 0]),
        () if is(Operation::Link) => (libc::SYS_linkat, [here, first, taken.fd(1)?, second, 0, 0]),
        () if is(Operation::Rename) => {
            (libc::SYS_renameat2, [here, first, taken.fd(1)?, second, flags, 0])
        }
        () if is(Operation::Remove) => (libc::SYS_unlinkat, [here, first, flags, 0, 0, 0]),
        () if is(Operation::Mode) => (libc::SYS_fchmodat2, [here, none, mode, EMPTY, 0, 0]),
        () if is(Operation::Owner) => (libc::SYS_fchownat, [here, none, one, two, EMPTY, 0]),
        () if is(Operation::Times) => {
            let times = if flags == 0 { at(head.numbers.as_ptr()) } else { 0 };
            (libc::SYS_utimensat, [here, none, times, EMPTY, 0, 0])
        }
        () => return Err(Errno(libc::ENOSYS)),
    })
}

/// Connects a socket to another, or binds it to a name in a directory; either is given as a
/// descriptor.
fn by_name(taken: &Taken<'_>) -> sys::Result<()> {
    let is_bind = taken.head.operation == Operation::Bind as u32;
    if is_bind && taken.second.len() > 1 {
        return by_own_name(taken);
    }
    let mut address = [0_u8; ADDRESS];
    let mut end = through_proc(taken.fds.get(1).copied().flatten(), &mut address)?;
    if !is_bind {
        return at_address(taken, libc::SYS_connect, &address, end);
    }
    for byte in b"/".iter().chain(taken.first) {
        if let Some(slot) = address.get_mut(end) {
            *slot = *byte;
        }
        end = end.wrapping_add(1);
    }
    if end > ADDRESS {
        return Err(Errno(libc::ENAMETOOLONG));
    }
    at_address(taken, libc::SYS_bind, &address, end)
}

/// Binds a socket by the name that its owner gave it: the kernel says that name to whoever asks.
fn by_own_name(taken: &Taken<'_>) -> sys::Result<()> {
    // Without the NUL, which the kernel adds where there is room.
    let length = taken.second.len().wrapping_sub(1);
    let mut address = [0_u8; ADDRESS];
    if length > ADDRESS {
        return Err(Errno(libc::ENAMETOOLONG));
    }
    for (slot, byte) in address.iter_mut().zip(taken.second.iter().take(length)) {
        *slot = *byte;
    }
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_fchdir, [taken.fd(2)?, 0, 0, 0, 0, 0]) }?;
    let bound = at_address(taken, libc::SYS_bind, &address, length);
    // SAFETY: the name ends with NUL.
    let _ = unsafe { syscall(libc::SYS_chdir, [at(c"/".as_ptr()), 0, 0, 0, 0, 0]) };
    bound?;
    // It lies where it was judged, or somebody outside moves directories about.
    let mut stat = std::mem::MaybeUninit::<libc::stat>::uninit();
    let itself = int(libc::AT_SYMLINK_NOFOLLOW);
    let args = [taken.fd(1)?, taken.first(), at(stat.as_mut_ptr()), itself, 0, 0];
    // SAFETY: the name ends with NUL, and the kernel fills the structure.
    match unsafe { syscall(libc::SYS_newfstatat, args) } {
        Ok(_) => Ok(()),
        Err(_) => Err(Errno(libc::EACCES)),
    }
}

/// Sets or removes an extended attribute; a descriptor that is only a place has to be named.
fn attribute(taken: &Taken<'_>) -> sys::Result<()> {
    let mut text = [0_u8; ADDRESS];
    through_proc(taken.fds.first().copied().flatten(), &mut text)?;
    let path = at(text.as_ptr());
    // The value is the second text without its NUL.
    let length = taken.second.len().wrapping_sub(1);
    let flags = int(taken.head.flags);
    let (number, args) = match taken.head.operation == Operation::SetAttribute as u32 {
        true => (libc::SYS_setxattr, [path, taken.first(), taken.second(), length, flags, 0]),
        false => (libc::SYS_removexattr, [path, taken.first(), 0, 0, 0, 0]),
    };
    // SAFETY: path and name end with NUL, the value is as long as is said.
    unsafe { syscall(number, args) }.map(drop)
}

fn to_address(taken: &Taken<'_>) -> sys::Result<()> {
    let length = taken.first.len().wrapping_sub(1);
    let args = [taken.fd(0)?, taken.first(), length, 0, 0, 0];
    let is_bind = taken.head.operation == Operation::BindTo as u32;
    let call = if is_bind { libc::SYS_bind } else { libc::SYS_connect };
    // SAFETY: the kernel reads the address, whose length is said.
    unsafe { syscall(call, args) }.map(drop)
}

fn reopen(taken: &Taken<'_>, which: usize, flags: i32) -> sys::Result<i32> {
    let mut text = [0_u8; ADDRESS];
    through_proc(taken.fds.get(which).copied().flatten(), &mut text)?;
    let args = [int(libc::AT_FDCWD), at(text.as_ptr()), int(flags | ALWAYS), 0, 0, 0];
    // SAFETY: the text is longer than what was written to it, and was all zeros.
    unsafe { syscall(libc::SYS_openat, args) }.map(|fd| fd as i32)
}

/// Gives a name to a file that is open.
fn link_open(taken: &Taken<'_>) -> sys::Result<()> {
    let mut text = [0_u8; ADDRESS];
    through_proc(taken.fds.first().copied().flatten(), &mut text)?;
    let (here, path) = (int(libc::AT_FDCWD), at(text.as_ptr()));
    let follow = int(libc::AT_SYMLINK_FOLLOW);
    let args = [here, path, taken.fd(1)?, taken.second(), follow, 0];
    // SAFETY: both texts end with NUL and outlive the call.
    unsafe { syscall(libc::SYS_linkat, args) }.map(drop)
}

fn cut(taken: &Taken<'_>) -> sys::Result<()> {
    let file = reopen(taken, 0, libc::O_WRONLY)?;
    let [length, ..] = taken.head.numbers.map(|number| number as usize);
    // SAFETY: takes numbers alone.
    let done = unsafe { syscall(libc::SYS_ftruncate, [int(file), length, 0, 0, 0, 0]) };
    sys::close(file);
    done.map(drop)
}

/// Watches what could be opened: the kernel alone would let everything be watched.
fn watch(taken: &Taken<'_>) -> sys::Result<i32> {
    match reopen(taken, 1, libc::O_RDONLY) {
        Ok(fd) => sys::close(fd),
        // A socket, which is not refused before it is found that it cannot be opened.
        Err(Errno(libc::ENXIO)) => {}
        Err(errno) => return Err(errno),
    }
    let mut text = [0_u8; ADDRESS];
    through_proc(taken.fds.get(1).copied().flatten(), &mut text)?;
    let mask = taken.head.mode & !libc::IN_DONT_FOLLOW;
    let args = [taken.fd(0)?, at(text.as_ptr()), mask as usize, 0, 0, 0];
    // SAFETY: the text is longer than what was written to it, and was all zeros.
    unsafe { syscall(libc::SYS_inotify_add_watch, args) }.map(|watch| watch as i32)
}

/// Writes the path that means a descriptor; how long it is.
fn through_proc(fd: Option<i32>, text: &mut [u8; ADDRESS]) -> sys::Result<usize> {
    let fd = fd.ok_or(Errno(libc::EBADF))?;
    let mut digits = [0_u8; 12];
    let number = decimal(fd as u32, &mut digits);
    let mut length: usize = 0;
    for byte in b"/proc/self/fd/".iter().chain(number) {
        if let Some(slot) = text.get_mut(length) {
            *slot = *byte;
        }
        length = length.wrapping_add(1);
    }
    Ok(length)
}

#[repr(C)]
struct UnixAddress {
    family: u16,
    path: [u8; ADDRESS],
}

fn at_address(
    taken: &Taken<'_>,
    call: libc::c_long,
    path: &[u8; ADDRESS],
    length: usize,
) -> sys::Result<()> {
    let address = UnixAddress { family: libc::AF_UNIX as u16, path: *path };
    let length = length.wrapping_add(size_of::<u16>());
    let args = [taken.fd(0)?, at(&raw const address), length, 0, 0, 0];
    // SAFETY: the kernel reads the address, whose length is said.
    unsafe { syscall(call, args) }.map(drop)
}

/// A number in digits.
fn decimal(number: u32, digits: &mut [u8; 12]) -> &[u8] {
    let mut rest = number;
    let mut start = digits.len();
    loop {
        start = start.wrapping_sub(1);
        if let Some(slot) = digits.get_mut(start) {
            *slot = b'0'.wrapping_add((rest % 10) as u8);
        }
        rest /= 10;
        if rest == 0 {
            return digits.get(start..).unwrap_or_default();
        }
    }
}
