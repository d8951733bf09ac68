//! The names in a directory, straight from the kernel.
//!
//! Hundreds of directories are looked through before a command begins. The library's own way asks
//! what each of them is after it was opened, and keeps a copy of every name.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::mem::{MaybeUninit, offset_of};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ringfence_core::path::EntryKind;

/// So many numbers are as long as the names that are fetched at once; entries begin where a number
/// could.
const NUMBERS: usize = 2048;
/// So many bytes are that.
const AT_ONCE: usize = NUMBERS * size_of::<u64>();

/// A directory that is looked through.
pub(in crate::plan) struct Directory(OwnedFd);

impl Directory {
    /// Opens a directory; one that a link at the end of the path leads to as well.
    pub(super) fn open(path: &Path) -> io::Result<Directory> {
        Directory::open_by(path, 0)
    }

    /// Opens a directory, and nothing that a link at the end of the path leads to.
    pub(in crate::plan) fn open_itself(path: &Path) -> io::Result<Directory> {
        Directory::open_by(path, libc::O_NOFOLLOW)
    }

    fn open_by(path: &Path, flags: i32) -> io::Result<Directory> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        let flags = flags | libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC;
        // SAFETY: a C string that outlives the call.
        match unsafe { libc::open(path.as_ptr(), flags) } {
            -1 => Err(io::Error::last_os_error()),
            // SAFETY: it is new, so nobody else owns it.
            fd => Ok(Directory(unsafe { OwnedFd::from_raw_fd(fd) })),
        }
    }

    /// Shows every name in it, and what that is, in the kernel's order. It ends where the kernel
    /// says no more, and where it can say no more.
    pub(in crate::plan) fn each(&self, mut show: impl FnMut(&CStr, EntryKind)) {
        let mut bytes: Vec<u64> = Vec::with_capacity(NUMBERS);
        loop {
            let (fd, to) = (self.0.as_raw_fd(), bytes.as_mut_ptr());
            // SAFETY: the kernel writes at most as many bytes as the list has room for.
            let read = unsafe { libc::syscall(libc::SYS_getdents64, fd, to, AT_ONCE) };
            let Some(read) = usize::try_from(read).ok().filter(|read| *read > 0) else { return };
            // SAFETY: these bytes were just written.
            let mut rest = unsafe { std::slice::from_raw_parts(to.cast::<u8>(), read) };
            while let Some((name, kind, after)) = entry(rest) {
                rest = after;
                if !matches!(name.to_bytes(), b"." | b"..")
                    && let Some(kind) = self.kind(name, kind)
                {
                    show(name, kind);
                }
            }
        }
    }

    /// What the kernel says of a name in it; a link is not followed.
    pub(in crate::plan) fn stat(&self, name: &CStr) -> Option<libc::stat> {
        let mut stat = MaybeUninit::uninit();
        let (fd, flags) = (self.0.as_raw_fd(), libc::AT_SYMLINK_NOFOLLOW);
        // SAFETY: a C string that outlives the call, and a structure that the kernel fills.
        let filled = unsafe { libc::fstatat(fd, name.as_ptr(), stat.as_mut_ptr(), flags) } == 0;
        // SAFETY: it was filled.
        filled.then(|| unsafe { stat.assume_init() })
    }

    /// What the kernel says of the directory itself.
    pub(in crate::plan) fn about(&self) -> Option<libc::stat> {
        crate::sys::stat(self.0.as_raw_fd()).ok()
    }

    /// What a name is. Some file systems do not say it with the name.
    fn kind(&self, name: &CStr, said: u8) -> Option<EntryKind> {
        Some(match said {
            libc::DT_DIR => EntryKind::Dir,
            libc::DT_REG => EntryKind::File,
            libc::DT_LNK => EntryKind::Link,
            libc::DT_UNKNOWN => match self.stat(name)?.st_mode & libc::S_IFMT {
                libc::S_IFDIR => EntryKind::Dir,
                libc::S_IFREG => EntryKind::File,
                libc::S_IFLNK => EntryKind::Link,
                _ => EntryKind::Other,
            },
            _ => EntryKind::Other,
        })
    }
}

impl From<OwnedFd> for Directory {
    /// Looks through a directory that was opened for reading.
    fn from(directory: OwnedFd) -> Directory {
        Directory(directory)
    }
}

/// The first entry: its name, its kind, and what comes after it.
fn entry(bytes: &[u8]) -> Option<(&CStr, u8, &[u8])> {
    let length = offset_of!(libc::dirent64, d_reclen);
    let length = bytes.get(length..)?.first_chunk().map(|own| u16::from_ne_bytes(*own))?;
    let (own, after) = bytes.split_at_checked(length.into())?;
    let kind = *own.get(offset_of!(libc::dirent64, d_type))?;
    let name = own.get(offset_of!(libc::dirent64, d_name)..)?;
    Some((CStr::from_bytes_until_nul(name).ok()?, kind, after))
}

/// A name as the library has it.
pub(in crate::plan) fn os_str(name: &CStr) -> &OsStr {
    OsStr::from_bytes(name.to_bytes())
}

#[cfg(test)]
#[path = "directory_tests.rs"]
mod tests;
