//! Files that were to be hidden, and were not at their paths when the covers were laid.
//!
//! A file that was removed needs no cover. One that was moved away for a moment may be back at its
//! path when the command runs, without a cover.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::child::{Cover, Hidden};
use crate::plan::Pin;
use crate::sys::Inode;

/// What is to be hidden, with its pins in the same order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Missing<'a> {
    pub(crate) hidden: &'a [Hidden],
    pub(crate) pins: &'a [Arc<Pin>],
}

impl Missing<'_> {
    /// The inodes of what is hidden, and their paths.
    pub(crate) fn inodes(self) -> impl Iterator<Item = (Inode, PathBuf)> {
        let is_file = |(own, _): &(&Hidden, &Arc<Pin>)| own.cover == Cover::File;
        let both = self.hidden.iter().zip(self.pins).filter(is_file);
        both.map(|(own, pin)| (pin.inode, OsStr::from_bytes(own.object.path.as_bytes()).into()))
    }

    /// Returns the path of a file that the init did not find and that was not removed.
    pub(crate) fn moved(self) -> Option<PathBuf> {
        let mut both = self.hidden.iter().zip(self.pins);
        let (hidden, _) =
            both.find(|(own, pin)| own.missing.load(Ordering::Acquire) && !pin.is_removed())?;
        Some(OsStr::from_bytes(hidden.object.path.as_bytes()).into())
    }
}
