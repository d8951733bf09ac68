//! Finds, checks and reads single policy files.

use std::path::Path;

use ringfence_core::path::AbsPath;
use ringfence_manifest::{Format, MAX_BYTES, Source};
use rustix::fs::Stat;
use rustix::io::Errno;

use super::document_error::DocumentError;
use super::real_path::follow;
use super::safe_open::{self, Links, ReadError};

/// What a policy file must satisfy before it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileRequirement<'a> {
    /// This user owns the file, and no group or other user can write to it.
    Organisation(u32),
    /// This user or root owns the file, and it is not world-writable.
    User(u32),
    /// The file's real path lies in this directory.
    Within(&'a AbsPath),
    /// No requirement: a person named the file.
    Named,
}

/// A policy file that was read.
#[derive(Debug, Clone)]
pub(super) struct PolicyFile {
    /// The file's real path.
    pub(super) path: AbsPath,
    /// The file's content.
    pub(super) bytes: Vec<u8>,
    /// The content as a document's source text.
    pub(super) source: Source,
}

/// Returns whether a directory may contain files: it exists, or cannot be checked.
pub(super) fn may_be_in(directory: &AbsPath) -> bool {
    !matches!(rustix::fs::stat(directory.as_str()), Err(Errno::NOENT | Errno::NOTDIR))
}

/// Returns the file in a directory that has one of these names. Two such files are an error.
pub(super) fn find(directory: &AbsPath, names: &[&str]) -> Result<Option<AbsPath>, DocumentError> {
    let mut found: Option<AbsPath> = None;
    for path in names.iter().filter_map(|name| directory.child(name).ok()) {
        match rustix::fs::lstat(path.as_str()) {
            Err(Errno::NOENT | Errno::NOTDIR) => continue,
            Err(errno) => {
                return Err(DocumentError::unusable(path.as_str(), safe_open::describe(errno)));
            }
            // A dangling symlink is an unreadable policy, not a missing one.
            Ok(_) => {}
        }
        if let Some(first) = found {
            return Err(DocumentError::ambiguous(first, path));
        }
        found = Some(path);
    }
    Ok(found)
}

/// Reads a policy file and checks it against `care`. `name` returns the file's name for messages.
pub(super) fn read(
    path: &AbsPath,
    name: impl FnOnce(&AbsPath) -> String,
    care: FileRequirement<'_>,
) -> Result<PolicyFile, DocumentError> {
    let refuse = |reason: String| DocumentError::unusable(path.as_str(), reason);
    let format = Format::of_path(path.as_str()).ok_or_else(|| {
        refuse("its name does not end in `.toml`, `.yaml`, `.yml`, `.json`, `.jsonc`".into())
    })?;
    let real = follow(path.as_str()).map_err(|error| {
        refuse(match error {
            Errno::ILSEQ | Errno::NAMETOOLONG => "its path is not UTF-8, or too long".into(),
            error => words(&error.into()),
        })
    })?;
    check_place(&real, care).map_err(|reason| with_remedy(refuse(reason), care))?;
    let (file, stat) = safe_open::open(Path::new(real.as_str()), Links::Refused)
        .map_err(|unread| refuse(unread.reason()))?;
    check_stat(&stat, care).map_err(|reason| with_remedy(refuse(reason), care))?;
    // Reads one byte more than allowed, so that the parser reports the document as too long.
    let bytes = safe_open::read_open(file, &stat, MAX_BYTES.saturating_add(1));
    let bytes = bytes.map_err(|unread| {
        refuse(match unread {
            ReadError::Long => format!("it is longer than {} MiB", MAX_BYTES / (1024 * 1024)),
            unread => unread.reason(),
        })
    })?;
    let source = Source::from_bytes(name(&real), format, &bytes)?.at(real.as_str());
    Ok(PolicyFile { path: real, bytes, source })
}

/// Checks that the file's directory is as trustworthy as the file must be.
fn check_place(real: &AbsPath, care: FileRequirement<'_>) -> Result<(), String> {
    match care {
        FileRequirement::Named => Ok(()),
        FileRequirement::Within(root) if real.starts_with(root) => Ok(()),
        FileRequirement::Within(root) => Err(format!("it leads out of `{root}`")),
        FileRequirement::Organisation(_) | FileRequirement::User(_) => {
            let directory = real.parent().unwrap_or_else(AbsPath::root);
            let stat = rustix::fs::stat(directory.as_str()).map_err(safe_open::describe)?;
            check_stat(&stat, care).map_err(|reason| format!("its directory is unsafe: {reason}"))
        }
    }
}

fn check_stat(stat: &Stat, care: FileRequirement<'_>) -> Result<(), String> {
    let (owners, forbidden) = match care {
        FileRequirement::Organisation(owner) => ([owner, owner], 0o022),
        FileRequirement::User(user) => ([user, 0], 0o002),
        FileRequirement::Within(_) | FileRequirement::Named => return Ok(()),
    };
    if !owners.contains(&stat.st_uid) {
        return Err(format!("it belongs to the user `{}`", stat.st_uid));
    }
    match stat.st_mode & forbidden {
        0 => Ok(()),
        bits if bits & 0o002 != 0 => Err("everybody can write to it".to_owned()),
        _ => Err("its group can write to it".to_owned()),
    }
}

fn with_remedy(error: DocumentError, care: FileRequirement<'_>) -> DocumentError {
    match care {
        FileRequirement::Within(_) => {
            error.with_hint("keep it, and all that it extends, in the project")
        }
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
