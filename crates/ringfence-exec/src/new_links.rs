//! Judges new symlinks by what they would stand for.

use ringfence_core::access::{Extent, FileAccess, FileOp};
use ringfence_core::path::{AbsPath, FilePath};
use ringfence_core::{Access, AccessKind};
use ringfence_sandbox::gate::{Deed, NewLink};

use crate::judge::GuardJudge;

impl GuardJudge {
    /// Returns the writes below new symlinks that a rule objects to: anything at a link's target
    /// would appear under the link's name. Links whose names no rule mentions are skipped.
    pub(crate) fn behind(&self, links: &[NewLink]) -> Vec<Access> {
        let judged = links.iter().filter(|link| !self.is_free(&link.at));
        // A link named `.git` is judged by that name.
        let judged = judged.filter(|link| {
            !(link.at.ends_with(".git") && self.repositories.is_plain(Deed::Write, &link.at))
        });
        judged.filter_map(|link| self.behind_one(link)).collect()
    }

    fn behind_one(&self, link: &NewLink) -> Option<Access> {
        let at = AbsPath::new(link.at.to_str()?).ok()?;
        let text = link.leads.as_ref().and_then(|leads| leads.to_str());
        let leads = text.and_then(|text| at.parent()?.join(text).ok());
        let below = self.guard.policy().forbidden_below_link(&self.scope, &at, leads.as_ref())?;
        let path = FilePath::named(below);
        let file = FileAccess { op: FileOp::Write, extent: Extent::One, path };
        Some(self.access(AccessKind::File(file)))
    }
}
