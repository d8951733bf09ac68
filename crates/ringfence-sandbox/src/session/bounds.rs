//! Resource limits and priority of a caller: its command gets no more.

use ringfence_core::bytes::{ByteReader, ByteWriter};

use crate::sys::{self, at, at_mut, syscall};

/// How many resources the kernel limits.
const RESOURCES: usize = 16;
/// The longest list that is taken.
const MOST: usize = 64;

/// The kernel's limits on a caller.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// The soft and the hard limit of each resource, by its number.
    limits: Vec<(u64, u64)>,
    /// The nice value, as the kernel returns it: 20 less the value.
    priority: u64,
}

impl Bounds {
    /// Returns what this process is held to.
    pub fn own() -> Bounds {
        Bounds { limits: (0..RESOURCES).map_while(limit).collect(), priority: priority() }
    }

    pub(super) fn pack(&self, to: &mut ByteWriter) {
        to.each(&self.limits, |to, (soft, hard)| {
            to.number(*soft);
            to.number(*hard);
        });
        to.number(self.priority);
    }

    pub(super) fn unpack(from: &mut ByteReader<'_>) -> Option<Bounds> {
        let limits = from.each(|from| Some((from.number()?, from.number()?)))?;
        let priority = from.number()?;
        (limits.len() <= MOST).then_some(Bounds { limits, priority })
    }

    /// Holds this process to the bounds, where it is not held to less already.
    pub(super) fn take_on(&self) -> sys::Result<()> {
        for (resource, (soft, hard)) in self.limits.iter().enumerate() {
            let Some((own_soft, own_hard)) = limit(resource) else { continue };
            let both = [own_soft.min(*soft), own_hard.min(*hard)];
            let args = [0, resource, at(both.as_ptr()), 0, 0, 0];
            // SAFETY: the kernel reads two numbers, which outlive the call.
            unsafe { syscall(libc::SYS_prlimit64, args) }?;
        }
        if self.priority < priority() {
            let nice = 20_i64.wrapping_sub(self.priority as i64);
            let args = [libc::PRIO_PROCESS as usize, 0, nice as usize, 0, 0, 0];
            // SAFETY: takes numbers alone.
            unsafe { syscall(libc::SYS_setpriority, args) }?;
        }
        Ok(())
    }
}

/// Returns the soft and the hard limit of a resource of this process.
fn limit(resource: usize) -> Option<(u64, u64)> {
    let mut both = [0_u64; 2];
    let args = [0, resource, 0, at_mut(both.as_mut_ptr()), 0, 0];
    // SAFETY: the kernel writes two numbers.
    unsafe { syscall(libc::SYS_prlimit64, args) }.ok()?;
    let [soft, hard] = both;
    Some((soft, hard))
}

/// Returns 20 less the nice value of this process.
fn priority() -> u64 {
    // SAFETY: takes numbers alone.
    unsafe { syscall(libc::SYS_getpriority, [libc::PRIO_PROCESS as usize, 0, 0, 0, 0, 0]) }
        .map_or(20, |own| own as u64)
}

#[cfg(test)]
#[path = "bounds_tests.rs"]
mod tests;
