//! Which contents the object store of a repository keeps.
//!
//! A name in git's index brings nothing back by itself: `git update-index --cacheinfo` names contents
//! that the store does not have. Loose objects are looked for by their names, packed ones in the
//! packs' indices of version 2. Other stores (`alternates`, promisors) are not read.

use ringfence_core::host::{FileEntry, Host};
use ringfence_core::path::AbsPath;

use super::git_index::ObjectId;

/// The longest index of a pack that is read.
const MAX_PACK_INDEX: usize = 64 << 20;
/// The most packs that are looked at.
const MAX_PACKS: usize = 64;
/// Where the names begin: after the header and the table of first bytes.
const NAMES: usize = 8 + 256 * 4;

/// The contents that a repository keeps.
pub(super) struct ObjectStore<'h> {
    host: &'h dyn Host,
    objects: AbsPath,
    /// The packs' indices, once one is needed.
    packs: Option<Vec<Vec<u8>>>,
}

impl<'h> ObjectStore<'h> {
    pub(super) fn new(host: &'h dyn Host, objects: AbsPath) -> ObjectStore<'h> {
        ObjectStore { host, objects, packs: None }
    }

    /// Returns whether the store certainly has an object of this name.
    pub(super) fn has(&mut self, id: &ObjectId) -> bool {
        self.has_loose(id) || self.packs().iter().any(|index| names_object(index, id) == Some(true))
    }

    fn has_loose(&self, id: &ObjectId) -> bool {
        let name: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let Some((directory, file)) = name.split_at_checked(2) else { return false };
        let path = self.objects.child(directory).and_then(|directory| directory.child(file));
        path.is_ok_and(|path| matches!(self.host.entry(&path), FileEntry::File { .. }))
    }

    fn packs(&mut self) -> &[Vec<u8>] {
        if self.packs.is_none() {
            self.packs = Some(self.read_packs().unwrap_or_default());
        }
        self.packs.as_deref().unwrap_or_default()
    }

    /// Reads the index of each pack; none at all if there are too many.
    fn read_packs(&self) -> Option<Vec<Vec<u8>>> {
        let directory = self.objects.child("pack").ok()?;
        let names = self.host.list(&directory)?;
        let is_file = |name: &str| {
            let path = directory.child(name);
            path.is_ok_and(|path| matches!(self.host.entry(&path), FileEntry::File { .. }))
        };
        let mut packs = Vec::new();
        for name in &names {
            let Some(stem) = name.strip_suffix(".idx") else { continue };
            if packs.len() >= MAX_PACKS {
                return None;
            }
            // An index without its pack names what is gone.
            if is_file(name) && is_file(&format!("{stem}.pack")) {
                packs.extend(self.host.read(&directory.child(name).ok()?, MAX_PACK_INDEX).ok());
            }
        }
        Some(packs)
    }
}

/// Returns whether the index of a pack names an object; `None` if it is not one of version 2.
fn names_object(index: &[u8], id: &ObjectId) -> Option<bool> {
    if index.get(..8)? != b"\xfftOc\0\0\0\x02" {
        return None;
    }
    let count_to = |first: u8| {
        let at = usize::from(first).checked_mul(4)?.checked_add(8)?;
        let own = index.get(at..at.checked_add(4)?)?;
        usize::try_from(u32::from_be_bytes(own.try_into().ok()?)).ok()
    };
    let [first, ..] = *id;
    let start = match first.checked_sub(1) {
        Some(before) => count_to(before)?,
        None => 0,
    };
    let place = |count: usize| NAMES.checked_add(count.checked_mul(id.len())?);
    let names = index.get(place(start)?..place(count_to(first)?)?)?;
    Some(names.chunks_exact(id.len()).any(|name| name == id))
}

#[cfg(test)]
#[path = "git_objects_tests.rs"]
mod tests;
