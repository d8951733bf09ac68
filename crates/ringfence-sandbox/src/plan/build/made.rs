//! Directories that are granted and may not be there yet.
//!
//! Who may write whatever lies in a directory expects to find it: a cache is granted before the
//! program that fills it first runs. Only the home directory is looked at. In the project an empty
//! directory can mean something (`vendor`), and who makes one there is granted its name.

use ringfence_core::Effect;
use ringfence_core::access::FileOp;
use ringfence_core::judge::RuleKind;
use ringfence_core::path::AbsPath;

use super::trees::{Trees, deeper, is_grant, is_whole, may_change};
use crate::plan::Rights;

impl Trees<'_> {
    /// Whether a directory is made where it is missing: it is granted as a whole, in the home
    /// directory, and no rule stands against it or what would be made above it.
    pub(super) fn is_made(&self, path: &AbsPath) -> bool {
        let context = self.site.context;
        let is_home = |own: &AbsPath| context.home.starts_with(own);
        let in_home = path.starts_with(&context.home) && !is_home(path);
        let in_project = context.root.iter().any(|root| deeper(root, path).is_some());
        if !in_home || in_project || !self.is_granted(path) {
            return false;
        }
        // The run makes it by itself where it can, and reads it there as well.
        let above = path.parent().map_or(Rights::NONE, |above| self.rights_at(&above));
        let makes = above.has(Rights::READ) && above.has(Rights::WRITE);
        if makes && self.oracle.at(FileOp::Write, path) == Effect::Allow {
            return false;
        }
        let missing = std::iter::successors(Some(path.clone()), AbsPath::parent)
            .take_while(|own| !is_home(own) && self.site.host.entry(own).kind().is_none());
        let missing: Vec<AbsPath> = missing.collect();
        let there = missing.last().map_or(Some(path.clone()), AbsPath::parent);
        there.is_some_and(|there| self.site.is_dir(&there))
            && !missing.iter().any(|own| self.oracle.objects_to_writing(own))
    }

    /// Whether a directory is there, or will be when the run begins.
    pub(super) fn is_there(&self, path: &AbsPath) -> bool {
        self.site.is_dir(path) || self.made.contains(path)
    }

    /// Whether somebody grants all that lies in a directory, for writing and without a question.
    fn is_granted(&self, path: &AbsPath) -> bool {
        let mut grants = self.places.iter().filter(|own| *own.literal == *path);
        grants.any(|own| {
            let allows = is_grant(own) && own.kind == RuleKind::Allow;
            allows && may_change(own) && own.rights.write && is_whole(own.rest)
        }) && self.oracle.somewhere_below(FileOp::Write, path) == Effect::Allow
    }
}
