//! Where a path really lies.
//!
//! The C library's own function takes and gives back memory at every call. Where another process
//! shares this one's memory, as the first process of a run does, each return stops that one's
//! processor for a moment; musl makes one for every call.

use std::borrow::Cow;

use ringfence_core::path::AbsPath;
use rustix::fs::{CWD, FileType, readlinkat_raw};
use rustix::io::Errno;

/// Links that are followed in one path; the kernel stops there too.
const LINKS: usize = 40;

/// The kernel takes no longer path, its end included.
const LONGEST: usize = 4096;

/// Where a path really lies; as it is named where nothing is there.
pub(super) fn real_path(path: &AbsPath) -> AbsPath {
    follow(path.as_str()).unwrap_or_else(|_| path.clone())
}

/// Follows every link in an absolute path. What is not UTF-8 is an illegal sequence.
///
/// # Errors
///
/// The kernel's: nothing is there, something in between is no directory, links form a ring.
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
        // Only a directory may be followed by anything, be it nothing but a slash.
        if matches!(rest, Some("")) || next_is_dots(rest) {
            is_directory(&real)?;
        }
    }
    AbsPath::new(if real.is_empty() { "/" } else { &real }).map_err(|_| Errno::NAMETOOLONG)
}

/// Whether the next name says nothing by itself: the kernel is not asked about it.
fn next_is_dots(rest: Option<&str>) -> bool {
    let next = rest.and_then(|rest| rest.split('/').next());
    matches!(next, Some("" | "." | ".."))
}

/// Where a link leads; nothing where there is something else.
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

/// An error where something else than a directory lies.
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
