//! A project's policy and every file it extends; a person trusts them together.

use std::fmt;
use std::path::Path;

use ringfence_core::path::AbsPath;
use ringfence_manifest::{Errors, Format, MAX_BYTES, Source};
use sha2::{Digest, Sha256};

use super::policy_file::PolicyFile;
use super::safe_open::{self, Links};

/// The files of a project's policy, the policy itself first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bundle(Vec<(Box<str>, Vec<u8>)>);

/// The SHA-256 hash of the names and contents of a policy's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Bundle {
    /// Builds a bundle from files already read.
    pub(super) fn new(root: &AbsPath, files: Vec<PolicyFile>) -> Bundle {
        let named = |file: PolicyFile| (name_in(Some(root), &file.path).into(), file.bytes);
        Bundle(files.into_iter().map(named).collect())
    }

    /// Reads the named files again. Returns `None` if any of them cannot be read.
    pub(super) fn read(root: &AbsPath, names: &[Box<str>]) -> Option<Bundle> {
        let read = |name: &str| {
            let path = root.join(name).ok()?;
            let bytes =
                safe_open::read(Path::new(path.as_str()), Links::Refused, MAX_BYTES).ok()?;
            Some((name.into(), bytes))
        };
        names.iter().map(|name| read(name)).collect::<Option<_>>().map(Bundle)
    }

    /// Returns the names of the files, the policy itself first.
    pub(super) fn names(&self) -> Vec<Box<str>> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Parses the file `name` as a document's text. Returns `None` if the bundle does not contain
    /// it.
    pub(super) fn source(&self, name: &str, path: &AbsPath) -> Option<Result<Source, Errors>> {
        self.source_as(name, path, name)
    }

    /// Parses the file `name` as a document's text, under another name in messages.
    pub(super) fn source_as(
        &self,
        name: &str,
        path: &AbsPath,
        shown: &str,
    ) -> Option<Result<Source, Errors>> {
        let (_, bytes) = self.0.iter().find(|(known, _)| &**known == name)?;
        let format = Format::of_path(name)?;
        Some(Source::from_bytes(shown, format, bytes).map(|source| source.at(path.as_str())))
    }

    /// Serializes the names and contents. Each part is preceded by its length, so that no byte can
    /// move from one file to the next unnoticed.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for part in self.0.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]) {
            let length = u64::try_from(part.len()).unwrap_or(u64::MAX);
            all.extend_from_slice(&length.to_le_bytes());
            all.extend_from_slice(part);
        }
        all
    }

    /// Parses what [`to_bytes`](Self::to_bytes) returned. Returns `None` if the bytes are anything
    /// else.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Bundle> {
        let mut rest = bytes;
        let mut files = Vec::new();
        while !rest.is_empty() {
            let name = std::str::from_utf8(take_part(&mut rest)?).ok()?;
            files.push((name.into(), take_part(&mut rest)?.to_vec()));
        }
        Some(Bundle(files))
    }

    /// Returns the hash of the bundle.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new_with_prefix(b"ringfence trust 1\0");
        hash.update(self.to_bytes());
        Fingerprint(hash.finalize().into())
    }
}

/// Takes one part and its length from the start of the bytes.
fn take_part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<8>()?;
    let (part, after) = after.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)?;
    *rest = after;
    Some(part)
}

/// Returns a path relative to the root, or the whole path if it lies outside.
pub(super) fn name_in(root: Option<&AbsPath>, path: &AbsPath) -> String {
    let below = root.and_then(|root| path.as_str().strip_prefix(root.as_str()));
    match below.and_then(|below| below.strip_prefix('/')) {
        Some(name) if root.is_some_and(|root| path.starts_with(root)) => name.to_owned(),
        _ => path.as_str().to_owned(),
    }
}

impl Fingerprint {
    /// Parses 64 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Fingerprint> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut hash = [0; 32];
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Fingerprint(hash))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
