//! The content of trusted project policies, kept beside the trust records.
//!
//! A policy that changed after it was trusted takes no effect by itself: what was trusted stays in
//! force, and is read from here. Content is used only if its hash is the one in the trust record.

use ringfence_core::path::AbsPath;
use ringfence_manifest::MAX_BYTES;

use super::bundle::{Bundle, Fingerprint};
use super::locations::PolicyLocations;
use super::record_file::RecordFile;

/// The maximum size of one policy with all that it extends.
const LONGEST: usize = 4 * MAX_BYTES;

/// The directory of trusted contents; each file is named after the hash of its content.
#[derive(Debug, Clone)]
pub(super) struct TrustedContents {
    state_dir: AbsPath,
    user: u32,
}

impl TrustedContents {
    /// Returns the contents at these locations, without reading them.
    pub(super) fn new(places: &PolicyLocations) -> TrustedContents {
        TrustedContents { state_dir: places.state_dir.clone(), user: places.user }
    }

    /// Returns the path of a content, whether it exists or not.
    pub(super) fn path(&self, hash: &Fingerprint) -> Option<AbsPath> {
        self.directory().ok()?.child(&hash.to_string()).ok()
    }

    /// Keeps a content.
    pub(super) fn keep(&self, bundle: &Bundle) -> Result<(), String> {
        self.file(&bundle.fingerprint())?.change(|_| Ok(bundle.to_bytes()))
    }

    /// Returns the content with this hash. Returns `None` if it was not kept, or is not the same.
    pub(super) fn read(&self, hash: &Fingerprint) -> Option<Bundle> {
        let bytes = self.file(hash).ok()?.read().ok()??;
        Bundle::from_bytes(&bytes).filter(|bundle| bundle.fingerprint() == *hash)
    }

    /// Removes a content that no record needs any more.
    pub(super) fn remove(&self, hash: &Fingerprint) {
        // A content without a record is never read.
        let _ = self.file(hash).and_then(|file| file.remove());
    }

    fn directory(&self) -> Result<AbsPath, String> {
        self.state_dir.child("trusted").map_err(|error| error.to_string())
    }

    fn file(&self, hash: &Fingerprint) -> Result<RecordFile, String> {
        let directory = self.directory()?;
        Ok(RecordFile::in_directory(directory, self.user, hash.to_string(), LONGEST))
    }
}
