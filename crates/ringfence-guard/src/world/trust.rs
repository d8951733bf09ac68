//! What people have trusted.
//!
//! A project's policy counts in full only once a person has trusted exactly its bytes, and those
//! of everything it extends, at exactly this place. A clone elsewhere and a changed byte are
//! untrusted again. Records that cannot be relied on trust nothing.

use std::fmt;

use ringfence_core::Date;
use ringfence_core::path::AbsPath;

use super::bundle::Fingerprint;
use super::places::Places;
use super::record_file::RecordFile;
use super::trust_json;

/// The longest records that are read, in bytes.
const LONGEST: usize = 1024 * 1024;

/// One thing that a person has trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trusted {
    /// The project's root, free of links.
    pub root: AbsPath,
    /// The files, the policy itself first, as seen from the root.
    pub files: Vec<Box<str>>,
    /// The hash of their names and bytes.
    pub fingerprint: Fingerprint,
    /// The day on which it was trusted.
    pub since: Date,
}

/// The records of what people have trusted.
#[derive(Debug, Clone)]
pub struct TrustRecords {
    file: RecordFile,
}

impl TrustRecords {
    /// The records at these places; nothing is read yet.
    pub fn new(places: &Places) -> TrustRecords {
        TrustRecords { file: RecordFile::new(places, "trust.json", LONGEST) }
    }

    /// Everything that is trusted, by root.
    pub fn list(&self) -> Result<Vec<Trusted>, BadRecords> {
        self.file.read().and_then(parse).map_err(|reason| self.bad(reason))
    }

    /// What is trusted at a root.
    pub fn find(&self, root: &AbsPath) -> Result<Option<Trusted>, BadRecords> {
        Ok(self.list()?.into_iter().find(|trusted| &trusted.root == root))
    }

    /// Whether files of this hash are trusted at a root.
    pub fn is_trusted(&self, root: &AbsPath, hash: &Fingerprint) -> Result<bool, BadRecords> {
        Ok(self.find(root)?.is_some_and(|trusted| &trusted.fingerprint == hash))
    }

    /// Records that a person trusts something, in place of what they trusted at the same root.
    pub fn trust(&self, trusted: Trusted) -> Result<(), BadRecords> {
        self.change(|records| {
            records.retain(|known| known.root != trusted.root);
            records.push(trusted);
            records.sort_by(|one, two| one.root.cmp(&two.root));
        })
    }

    /// Forgets what was trusted at a root; false if nothing was.
    pub fn revoke(&self, root: &AbsPath) -> Result<bool, BadRecords> {
        if self.find(root)?.is_none() {
            return Ok(false);
        }
        self.change(|records| records.retain(|known| &known.root != root))?;
        Ok(true)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Trusted>)) -> Result<(), BadRecords> {
        let changed = self.file.change(|before| {
            let mut records = parse(before)?;
            change(&mut records);
            Ok(trust_json::print(&records).into_bytes())
        });
        changed.map_err(|reason| self.bad(reason))
    }

    fn bad(&self, reason: String) -> BadRecords {
        BadRecords { file: self.file.path(), reason }
    }
}

/// The records; none where there is no file yet.
fn parse(bytes: Option<Vec<u8>>) -> Result<Vec<Trusted>, String> {
    bytes.map_or_else(|| Ok(Vec::new()), |bytes| trust_json::parse(&bytes))
}

/// The records cannot be relied on, or not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRecords {
    file: String,
    reason: String,
}

impl fmt::Display for BadRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing is trusted, as `{}` cannot be used: {}", self.file, self.reason)
    }
}

impl std::error::Error for BadRecords {}

#[cfg(test)]
#[path = "trust_tests.rs"]
mod tests;
