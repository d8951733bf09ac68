//! Second names of what is read, and of what may not be.
//!
//! Landlock grants a directory wherever it is mounted, and a cover lies at one path. So rules are
//! asked about every path under which something that can be read is seen, and what one of them
//! stands against is covered under the others too.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ringfence_core::judge::PathSet;
use ringfence_core::path::{AbsPath, EntryKind};

use super::{Masker, TooLarge};
use crate::plan::Rights;
use crate::plan::build::always::KERNEL_TREES;
use crate::plan::build::trees::deeper;
use crate::plan::build::walk::Found;

/// A place that shows what a readable tree shows too.
pub(super) struct Elsewhere {
    pub(super) path: AbsPath,
    /// Where the tree shows it.
    pub(super) of: AbsPath,
}

impl Masker<'_> {
    /// The readable trees, and the single files that can be read: each of them may be another one,
    /// mounted there.
    pub(super) fn with_single_files(&self, roots: &[AbsPath]) -> Vec<AbsPath> {
        let mut read = roots.to_vec();
        if self.trees.site.mounts.is_empty() {
            return read;
        }
        let files = self.trees.paths().filter(|(_, rights)| rights.has(Rights::READ));
        let is_kernels = |path: &AbsPath| {
            KERNEL_TREES.iter().any(|own| Path::new(path.as_str()).starts_with(own))
        };
        let is_apart = |path: &AbsPath| roots.iter().all(|own| !path.starts_with(own));
        let files = files.map(|(path, _)| path).filter(|own| is_apart(own) && !is_kernels(own));
        read.extend(files.filter(|own| self.trees.site.kind(own).is_some()).cloned());
        read
    }

    /// Where else something is seen that lies in readable trees, outside of all of them.
    pub(super) fn elsewhere(&self, roots: &[AbsPath]) -> Result<Vec<Elsewhere>, TooLarge> {
        let mounts = &self.trees.site.mounts;
        if mounts.is_empty() {
            return Ok(Vec::new());
        }
        let mut pairs: BTreeSet<(PathBuf, PathBuf)> = BTreeSet::new();
        for root in roots {
            let root = Path::new(root.as_str());
            for own in [root].into_iter().chain(mounts.points_below(root)) {
                pairs.extend(mounts.names(own).into_iter().map(|other| (other, own.to_owned())));
                let below = mounts.names_below(own).into_iter();
                pairs.extend(below.map(|(own, other)| (other, own)));
            }
        }
        let is_known = |path: &Path| {
            let above = |own: &str| path.starts_with(own);
            KERNEL_TREES.iter().copied().any(above) || roots.iter().any(|own| above(own.as_str()))
        };
        let mut found: Vec<Elsewhere> = Vec::new();
        for (path, of) in pairs.into_iter().filter(|(path, _)| !is_known(path)) {
            // A place that is no text is one of which rules cannot be asked.
            let as_text = |path: PathBuf| AbsPath::new(path.to_str()?).ok();
            let (path, of) = as_text(path).zip(as_text(of)).ok_or(TooLarge)?;
            found.push(Elsewhere { path, of });
        }
        Ok(found)
    }

    /// Judges what rules take in such places. It counts where something that can be read by its path may
    /// not be read for it: what may be read there need not be hidden here.
    pub(super) fn judge_elsewhere(
        &mut self,
        elsewhere: &[Elsewhere],
        roots: &[AbsPath],
    ) -> Result<(), TooLarge> {
        let known = std::mem::take(&mut self.masks);
        for own in elsewhere {
            for found in self.candidates_elsewhere(own)? {
                self.judge(&found)?;
            }
        }
        let found = std::mem::replace(&mut self.masks, known);
        let mounts = &self.trees.site.mounts;
        let is_read = |path: &Path| roots.iter().any(|own| path.starts_with(own.as_str()));
        let counts = |mask: &PathBuf| {
            let names = mounts.names(mask).into_iter().map(|other| (mask.clone(), other));
            let mut names = names.chain(mounts.names_below(mask));
            names.any(|(own, other)| is_read(&other) && self.trees.oracle.spreads(&own, &other))
        };
        let found: Vec<PathBuf> = found.into_iter().filter(counts).collect();
        self.masks.extend(found);
        Ok(())
    }

    /// What rules take in such a place, and the place itself.
    fn candidates_elsewhere(&mut self, own: &Elsewhere) -> Result<Vec<Found>, TooLarge> {
        let site = self.trees.site;
        let mut found = self.candidates(&own.path, Some(&own.of))?;
        let mut all = PathSet::new(site.host.path_rules());
        self.objecting.iter().for_each(|own| all.add(&own.literal, own.rest));
        let states = all.at(&own.path);
        if let Some(kind) = site.kind(&own.path).filter(|_| all.matches(&states)) {
            let whole = kind == EntryKind::Dir && all.takes_all(&states);
            let host_path = own.path.as_str().into();
            found.push(Found { path: own.path.clone(), host_path, kind, whole, too_deep: false });
        }
        Ok(found)
    }

    /// Masks what is masked under its other names too, where it can be read by them.
    pub(super) fn add_names(&mut self, roots: &[AbsPath]) {
        let mounts = &self.trees.site.mounts;
        if mounts.is_empty() {
            return;
        }
        let mut readable: Vec<PathBuf> = roots.iter().map(|own| own.as_str().into()).collect();
        readable.extend(roots.iter().flat_map(|own| mounts.names(Path::new(own.as_str()))));
        readable.extend(self.trees.blank.iter().flat_map(|own| mounts.names(own)));
        let mut more: Vec<PathBuf> = Vec::new();
        for mask in self.masks.iter().chain(&self.trees.blank) {
            let others = mounts.names(mask).into_iter().map(|other| (mask.clone(), other));
            for (own, other) in others.chain(mounts.names_below(mask)) {
                let is_read = readable.iter().any(|tree| other.starts_with(tree));
                if is_read && self.trees.oracle.spreads(&own, &other) {
                    more.push(other);
                }
            }
        }
        self.masks.extend(more);
        // What nobody can read need not be hidden.
        self.masks.retain(|mask| readable.iter().any(|tree| mask.starts_with(tree)));
    }

    /// Whether something is written at, above or below a path, under whichever name.
    pub(super) fn is_written(&self, path: &AbsPath) -> bool {
        let written = self.trees.paths().filter(|(_, rights)| rights.has(Rights::WRITE));
        let written = written.map(|(path, _)| path).chain(&self.trees.site.context.root);
        let mounts = &self.trees.site.mounts;
        written.into_iter().any(|own| {
            let host_path = Path::new(own.as_str());
            let others = || {
                let below = mounts.names_below(host_path).into_iter().map(|(_, other)| other);
                mounts.names(host_path).into_iter().chain(below)
            };
            let is_near = |other: PathBuf| {
                let path = Path::new(path.as_str());
                other.starts_with(path) || path.starts_with(&other)
            };
            deeper(own, path).is_some() || !mounts.is_empty() && others().any(is_near)
        })
    }
}
