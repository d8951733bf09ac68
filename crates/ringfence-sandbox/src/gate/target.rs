//! The process whose call waits: its memory, its directory, its descriptors.

use std::ffi::{CString, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::lineage::Identity;

/// The longest path that the kernel takes.
pub(super) const LONGEST_PATH: usize = 4096;
/// All words and variables together.
const LONGEST_LIST: u64 = 2 << 20;
/// So much of them is expected.
const USUAL_LIST: usize = 8 << 10;
/// Memory is read in pieces that do not cross into a page that may not be there.
pub(super) const PAGE: usize = 4096;

/// Opens a pidfd of a single thread, from Linux 6.9 on.
const PIDFD_THREAD: i32 = libc::O_EXCL;

/// The process whose call waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) pid: i32,
    /// The broker, as the process sees it: it opens things for others, but not what is its own.
    pub(super) broker: i32,
    /// The root of the tree, which is that of all its processes: none of them can change it.
    pub(super) root: RawFd,
}

impl Target {
    /// A path that lies in its memory.
    pub(super) fn path(self, address: u64) -> io::Result<CString> {
        self.text(address, LONGEST_PATH, libc::ENAMETOOLONG)
    }

    /// Bytes of its memory.
    pub(super) fn bytes(self, address: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.read(address, &mut bytes)?;
        Ok(bytes)
    }

    fn text(self, address: u64, most: usize, too_long: i32) -> io::Result<CString> {
        let mut text = Vec::new();
        let mut at = address;
        while text.len() < most {
            let to_page_end = PAGE.saturating_sub(at as usize % PAGE);
            let mut piece = vec![0; to_page_end.min(if text.is_empty() { 256 } else { PAGE })];
            self.read(at, &mut piece)?;
            if let Some(end) = piece.iter().position(|byte| *byte == 0) {
                piece.truncate(end);
                text.append(&mut piece);
                return CString::new(text).map_err(|_| io::ErrorKind::InvalidData.into());
            }
            at = at.checked_add(piece.len() as u64).ok_or_else(too_much)?;
            text.append(&mut piece);
        }
        Err(io::Error::from_raw_os_error(too_long))
    }

