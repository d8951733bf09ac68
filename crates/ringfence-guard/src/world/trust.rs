//! Records of the project policies that people have trusted.
//!
//! A project's policy applies in full only after a person trusted exactly its bytes, those of every
//! file it extends, and its location. A copy elsewhere is untrusted. After a change, the content that
//! was trusted stays in force. Unusable records trust nothing.

use std::fmt;

use ringfence_core::Date;
use ringfence_core::path::AbsPath;

use super::bundle::{Bundle, Fingerprint};
use super::locations::PolicyLocations;
use super::project::TrustCandidate;
use super::record_file::RecordFile;
use super::trust_json;
use super::trusted_contents::TrustedContents;

/// The maximum size of the records in bytes.
const LONGEST: usize = 1024 * 1024;

/// The record of one trusted project policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustRecord {
    /// The project root, without symlinks.
    pub root: AbsPath,
    /// The files, relative to the root; the policy itself first.
    pub files: Vec<Box<str>>,
    /// The hash of the files' names and contents.
    pub fingerprint: Fingerprint,
    /// The date on which it was trusted.
    pub since: Date,
}

/// The file of trust records.
#[derive(Debug, Clone)]
pub struct TrustRecords {
    file: RecordFile,
    contents: TrustedContents,
}

impl TrustRecords {
    /// Returns the records at these locations, without reading them.
    pub fn new(places: &PolicyLocations) -> TrustRecords {
        TrustRecords {
            file: RecordFile::new(places, "trust.json", LONGEST),
            contents: TrustedContents::new(places),
        }
    }

    /// Returns all records, sorted by root.
    pub fn list(&self) -> Result<Vec<TrustRecord>, TrustError> {
        self.file.read().and_then(parse).map_err(|reason| self.bad(reason))
    }

    /// Returns the record of a root.
    pub fn find(&self, root: &AbsPath) -> Result<Option<TrustRecord>, TrustError> {
        Ok(self.list()?.into_iter().find(|trusted| &trusted.root == root))
    }

    /// Returns whether files with this hash are trusted at a root.
    pub fn is_trusted(&self, root: &AbsPath, hash: &Fingerprint) -> Result<bool, TrustError> {
        Ok(self.find(root)?.is_some_and(|trusted| &trusted.fingerprint == hash))
    }

    /// Trusts a policy as it was read. Keeps its content, and replaces an earlier record of the same
    /// root.
    pub fn trust(&self, candidate: &TrustCandidate, today: Date) -> Result<(), TrustError> {
        self.contents.keep(candidate.bundle()).map_err(|reason| self.bad(reason))?;
        self.add(candidate.record(today))
    }

    /// Returns the paths of the files that say what is trusted at the root of these locations.
    pub fn files_here(&self, places: &PolicyLocations) -> Vec<AbsPath> {
        let record = places.root.as_ref().and_then(|root| self.find(root).ok().flatten());
        let content = record.and_then(|record| self.contents.path(&record.fingerprint));
        AbsPath::new(&self.file.path()).into_iter().chain(content).collect()
    }

    /// Returns the trusted content of a record, if it was kept.
    pub(super) fn content(&self, record: &TrustRecord) -> Option<Bundle> {
        self.contents.read(&record.fingerprint)
    }

    fn add(&self, trusted: TrustRecord) -> Result<(), TrustError> {
        self.change(|records| {
            records.retain(|known| known.root != trusted.root);
            records.push(trusted);
            records.sort_by(|one, two| one.root.cmp(&two.root));
        })
    }

    /// Removes the record of a root. Returns false if there was none.
    pub fn revoke(&self, root: &AbsPath) -> Result<bool, TrustError> {
        if self.find(root)?.is_none() {
            return Ok(false);
        }
        self.change(|records| records.retain(|known| &known.root != root))?;
        Ok(true)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<TrustRecord>)) -> Result<(), TrustError> {
        let mut unused: Vec<Fingerprint> = Vec::new();
        let changed = self.file.change(|before| {
            let mut records = parse(before)?;
            unused.extend(records.iter().map(|record| record.fingerprint));
            change(&mut records);
            unused.retain(|hash| records.iter().all(|record| record.fingerprint != *hash));
            Ok(trust_json::print(&records).into_bytes())
        });
        changed.map_err(|reason| self.bad(reason))?;
        unused.iter().for_each(|hash| self.contents.remove(hash));
        Ok(())
    }

    fn bad(&self, reason: String) -> TrustError {
        TrustError { file: self.file.path(), reason }
    }
}

/// Parses the records; a missing file has none.
fn parse(bytes: Option<Vec<u8>>) -> Result<Vec<TrustRecord>, String> {
    bytes.map_or_else(|| Ok(Vec::new()), |bytes| trust_json::parse(&bytes))
}

/// Error: the trust records cannot be used or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustError {
    file: String,
    reason: String,
}

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no project is trusted, because `{}` cannot be used: {}", self.file, self.reason)
    }
}

impl std::error::Error for TrustError {}

#[cfg(test)]
#[path = "trust_tests.rs"]
mod tests;
