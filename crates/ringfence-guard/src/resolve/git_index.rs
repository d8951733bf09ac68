//! A strict reader of git's index.
//!
//! It takes versions 2 and 3 with SHA-1 names, without the extensions that change what the entries
//! mean. Everything else is refused, and so is an index whose checksum does not fit.

use std::collections::BTreeMap;

use sha1::{Digest, Sha1};

/// The name of an object.
pub(super) type ObjectId = [u8; 20];

/// A tracked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// The name of its staged content.
    pub(super) id: ObjectId,
    /// Whether it is a symbolic link.
    pub(super) is_link: bool,
}

/// The length of the fixed part of an entry.
const FIXED: usize = 62;
/// The length of the checksum at the end.
const CHECKSUM: usize = 20;

/// Reads an index: the tracked files by their paths, `None` for conflicts and for other repositories.
/// Returns `None` if anything about the index is not certain.
pub(super) fn read_index(bytes: &[u8]) -> Option<BTreeMap<String, Option<IndexEntry>>> {
    let (body, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if Sha1::digest(body).as_slice() != checksum {
        return None;
    }
    let (header, mut rest) = body.split_at_checked(12)?;
    let version = number(header, 4)?;
    if header.get(..4)? != b"DIRC" || !matches!(version, 2 | 3) {
        return None;
    }
    let mut tracked: BTreeMap<String, Option<IndexEntry>> = BTreeMap::new();
    let mut last: Option<(String, u16)> = None;
    for _ in 0..number(header, 8)? {
        let (own, length) = entry(rest, version)?;
        rest = rest.get(length..)?;
        let place = (own.path, own.stage);
        if last.as_ref().is_some_and(|last| *last >= place) {
            return None;
        }
        last = Some(place.clone());
        let known = own.entry.filter(|_| own.stage == 0);
        // A path with several stages is a conflict.
        let is_new = tracked.insert(place.0.clone(), known).is_none();
        if !is_new {
            tracked.insert(place.0, None);
        }
    }
    has_only_optional_extensions(rest).then_some(tracked)
}

/// Returns the name under which git keeps a content.
pub(super) fn blob_id(content: &[u8]) -> ObjectId {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", content.len()));
    hasher.update(content);
    hasher.finalize().into()
}

/// One entry as it stands in the index.
struct Raw {
    path: String,
    stage: u16,
    entry: Option<IndexEntry>,
}

/// Reads the entry at the start; returns it with its length.
fn entry(bytes: &[u8], version: u32) -> Option<(Raw, usize)> {
    const EXTENDED: u16 = 0x4000;
    let mode = number(bytes, 24)?;
    let id: ObjectId = bytes.get(40..60)?.try_into().ok()?;
    let flags = u16::from_be_bytes(bytes.get(60..FIXED)?.try_into().ok()?);
    let start = match (flags & EXTENDED != 0, version) {
        (false, _) => FIXED,
        (true, 3) => FIXED.checked_add(2)?,
        (true, _) => return None,
    };
    let name = bytes.get(start..)?;
    let length = name.iter().position(|byte| *byte == 0)?;
    let path = std::str::from_utf8(name.get(..length)?).ok()?;
    let stated = usize::from(flags & 0x0fff);
    if stated != length.min(0x0fff) || !is_plain(path) {
        return None;
    }
    // At least one zero, up to a multiple of eight.
    let end = start.checked_add(length)?;
    let padded = end.checked_div(8)?.checked_add(1)?.checked_mul(8)?;
    if bytes.get(end..padded)?.iter().any(|byte| *byte != 0) {
        return None;
    }
    let is_link = mode == 0o120_000;
    let is_file = matches!(mode, 0o100_644 | 0o100_755);
    let entry = (is_link || is_file).then_some(IndexEntry { id, is_link });
    Some((Raw { path: path.to_owned(), stage: (flags >> 12) & 3, entry }, padded))
}

fn is_plain(path: &str) -> bool {
    path.split('/')
        .all(|name| !matches!(name, "" | "." | "..") && !name.eq_ignore_ascii_case(".git"))
}

/// Returns whether what follows the entries can be passed over: by git's rule, extensions whose names
/// begin with a capital letter.
fn has_only_optional_extensions(mut rest: &[u8]) -> bool {
    while !rest.is_empty() {
        let length = number(rest, 4).and_then(|length| usize::try_from(length).ok());
        let Some(end) = length.and_then(|length| length.checked_add(8)) else { return false };
        let is_optional = rest.first().is_some_and(u8::is_ascii_uppercase);
        match rest.get(end..) {
            Some(more) if is_optional => rest = more,
            _ => return false,
        }
    }
    true
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let own = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(own.try_into().ok()?))
}
