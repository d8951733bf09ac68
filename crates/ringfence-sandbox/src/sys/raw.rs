//! The instruction itself.

use std::arch::asm;

use super::{Errno, Result};

/// Calls the kernel. Neither `errno` nor any other thread-local is touched.
///
/// # Safety
///
/// The arguments must be what the call with this number takes: addresses of memory that it may
/// read or write.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) unsafe fn syscall(number: libc::c_long, args: [usize; 6]) -> Result<usize> {
    let [a, b, c, d, e, f] = args;
    let answer: isize;
    // SAFETY: the kernel keeps all registers but rax, rcx and r11; the caller vouches for the rest.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number as isize => answer,
            in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e, in("r9") f,
            lateout("rcx") _, lateout("r11") _,
            options(nostack),
        );
    }
    outcome(answer)
}

/// Calls the kernel. Neither `errno` nor any other thread-local is touched.
///
/// # Safety
///
/// The arguments must be what the call with this number takes: addresses of memory that it may
/// read or write.
#[cfg(target_arch = "aarch64")]
#[inline]
pub(crate) unsafe fn syscall(number: libc::c_long, args: [usize; 6]) -> Result<usize> {
    let [a, b, c, d, e, f] = args;
    let answer: isize;
    // SAFETY: the kernel keeps all registers but x0; the caller vouches for the rest.
    unsafe {
        asm!(
            "svc 0",
            in("x8") number as isize,
            inlateout("x0") a => answer,
            in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f,
            options(nostack),
        );
    }
    outcome(answer)
}

/// The kernel answers with small negative numbers for errors.
fn outcome(answer: isize) -> Result<usize> {
    match answer {
        -4095..=-1 => Err(Errno(answer.wrapping_neg() as i32)),
        answer => Ok(answer as usize),
    }
}
