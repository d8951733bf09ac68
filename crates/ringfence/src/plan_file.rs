//! The file in which a plan is kept.
//!
//! It lies in a directory that no run can write. It is read only if it belongs to the user, nobody
//! else can read or write it, and its bytes add up: what a crash left of one is no plan.

use ringfence_sandbox::plan::{DirShelf, Shelf};

/// Longer ones are not kept: reading them would take as long as making a plan.
const LONGEST: usize = 4 << 20;

/// A file in which a plan is kept.
pub(crate) struct PlanFile<'s> {
    shelf: &'s DirShelf,
    key: String,
}

impl<'s> PlanFile<'s> {
    /// The file of these numbers.
    pub(crate) fn new(shelf: &'s DirShelf, [place, slot]: &[u64; 2]) -> PlanFile<'s> {
        PlanFile { shelf, key: format!("plan-{place:016x}-{slot}") }
    }

    /// What is kept in it; none where it cannot be relied on.
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

    /// Keeps something in it.
    pub(crate) fn save(&self, content: &[u8]) {
        let sum = add_up(content).to_le_bytes();
        let bytes = [content, &sum].concat();
        if bytes.len() <= LONGEST {
            self.shelf.save(&self.key, &bytes);
        }
    }
}

/// A sum that accidents change. It is no proof against anybody: who can write the file can write the
/// policy too.
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
