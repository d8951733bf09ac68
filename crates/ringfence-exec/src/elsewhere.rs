//! The other names of what something is done to.

use std::path::Path;

use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{Access, AccessKind};
use ringfence_sandbox::gate::{Also, Deed};

use crate::judge::GuardJudge;

impl GuardJudge {
    /// What rules stand against by other names, of those that do not speak of the first one. By those
    /// names nothing need be granted. None where a name is no text.
    pub(crate) fn by_other_names(&self, also: &[Also]) -> Option<Vec<Access>> {
        let mut objected = Vec::new();
        for own in also {
            let (path, other) = (absolute(&own.path)?, absolute(&own.other)?);
            objected.extend(self.only_by_name(what(own.deed, other), &path));
        }
        Some(objected)
    }

    /// An access by one name, if a rule stands against it that does not speak of the other.
    pub(crate) fn only_by_name(&self, what: AccessKind, other: &AbsPath) -> Option<Access> {
        let access = self.access(what);
        self.guard.policy().forbids_under_this_name_only(&access, other).then_some(access)
    }
}

/// A deed on a path, for the guard.
pub(crate) fn what(deed: Deed, path: AbsPath) -> AccessKind {
    let op = match deed {
        Deed::Read => FileOp::Read,
        Deed::Write | Deed::MakeDirectory | Deed::About => FileOp::Write,
        Deed::Delete => FileOp::Delete,
    };
    AccessKind::File(FileAccess { op, extent: Extent::One, path: FilePath::named(path) })
}

/// A path as the guard takes it; none where it is no text.
pub(crate) fn absolute(path: &Path) -> Option<AbsPath> {
    AbsPath::new(path.to_str()?).ok()
}
