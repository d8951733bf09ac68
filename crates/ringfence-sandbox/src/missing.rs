//! Files that were to be hidden, and were not at their paths when the covers were laid.
//!
//! A file that was removed needs no cover. One that was moved away for a moment may be back at its
//! path when the command runs, without a cover.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::child::Hidden;
use crate::plan::Pin;

/// What is to be hidden, with its pins in the same order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Missing<'a> {
    pub(crate) hidden: &'a [Hidden],
    pub(crate) pins: &'a [Arc<Pin>],
}

impl Missing<'_> {
    /// Returns the path of a file that the init did not find and that was not removed.
    pub(crate) fn moved(self) -> Option<PathBuf> {
        let mut both = self.hidden.iter().zip(self.pins);
        let (hidden, _) =
            both.find(|(own, pin)| own.missing.load(Ordering::Acquire) && !pin.is_removed())?;
        Some(OsStr::from_bytes(hidden.object.path.as_bytes()).into())
    }
}
