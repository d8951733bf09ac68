//! Calls to the kernel that touch nothing but their arguments.
//!
//! What runs between the making of a process and its `execve` shares memory with the supervisor,
//! thread-local storage included. It must not allocate, panic, or write `errno`: it calls the
//! kernel through here and through nothing else.

mod errno;
mod objects;
pub(crate) mod processors;
mod raw;

pub(crate) use errno::Errno;
pub(crate) use objects::{
    Inode, attach_mount, clone_mount, inode_of, open_exact, set_mount_attributes, stat, stat_at,
};
pub(crate) use raw::syscall;

use std::ffi::CStr;

/// The outcome of a call.
pub(crate) type Result<T> = std::result::Result<T, Errno>;

/// The address of something, as the kernel takes it.
pub(crate) fn at<T: ?Sized>(value: *const T) -> usize {
    value.cast::<u8>() as usize
}

/// The address of something that the kernel writes.
pub(crate) fn at_mut<T: ?Sized>(value: *mut T) -> usize {
    value.cast::<u8>() as usize
}

/// A number of a descriptor or a negative constant, as the kernel takes it.
pub(crate) fn int(value: i32) -> usize {
    // Sign-extended, as C does.
    value as isize as usize
}

/// Closed when a program starts; for file systems and their mounts.
const CLOSED: usize = 1;

pub(crate) fn open(path: &CStr, flags: i32) -> Result<i32> {
    open_at(libc::AT_FDCWD, path, flags, 0)
}

pub(crate) fn open_at(directory: i32, path: &CStr, flags: i32, mode: u32) -> Result<i32> {
    let args = [int(directory), at(path.as_ptr()), int(flags), mode as usize, 0, 0];
    // SAFETY: the path is a C string that outlives the call.
    unsafe { syscall(libc::SYS_openat, args) }.map(|fd| fd as i32)
}

pub(crate) fn close(fd: i32) {
    // SAFETY: closing touches no memory; the caller owns the descriptor.
    let _ = unsafe { syscall(libc::SYS_close, [int(fd), 0, 0, 0, 0, 0]) };
}

/// Writes all of it at once; files that take settings do.
pub(crate) fn write(fd: i32, bytes: &[u8]) -> Result<()> {
    let args = [int(fd), at(bytes.as_ptr()), bytes.len(), 0, 0, 0];
    // SAFETY: the bytes outlive the call.
    let written = unsafe { syscall(libc::SYS_write, args) }?;
    if written == bytes.len() { Ok(()) } else { Err(Errno(libc::EIO)) }
}

/// Writes as much of it as there is room for.
pub(crate) fn write_some(fd: i32, bytes: &[u8]) -> Result<usize> {
    let args = [int(fd), at(bytes.as_ptr()), bytes.len(), 0, 0, 0];
    // SAFETY: the bytes outlive the call.
    unsafe { syscall(libc::SYS_write, args) }
}

pub(crate) fn read(fd: i32, bytes: &mut [u8]) -> Result<usize> {
    let args = [int(fd), at_mut(bytes.as_mut_ptr()), bytes.len(), 0, 0, 0];
    // SAFETY: the bytes outlive the call and are ours to write.
    unsafe { syscall(libc::SYS_read, args) }
}

/// Writes a setting to a file.
pub(crate) fn put(path: &CStr, bytes: &[u8]) -> Result<()> {
    let fd = open(path, libc::O_WRONLY | libc::O_CLOEXEC)?;
    let written = write(fd, bytes);
    close(fd);
    written
}

pub(crate) fn prctl(option: i32, first: usize, second: usize) -> Result<usize> {
    // SAFETY: the options that are used here take numbers alone.
    unsafe { syscall(libc::SYS_prctl, [int(option), first, second, 0, 0, 0]) }
}

pub(crate) fn mount(
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: u64,
    data: Option<&CStr>,
) -> Result<()> {
    let text = |text: Option<&CStr>| text.map_or(0, |text| at(text.as_ptr()));
    let args = [text(source), at(target.as_ptr()), text(kind), flags as usize, text(data), 0];
    // SAFETY: the texts are C strings that outlive the call.
    unsafe { syscall(libc::SYS_mount, args) }.map(drop)
}

/// Sets and clears attributes of a mount, and of all below it where wanted.
pub(crate) fn mount_attributes(target: &CStr, all: bool, set: u64, clear: u64) -> Result<()> {
    let attributes = [set, clear, 0, 0];
    let flags = if all { libc::AT_RECURSIVE } else { 0 };
    let args = [
        int(libc::AT_FDCWD),
        at(target.as_ptr()),
        int(flags),
        at(attributes.as_ptr()),
        size_of_val(&attributes),
        0,
    ];
    // SAFETY: path and attributes outlive the call, and the size is theirs.
    unsafe { syscall(libc::SYS_mount_setattr, args) }.map(drop)
}

