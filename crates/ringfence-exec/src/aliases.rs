//! Judges accesses under the other path names of the same file.

use std::path::Path;

use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{Access, AccessKind};
use ringfence_sandbox::gate::{Also, Deed};

use crate::judge::GuardJudge;

impl GuardJudge {
    /// Returns the accesses under other names that a rule objects to, if that rule does not match
    /// the first name. The other names need no grant. Returns `None` if a name is not UTF-8.
    pub(crate) fn by_other_names(&self, also: &[Also]) -> Option<Vec<Access>> {
        let mut objected = Vec::new();
        for own in also {
            let (path, other) = (absolute(&own.path)?, absolute(&own.other)?);
            objected.extend(self.only_by_name(what(own.deed, other), &path));
        }
        Some(objected)
    }

    /// Returns the access if a rule objects to it that does not match the path `other`.
    pub(crate) fn only_by_name(&self, what: AccessKind, other: &AbsPath) -> Option<Access> {
        let access = self.access(what);
        self.guard.policy().forbids_under_this_name_only(&access, other).then_some(access)
    }
}

/// Returns the access for an operation on a path.
pub(crate) fn what(deed: Deed, path: AbsPath) -> AccessKind {
    let op = match deed {
        Deed::Read => FileOp::Read,
        Deed::Write | Deed::MakeDirectory | Deed::About => FileOp::Write,
        Deed::Delete => FileOp::Delete,
    };
    AccessKind::File(FileAccess { op, extent: Extent::One, path: FilePath::named(path) })
}

/// Converts a path, or returns `None` if it is not UTF-8.
pub(crate) fn absolute(path: &Path) -> Option<AbsPath> {
    AbsPath::new(path.to_str()?).ok()
}
