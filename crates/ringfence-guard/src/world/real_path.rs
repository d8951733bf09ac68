//! Resolves symlinks in a path.
//!
//! It does not use `realpath` of the C library: that of musl maps and unmaps memory in every call. The
//! process that starts a run shares its memory with another process, and each unmap briefly interrupts
//! the processor of that one.

use std::borrow::Cow;

use ringfence_core::path::AbsPath;
use rustix::fs::{CWD, FileType, readlinkat_raw};
use rustix::io::Errno;

/// The maximum number of symlinks in one path, as in the kernel.
const LINKS: usize = 40;

/// The kernel's maximum path length, including the final NUL.
const LONGEST: usize = 4096;

/// Returns the real path, or the path unchanged if it cannot be resolved.
pub(super) fn real_path(path: &AbsPath) -> AbsPath {
    follow(path.as_str()).unwrap_or_else(|_| path.clone())
}

/// Resolves every symlink in an absolute path. A path that is not UTF-8 is `ILSEQ`.
///
/// # Errors
///
/// The same as the kernel's: a component does not exist or is not a directory, or the symlinks form
/// a loop.
pub fn follow(path: &str) -> Result<AbsPath, Errno> {
    if !path.starts_with('/') {
        return Err(Errno::INVAL);
    }
    let mut real = String::with_capacity(path.len());
    let mut text = Cow::Borrowed(path);
    let mut at = 0_usize;
    let mut links = 0_usize;
    while let Some(left) = text.get(at..).filter(|left| !left.is_empty()) {
        let (name, rest) =
            left.split_once('/').map_or((left, None), |(name, rest)| (name, Some(rest)));
        at = rest.map_or(text.len(), |rest| text.len().saturating_sub(rest.len()));
        let before = real.len();
        match name {
            "" | "." => {}
            ".." => real.truncate(real.rfind('/').unwrap_or_default()),
            name => {
                real.push('/');
                real.push_str(name);
                if let Some(target) = link(&real)? {
                    links = links.saturating_add(1);
                    if links > LINKS {
                        return Err(Errno::LOOP);
                    }
                    real.truncate(if target.starts_with('/') { 0 } else { before });
                    let rest = rest.map(|rest| format!("{target}/{rest}"));
                    text = Cow::Owned(rest.unwrap_or(target));
                    at = 0;
                    continue;
                }
            }
        }
        // Only a directory may be followed by another component or by a slash.
        if matches!(rest, Some("")) || next_is_dots(rest) {
            is_directory(&real)?;
        }
    }
    AbsPath::new(if real.is_empty() { "/" } else { &real }).map_err(|_| Errno::NAMETOOLONG)
}

/// Returns whether the next component is empty, `.` or `..`, about which the kernel is not asked.
fn next_is_dots(rest: Option<&str>) -> bool {
    let next = rest.and_then(|rest| rest.split('/').next());
    matches!(next, Some("" | "." | ".."))
}

/// Returns the target of a symlink, or `None` for any other file.
fn link(path: &str) -> Result<Option<String>, Errno> {
    let mut buffer = [0_u8; LONGEST];
    let length = match readlinkat_raw(CWD, path, &mut buffer[..]) {
        Err(Errno::INVAL) => return Ok(None),
        length => length?,
    };
    let target = buffer.get(..length).filter(|_| length < LONGEST).ok_or(Errno::NAMETOOLONG)?;
    let target = std::str::from_utf8(target).map_err(|_| Errno::ILSEQ)?;
    Ok(Some(target.to_owned()))
}

/// Returns an error unless the path is a directory.
fn is_directory(path: &str) -> Result<(), Errno> {
    if path.is_empty() {
        return Ok(());
    }
    let stat = rustix::fs::stat(path)?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Ok(()),
        _ => Err(Errno::NOTDIR),
    }
}

#[cfg(test)]
#[path = "real_path_tests.rs"]
mod tests;