/// Makes a file system that is mounted nowhere yet.
pub(crate) fn new_mount(kind: &CStr, options: &[(&CStr, &CStr)], attributes: u64) -> Result<i32> {
    // SAFETY: a C string that outlives the call.
    let made = unsafe { syscall(libc::SYS_fsopen, [at(kind.as_ptr()), CLOSED, 0, 0, 0, 0]) }?;
    let mounted = set_up(made, options).and_then(|()| {
        let args = [made, CLOSED, attributes as usize, 0, 0, 0];
        // SAFETY: takes numbers alone.
        unsafe { syscall(libc::SYS_fsmount, args) }
    });
    close(made as i32);
    mounted.map(|fd| fd as i32)
}

fn set_up(made: usize, options: &[(&CStr, &CStr)]) -> Result<()> {
    const SET_STRING: usize = 1;
    const CREATE: usize = 6;
    for (name, value) in options {
        let args = [made, SET_STRING, at(name.as_ptr()), at(value.as_ptr()), 0, 0];
        // SAFETY: C strings that outlive the call.
        unsafe { syscall(libc::SYS_fsconfig, args) }?;
    }
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_fsconfig, [made, CREATE, 0, 0, 0, 0]) }.map(drop)
}

/// Mounts on a path what was mounted nowhere.
pub(crate) fn put_mount(mount: i32, path: &CStr) -> Result<()> {
    /// The source is the descriptor itself; links at the path are followed.
    const FLAGS: usize = 0x4 | 0x10;
    let here = int(libc::AT_FDCWD);
    let args = [int(mount), at(c"".as_ptr()), here, at(path.as_ptr()), FLAGS, 0];
    // SAFETY: C strings that outlive the call.
    unsafe { syscall(libc::SYS_move_mount, args) }.map(drop)
}

/// Ends the process, with all its threads.
pub(crate) fn exit(status: i32) -> ! {
    loop {
        // SAFETY: ending the process touches no memory.
        let _ = unsafe { syscall(libc::SYS_exit_group, [int(status), 0, 0, 0, 0, 0]) };
    }
}

/// Sends bytes, and descriptors beside them.
pub(crate) fn send(socket: i32, bytes: &[u8], fds: &[i32]) -> Result<()> {
    let mut control = Control::default();
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let message = control.message(&mut part, fds);
    let args = [int(socket), at(&raw const message), libc::MSG_NOSIGNAL as usize, 0, 0, 0];
    // SAFETY: the message points at `part` and `control`, which outlive the call.
    unsafe { syscall(libc::SYS_sendmsg, args) }.map(drop)
}

/// Receives bytes and up to four descriptors; how many bytes, and the descriptors.
pub(crate) fn receive(socket: i32, bytes: &mut [u8]) -> Result<(usize, [Option<i32>; FDS])> {
    let mut control = Control::default();
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    let mut message = control.message(&mut part, &[0; FDS]);
    let args = [int(socket), at_mut(&raw mut message), libc::MSG_CMSG_CLOEXEC as usize, 0, 0, 0];
    // SAFETY: the message points at `part` and `control`, which outlive the call.
    let read = unsafe { syscall(libc::SYS_recvmsg, args) }?;
    Ok((read, control.fds(message.control_length)))
}

/// The most descriptors that go with one message.
pub(crate) const FDS: usize = 4;
const HEADER: usize = size_of::<Header>();

/// The head of a control part, as the kernel has it; C libraries do not agree on its types.
#[repr(C)]
struct Header {
    length: usize,
    level: i32,
    sort: i32,
}

/// A message, as the kernel has it.
#[repr(C)]
struct Message {
    name: *mut u8,
    name_length: u32,
    parts: *mut libc::iovec,
    part_count: usize,
    control: *mut Control,
    control_length: usize,
    flags: i32,
}

/// The control part of a message: a header, then descriptors.
#[repr(C)]
struct Control {
    header: Header,
    fds: [i32; FDS],
}

impl Default for Control {
    fn default() -> Control {
        let header = Header { length: 0, level: libc::SOL_SOCKET, sort: libc::SCM_RIGHTS };
        Control { header, fds: [0; FDS] }
    }
}

impl Control {
    fn message(&mut self, part: &mut libc::iovec, fds: &[i32]) -> Message {
        for (own, given) in self.fds.iter_mut().zip(fds) {
            *own = *given;
        }
        let length = HEADER.wrapping_add(fds.len().wrapping_mul(size_of::<i32>()));
        self.header.length = length;
        let (control, control_length) = match fds.is_empty() {
            true => (std::ptr::null_mut(), 0),
            false => (&raw mut *self, length),
        };
        Message {
            name: std::ptr::null_mut(),
            name_length: 0,
            parts: part,
            part_count: 1,
            control,
            control_length,
            flags: 0,
        }
    }

    fn fds(&self, length: usize) -> [Option<i32>; FDS] {
        let mut found = [None; FDS];
        if length < HEADER || self.header.sort != libc::SCM_RIGHTS {
            return found;
        }
        let count = self.header.length.saturating_sub(HEADER) >> 2;
        for (slot, fd) in found.iter_mut().zip(self.fds).take(count) {
            *slot = Some(fd);
        }
        found
    }
}
