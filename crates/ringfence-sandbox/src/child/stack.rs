//! Stacks for processes that share memory.

use std::io;
use std::ptr;

/// Enough for calls to the kernel and a few paths, in a build without optimisation too.
const SIZE: usize = 256 << 10;
/// Runs into this end the process instead of writing over someone's memory.
const GUARD: usize = 64 << 10;

/// Memory for one stack.
#[derive(Debug)]
pub(crate) struct Stack {
    base: *mut libc::c_void,
}

impl Stack {
    pub(crate) fn new() -> io::Result<Stack> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory, at no particular place.
        let base = unsafe { libc::mmap(ptr::null_mut(), SIZE + GUARD, rights, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let stack = Stack { base };
        // SAFETY: the lowest part of the memory that was just made.
        match unsafe { libc::mprotect(base, GUARD, libc::PROT_NONE) } {
            0 => Ok(stack),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The end at which a stack begins.
    pub(crate) fn top(&self) -> *mut libc::c_void {
        // SAFETY: one past the end of the memory, as stacks grow down.
        unsafe { self.base.add(SIZE + GUARD) }
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: whoever ran on it has ended; the blueprint outlives them.
        unsafe { libc::munmap(self.base, SIZE + GUARD) };
    }
}
