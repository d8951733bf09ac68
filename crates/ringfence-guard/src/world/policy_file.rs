//! Single policy files: found, opened, and looked at before they are relied on.

use std::path::Path;

use ringfence_core::path::AbsPath;
use ringfence_manifest::{Format, MAX_BYTES, Source};
use rustix::fs::Stat;
use rustix::io::Errno;

use super::document_error::DocumentError;
use super::file::{self, Links, Unread};
use super::real_path::follow;

/// What a file must be like before it is relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Care<'a> {
    /// It belongs to this user, and nobody else may write it.
    Organisation(u32),
    /// It belongs to this user or to root, and not everybody may write it.
    User(u32),
    /// It lies in this directory, links followed.
    Within(&'a AbsPath),
    /// A person named it.
    Named,
}

/// A policy file that was read.
#[derive(Debug, Clone)]
pub(super) struct PolicyFile {
    /// Where it really lies.
    pub(super) path: AbsPath,
    /// Its content, byte by byte.
    pub(super) bytes: Vec<u8>,
    /// Its content as a document's text.
    pub(super) source: Source,
}

/// Whether there may be any file in a directory: it is there, or that cannot be told.
pub(super) fn may_be_in(directory: &AbsPath) -> bool {
    !matches!(rustix::fs::stat(directory.as_str()), Err(Errno::NOENT | Errno::NOTDIR))
}

/// The one file that lies in a directory under any of these names; `None` where none does.
pub(super) fn find(directory: &AbsPath, names: &[&str]) -> Result<Option<AbsPath>, DocumentError> {
    let mut found: Option<AbsPath> = None;
    for path in names.iter().filter_map(|name| directory.child(name).ok()) {
        match rustix::fs::lstat(path.as_str()) {
            Err(Errno::NOENT | Errno::NOTDIR) => continue,
            Err(errno) => {
                return Err(DocumentError::unusable(path.as_str(), file::describe(errno)));
            }
            // A link that leads nowhere is a policy that cannot be read, not one that is missing.
            Ok(_) => {}
        }
        if let Some(first) = found {
            return Err(DocumentError::ambiguous(first, path));
        }
        found = Some(path);
    }
    Ok(found)
}

/// Reads a policy file with care, under the name by which people know it.
pub(super) fn read(
    path: &AbsPath,
    name: impl FnOnce(&AbsPath) -> String,
    care: Care<'_>,
) -> Result<PolicyFile, DocumentError> {
    let refuse = |reason: String| DocumentError::unusable(path.as_str(), reason);
    let format = Format::of_path(path.as_str()).ok_or_else(|| {
        refuse(
            "its name has none of the endings `.toml`, `.yaml`, `.yml`, `.json`, `.jsonc`".into(),
        )
    })?;
    let real = follow(path.as_str()).map_err(|error| {
        refuse(match error {
            Errno::ILSEQ | Errno::NAMETOOLONG => "its path is not UTF-8, or too long".into(),
            error => words(&error.into()),
        })
    })?;
    check_place(&real, care).map_err(|reason| with_remedy(refuse(reason), care))?;
    let (file, stat) = file::open(Path::new(real.as_str()), Links::Refused)
        .map_err(|unread| refuse(unread.reason()))?;
    check_stat(&stat, care).map_err(|reason| with_remedy(refuse(reason), care))?;
    // One byte more than is taken, so that a document too long is told by its reader.
    let bytes = file::read_open(file, &stat, MAX_BYTES.saturating_add(1));
    let bytes = bytes.map_err(|unread| {
        refuse(match unread {
            Unread::Long => format!("it is longer than {} MiB", MAX_BYTES / (1024 * 1024)),
            unread => unread.reason(),
        })
    })?;
    let source = Source::from_bytes(name(&real), format, &bytes)?.at(real.as_str());
    Ok(PolicyFile { path: real, bytes, source })
}

/// Where the file lies must be as trustworthy as the file.
fn check_place(real: &AbsPath, care: Care<'_>) -> Result<(), String> {
    match care {
        Care::Named => Ok(()),
        Care::Within(root) if real.starts_with(root) => Ok(()),
        Care::Within(root) => Err(format!("it leads out of `{root}` to another place")),
        Care::Organisation(_) | Care::User(_) => {
            let directory = real.parent().unwrap_or_else(AbsPath::root);
            let stat = rustix::fs::stat(directory.as_str()).map_err(file::describe)?;
            check_stat(&stat, care).map_err(|reason| format!("of its directory, {reason}"))
        }
    }
}

fn check_stat(stat: &Stat, care: Care<'_>) -> Result<(), String> {
    let (owners, forbidden) = match care {
        Care::Organisation(owner) => ([owner, owner], 0o022),
        Care::User(user) => ([user, 0], 0o002),
        Care::Within(_) | Care::Named => return Ok(()),
    };
    if !owners.contains(&stat.st_uid) {
        return Err(format!("it belongs to the user `{}`", stat.st_uid));
    }
    match stat.st_mode & forbidden {
        0 => Ok(()),
        bits if bits & 0o002 != 0 => Err("everybody may write it".to_owned()),
        _ => Err("its group may write it".to_owned()),
    }
}

fn with_remedy(error: DocumentError, care: Care<'_>) -> DocumentError {
    match care {
        Care::Within(_) => error.with_hint("keep it, and all that it extends, in the project"),
        _ => error.with_hint("give it to its owner with `chown`, and keep others out with `chmod`"),
    }
}

fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
#[path = "policy_file_tests.rs"]
mod tests;
