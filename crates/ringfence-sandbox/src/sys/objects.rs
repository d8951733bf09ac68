//! Paths that must not be redirected, and mounts on descriptors.

use std::ffi::CStr;

use super::{Result, at, at_mut, int, syscall};

/// The device and inode number of a file.
pub(crate) type Inode = (u64, u64);

/// Returns the device and inode number in a `stat`.
pub(crate) fn inode_of(stat: &libc::stat) -> Inode {
    (stat.st_dev, stat.st_ino)
}

/// Opens a path without following a symbolic link in any component. Below a directory the path must
/// stay below it.
pub(crate) fn open_exact(directory: i32, path: &CStr, flags: i32) -> Result<i32> {
    // SAFETY: all zeros is an `open_how` like any other.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = (flags | libc::O_CLOEXEC) as u64;
    how.resolve = libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
    if directory != libc::AT_FDCWD {
        how.resolve |= libc::RESOLVE_BENEATH;
    }
    let size = size_of::<libc::open_how>();
    let args = [int(directory), at(path.as_ptr()), at(&raw const how), size, 0, 0];
    // SAFETY: a C string and a structure whose size is given; both outlive the call.
    unsafe { syscall(libc::SYS_openat2, args) }.map(|fd| fd as i32)
}

/// Returns the metadata of an open file.
pub(crate) fn stat(fd: i32) -> Result<libc::stat> {
    // SAFETY: all zeros is a `stat` like any other.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes the structure, which outlives the call.
    unsafe { syscall(libc::SYS_fstat, [int(fd), at_mut(&raw mut stat), 0, 0, 0, 0]) }?;
    Ok(stat)
}

/// Returns the metadata of a name below a directory. A symbolic link at the end is not followed.
pub(crate) fn stat_at(directory: i32, path: &CStr) -> Result<libc::stat> {
    // SAFETY: all zeros is a `stat` like any other.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    let (path, flags) = (at(path.as_ptr()), int(libc::AT_SYMLINK_NOFOLLOW));
    let args = [int(directory), path, at_mut(&raw mut stat), flags, 0, 0];
    // SAFETY: a C string, and a structure that the kernel writes; both outlive the call.
    unsafe { syscall(libc::SYS_newfstatat, args) }?;
    Ok(stat)
}

/// Clones the mount that shows a file or directory, and the mounts below it if `recursive`. The
/// clone is attached nowhere.
pub(crate) fn clone_mount(directory: i32, path: &CStr, recursive: bool) -> Result<i32> {
    const CLONE: i32 = 1;
    let recursive = if recursive { libc::AT_RECURSIVE } else { 0 };
    let flags = CLONE | libc::O_CLOEXEC | libc::AT_EMPTY_PATH | recursive;
    let args = [int(directory), at(path.as_ptr()), int(flags), 0, 0, 0];
    // SAFETY: a C string that outlives the call.
    unsafe { syscall(libc::SYS_open_tree, args) }.map(|fd| fd as i32)
}

/// Attaches a detached mount to an open file or directory.
pub(crate) fn attach_mount(mount: i32, target: i32) -> Result<()> {
    /// Both the source and the target are the descriptors themselves.
    const FLAGS: usize = 0x4 | 0x40;
    let empty = at(c"".as_ptr());
    let args = [int(mount), empty, int(target), empty, FLAGS, 0];
    // SAFETY: C strings that outlive the call.
    unsafe { syscall(libc::SYS_move_mount, args) }.map(drop)
}

/// Sets and clears attributes of the mount behind a descriptor, and of all below it if `recursive`.
pub(crate) fn set_mount_attributes(
    mount: i32,
    recursive: bool,
    set: u64,
    clear: u64,
) -> Result<()> {
    let attributes = [set, clear, 0, 0];
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    let (path, size) = (at(c"".as_ptr()), size_of_val(&attributes));
    let args = [int(mount), path, int(flags), at(attributes.as_ptr()), size, 0];
    // SAFETY: path and attributes outlive the call, and the size is theirs.
    unsafe { syscall(libc::SYS_mount_setattr, args) }.map(drop)
}
