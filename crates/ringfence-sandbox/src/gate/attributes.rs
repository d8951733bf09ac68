//! Changes of what is known about a file: permissions, owners, times, extended attributes.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use super::broker::Job;
use super::files::{Gives, Prepared, about, is_path, stat};
use super::judge::Deed;
use super::place::{Last, find, open_at};
use super::target::{Target, open_path};
use super::wanted::{Attribute, Of};
use crate::child::Operation;

/// Prepares a change of what is known about a file.
pub(super) fn prepare(target: Target, of: &Of, change: Attribute) -> io::Result<Prepared> {
    let (object, path) = match of {
        Of::Path(named, follow) => {
            let last = if *follow { Last::Followed } else { Last::Itself };
            let place = find(target, named.from, &named.path, last)?;
            let object = open_at(&place)?;
            match place.object {
                Some(_) => (inside(target, object, &place.path)?, place.path),
                None => (object, place.path),
            }
        }
        Of::Descriptor(fd) => {
            let what = format!("fd/{fd}");
            let (object, path) = (open_path(&target.proc(&what))?, target.link(&what)?);
            (inside(target, object, &path)?, path)
        }
    };
    let kind = about(&object)?.file_type();
    let rights_of_others = libc::S_ISUID | libc::S_ISGID;
    if matches!(change, Attribute::Mode(mode) if mode & rights_of_others != 0 && !kind.is_dir()) {
        return Err(io::Error::from_raw_os_error(libc::EPERM));
    }
    let is_device = kind.is_char_device();
    let is_judged = !is_device && is_path(&path) && !path.starts_with("/proc");
    let deeds = if is_judged { vec![(Deed::About, path)] } else { Vec::new() };
    let job = job_for(object, change);
    Ok(Prepared::new(deeds, job, Gives::Nothing))
}

/// What a process has open, as it lies in the tree.
///
/// A standard stream was opened outside: by the name that it has there something else may lie in
/// the tree, or nothing, and then the tree has no business with it. What does lie there is changed
/// as what lies there, where it may be read-only.
fn inside(target: Target, object: OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    let own = stat(&object)?;
    if !is_path(path) || own.st_nlink == 0 {
        return Ok(object);
    }
    let name = CString::new(path.as_os_str().as_bytes())?;
    let there = find(target, libc::AT_FDCWD, &name, Last::Itself).and_then(|own| open_at(&own));
    let is_same = |there: &OwnedFd| {
        stat(there).is_ok_and(|there| (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino))
    };
    let refused = io::Error::from_raw_os_error(libc::EACCES);
    there.ok().filter(is_same).ok_or(refused)
}

fn job_for(object: OwnedFd, change: Attribute) -> Job {
    let fds = vec![object];
    match change {
        Attribute::Mode(mode) => Job { mode, ..Job::new(Operation::Mode, fds) },
        Attribute::Owner(user, group) => {
            let numbers = [u64::from(user), u64::from(group), 0, 0];
            Job { numbers, ..Job::new(Operation::Owner, fds) }
        }
        Attribute::Times(None) => Job { flags: 1, ..Job::new(Operation::Times, fds) },
        Attribute::Times(Some(numbers)) => Job { numbers, ..Job::new(Operation::Times, fds) },
        Attribute::Set(name, value, flags) => {
            let texts = [name.into_bytes(), value];
            Job { texts, flags, ..Job::new(Operation::SetAttribute, fds) }
        }
        Attribute::Remove(name) => {
            let texts = [name.into_bytes(), Vec::new()];
            Job { texts, ..Job::new(Operation::RemoveAttribute, fds) }
        }
    }
}
