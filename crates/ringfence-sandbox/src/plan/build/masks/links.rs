//! Further names of masked files: hard links.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ringfence_core::path::{AbsPath, EntryKind};

use super::{Masker, TooLarge};
use crate::plan::build::lister::Identity;
use crate::plan::build::walk::{Budget, files};

/// More files of a hidden directory are not looked for under other names.
const MAX_LINKED: usize = 4_096;

impl Masker<'_> {
    /// Masks further names of files that are masked.
    pub(super) fn add_links(&mut self, roots: &[AbsPath]) -> Result<(), TooLarge> {
        let hidden = self.shared_files();
        if hidden.is_empty() {
            return Ok(());
        }
        let site = self.trees.site;
        for root in roots.iter().filter(|root| !site.is_system(root)) {
            let all = files(site.lister, Path::new(root.as_str()), &mut self.budget);
            for found in all.ok_or(TooLarge)? {
                let identity = site.lister.shared(&found);
                if identity.is_some_and(|own| hidden.contains(&own)) {
                    self.masks.insert(found);
                }
            }
        }
        Ok(())
    }

    /// The masked files that have further names.
    fn shared_files(&self) -> BTreeSet<Identity> {
        let lister = self.trees.site.lister;
        let mut left = Budget(MAX_LINKED);
        let mut shared = BTreeSet::new();
        let mut open: Vec<PathBuf> = self.masks.iter().cloned().collect();
        while let Some(path) = open.pop() {
            if !left.take() {
                break;
            }
            shared.extend(lister.shared(&path));
            // Where a link leads is not hidden by this.
            let entries = lister.list(&path).into_iter();
            let entries = entries.filter(|entry| entry.kind != EntryKind::Link);
            open.extend(entries.map(|entry| path.join(entry.name)));
        }
        shared
    }
}
