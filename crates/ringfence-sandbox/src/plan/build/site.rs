//! What lies where, as far as trees can be bound to it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ringfence_core::Context;
use ringfence_core::host::Host;
use ringfence_core::path::{AbsPath, EntryKind};

use super::lister::Lister;
use super::shelf::Shelf;
use crate::plan::Mounts;

/// The host, its directories, and what was already seen of it.
pub(super) struct Site<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) lister: &'a dyn Lister,
    pub(super) shelf: Option<&'a dyn Shelf>,
    pub(super) context: &'a Context,
    /// What is seen under several paths.
    pub(super) mounts: Mounts,
    /// Whether that could be told.
    pub(super) knows_mounts: bool,
    known: RefCell<BTreeMap<AbsPath, Option<EntryKind>>>,
}

impl<'a> Site<'a> {
    pub(super) fn new(
        host: &'a dyn Host,
        lister: &'a dyn Lister,
        shelf: Option<&'a dyn Shelf>,
        context: &'a Context,
    ) -> Site<'a> {
        let mounts = lister.mounts();
        let knows_mounts = mounts.is_some();
        let (mounts, known) = (mounts.unwrap_or_default(), RefCell::default());
        Site { host, lister, shelf, context, mounts, knows_mounts, known }
    }

    /// What lies at a path; `None` where nothing does, or where a link is or leads there.
    ///
    /// A rule that means what lies behind a link has that place too, unless the link may not move
    /// it: so what is reached by a link is never bound to by that name.
    pub(super) fn kind(&self, path: &AbsPath) -> Option<EntryKind> {
        if let Some(known) = self.known.borrow().get(path) {
            return *known;
        }
        let kind = match path.parent() {
            None => Some(EntryKind::Dir),
            Some(parent) if self.kind(&parent) == Some(EntryKind::Dir) => {
                self.host.entry(path).kind().filter(|kind| *kind != EntryKind::Link)
            }
            Some(_) => None,
        };
        self.known.borrow_mut().insert(path.clone(), kind);
        kind
    }

    /// Whether there is a directory.
    pub(super) fn is_dir(&self, path: &AbsPath) -> bool {
        self.kind(path) == Some(EntryKind::Dir)
    }

    /// Whether a tree belongs to the system, where next to nothing changes from day to day.
    pub(super) fn is_system(&self, path: &AbsPath) -> bool {
        self.context.system.iter().any(|own| path.starts_with(own))
    }
}
