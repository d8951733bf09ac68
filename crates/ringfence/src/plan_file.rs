//! The file in which a plan is cached.
//!
//! The file is in a directory that no run can write to. It is used only if it belongs to the user,
//! nobody else can read or write it, and its checksum is right. A file damaged by a crash is
//! ignored.

use ringfence_sandbox::plan::{DirShelf, Shelf};

/// The maximum size of a cached plan; reading a larger one would be as slow as making the plan.
const LONGEST: usize = 4 << 20;

/// The cache file of one plan.
pub(crate) struct PlanFile<'s> {
    shelf: &'s DirShelf,
    key: String,
}

impl<'s> PlanFile<'s> {
    /// Returns the cache file for a directory hash and a slot number.
    pub(crate) fn new(shelf: &'s DirShelf, [place, slot]: &[u64; 2]) -> PlanFile<'s> {
        PlanFile { shelf, key: format!("plan-{place:016x}-{slot}") }
    }

    /// Reads the cached content, or returns `None` if the file cannot be relied on.
    pub(crate) fn load(&self) -> Option<Vec<u8>> {
        let mut bytes = self.shelf.load_own(&self.key, LONGEST)?;
        let kept = bytes.len().checked_sub(size_of::<u64>())?;
        let (content, sum) = bytes.split_at_checked(kept)?;
        if sum != add_up(content).to_le_bytes() {
            return None;
        }
        bytes.truncate(kept);
        Some(bytes)
    }

    /// Writes content to the cache file.
    pub(crate) fn save(&self, content: &[u8]) {
        let sum = add_up(content).to_le_bytes();
        let bytes = [content, &sum].concat();
        if bytes.len() <= LONGEST {
            self.shelf.save(&self.key, &bytes);
        }
    }
}

/// Returns a checksum that detects accidental damage. It does not protect against attacks: who can
/// write this file can also write the policy.
fn add_up(content: &[u8]) -> u64 {
    let mix =
        |sum: u64, number: u64| (sum ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let (words, rest) = content.as_chunks();
    let sum =
        words.iter().fold(content.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, (*byte).into()))
}

#[cfg(test)]
#[path = "plan_file_tests.rs"]
mod tests;