    fn read(self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        let here = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
        let there = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: bytes.len() };
        // SAFETY: the kernel writes our bytes, and checks the address in the other process.
        let read = unsafe { libc::process_vm_readv(self.pid, &here, 1, &there, 1, 0) };
        match usize::try_from(read) {
            Ok(read) if read == bytes.len() => Ok(()),
            Ok(_) => Err(io::Error::from_raw_os_error(libc::EFAULT)),
            Err(_) => Err(io::Error::last_os_error()),
        }
    }

    /// Adds some pages of its memory to the bytes, in one call, and says how many: those before
    /// the first that cannot be read.
    pub(super) fn pages(self, starts: &[u64], bytes: &mut Vec<u8>) -> io::Result<usize> {
        let room = starts.len().saturating_mul(PAGE);
        bytes.reserve(room);
        let to = bytes.spare_capacity_mut().as_mut_ptr().cast();
        let here = libc::iovec { iov_base: to, iov_len: room };
        let there = stretches(starts);
        let (from, number) = (there.as_ptr(), there.len() as libc::c_ulong);
        // SAFETY: the kernel writes at most as many bytes as there is room for, and checks the
        // addresses in the other process.
        let read = unsafe { libc::process_vm_readv(self.pid, &raw const here, 1, from, number, 0) };
        let read = usize::try_from(read).map_err(|_| io::Error::last_os_error())?;
        let pages = read / PAGE;
        let length = bytes.len().saturating_add(pages.saturating_mul(PAGE));
        // SAFETY: so many of the bytes were just written.
        unsafe { bytes.set_len(length) };
        Ok(pages)
    }

    /// Something of it in `/proc`.
    pub(super) fn proc(self, what: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{what}", self.pid))
    }

    /// Where one of its links in `/proc` leads.
    pub(super) fn link(self, what: &str) -> io::Result<PathBuf> {
        fs::read_link(self.proc(what))
    }

    /// Which file it runs.
    pub(super) fn runs(self) -> io::Result<Identity> {
        let about = fs::metadata(self.proc("exe"))?;
        Ok((about.dev(), about.ino()))
    }

    /// A directory of it, as a place to start from: the working one, or one that it has open.
    pub(super) fn directory(self, fd: i32) -> io::Result<OwnedFd> {
        match fd {
            libc::AT_FDCWD => open_path(&self.proc("cwd")),
            fd => open_path(&self.proc(&format!("fd/{fd}"))),
        }
    }

    /// Its root.
    pub(super) fn root(self) -> io::Result<OwnedFd> {
        // SAFETY: the gate keeps it open for as long as there are calls.
        unsafe { BorrowedFd::borrow_raw(self.root) }.try_clone_to_owned()
    }

    /// Duplicates one of the thread's file descriptors.
    ///
    /// A thread may have a descriptor table of its own. Kernels before 6.9 hold only processes by
    /// a pidfd; there the table is that of the process's first thread.
    pub(super) fn descriptor(self, fd: i32) -> io::Result<OwnedFd> {
        let own = self.held()?;
        // SAFETY: takes numbers alone.
        let copy = unsafe { libc::syscall(libc::SYS_pidfd_getfd, own.as_raw_fd(), fd, 0) };
        owned(copy)
    }

    /// A descriptor that means this thread, or its process on kernels before 6.9, for as long as it
    /// lives.
    pub(super) fn held(self) -> io::Result<OwnedFd> {
        match pidfd(self.pid, PIDFD_THREAD) {
            Ok(own) => Ok(own),
            Err(_) => pidfd(self.leader()?, 0),
        }
    }

    /// The first thread of the process.
    pub(super) fn leader(self) -> io::Result<i32> {
        // Whether it is the first of its own process is quicker asked than read.
        // SAFETY: sends nothing, and takes numbers alone.
        match unsafe { libc::syscall(libc::SYS_tgkill, self.pid, self.pid, 0) } {
            0 => Ok(self.pid),
            _ => self.status("Tgid:"),
        }
    }

    /// The permissions that it takes from what it makes.
    pub(super) fn umask(self) -> io::Result<u32> {
        let text = self.status_text()?;
        let mask = field(&text, "Umask:").and_then(|mask| u32::from_str_radix(mask, 8).ok());
        mask.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Its number in its own namespace.
    pub(super) fn inner(self) -> io::Result<i32> {
        self.innermost("NSpid:")
    }

    /// The number of its first thread in its own namespace.
    pub(super) fn inner_leader(self) -> io::Result<i32> {
        self.innermost("NStgid:")
    }

    fn innermost(self, name: &str) -> io::Result<i32> {
        let text = self.status_text()?;
        let last = field(&text, name).and_then(|numbers| numbers.split_whitespace().last());
        last.and_then(|last| last.parse().ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn status(self, name: &str) -> io::Result<i32> {
        let text = self.status_text()?;
        let number = field(&text, name).and_then(|number| number.parse().ok());
        number.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    fn status_text(self) -> io::Result<String> {
        fs::read_to_string(self.proc("status"))
    }

    /// The variables that it was started with.
    pub(super) fn variables(self) -> io::Result<Vec<OsString>> {
        self.texts("environ")
    }

    /// The words that it was started with.
    pub(super) fn words(self) -> io::Result<Vec<OsString>> {
        self.texts("cmdline")
    }

    fn texts(self, what: &str) -> io::Result<Vec<OsString>> {
        let mut bytes = vec![0; USUAL_LIST];
        let mut file = File::open(self.proc(what))?.take(LONGEST_LIST);
        let mut filled = 0;
        // The kernel gives less than is asked for at the end alone.
        while filled == bytes.len() || filled == 0 {
            bytes.resize(filled.saturating_add(USUAL_LIST), 0);
            match file.read(bytes.get_mut(filled..).unwrap_or_default())? {
                0 => break,
                read => filled = filled.saturating_add(read),
            }
        }
        bytes.truncate(filled);
        Ok(split(&bytes))
    }
}

/// Pages as stretches of memory: those that lie one after another are one.
fn stretches(starts: &[u64]) -> Vec<libc::iovec> {
    let mut stretches: Vec<libc::iovec> = Vec::with_capacity(starts.len());
    let mut end = None;
    for start in starts {
        match stretches.last_mut().filter(|_| end == Some(*start)) {
            Some(last) => last.iov_len = last.iov_len.saturating_add(PAGE),
            None => stretches.push(libc::iovec { iov_base: *start as *mut _, iov_len: PAGE }),
        }
        end = start.checked_add(PAGE as u64);
    }
    stretches
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim)
}

/// Texts that end with NUL, one after another.
fn split(bytes: &[u8]) -> Vec<OsString> {
    let texts = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    if bytes.is_empty() {
        return Vec::new();
    }
    texts.split(|byte| *byte == 0).map(|text| OsString::from_vec(text.to_vec())).collect()
}

pub(super) fn too_much() -> io::Error {
    io::Error::from_raw_os_error(libc::E2BIG)
}

/// Opens a place without opening what lies there.
pub(super) fn open_path(path: &Path) -> io::Result<OwnedFd> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: a C string that outlives the call.
    owned(unsafe { libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) }.into())
}

/// Opens a pidfd for a process, or for a thread.
fn pidfd(number: i32, flags: i32) -> io::Result<OwnedFd> {
    // SAFETY: takes numbers alone.
    owned(unsafe { libc::syscall(libc::SYS_pidfd_open, number, flags) })
}

/// A descriptor that the kernel just gave.
pub(super) fn owned(fd: libc::c_long) -> io::Result<OwnedFd> {
    match i32::try_from(fd) {
        // SAFETY: it is new, so nobody else owns it.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(io::Error::last_os_error()),
    }
}
