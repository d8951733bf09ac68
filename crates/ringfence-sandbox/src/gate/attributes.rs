//! Changes of a file's metadata: permissions, owners, times, extended attributes.

use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use super::broker::Job;
use super::files::{Gives, Prepared, about, is_path, stat};
use super::judge::Deed;
use super::place::{Last, find, open_at, path_of};
use super::target::Target;
use super::wanted::{Attribute, Of};
use crate::child::Operation;

/// Prepares a change of a file's metadata.
///
/// INVARIANT: The file is opened once, as a place. The path that is judged and the file that is
/// changed are both those of that descriptor, which the tree cannot replace.
pub(super) fn prepare(target: Target, of: &Of, change: Attribute) -> io::Result<Prepared> {
    let object = match of {
        Of::Path(named, follow) => {
            let last = if *follow { Last::Followed } else { Last::Itself };
            let place = find(target, named.from, &named.path, last)?;
            let object = open_at(&place)?;
            if place.object.is_some() { inside(target, object)? } else { object }
        }
        Of::Descriptor(fd) => inside(target, target.directory(*fd)?)?,
    };
    let path = path_of(&object)?;
    let kind = about(&object)?.file_type();
    let rights_of_others = libc::S_ISUID | libc::S_ISGID;
    if matches!(change, Attribute::Mode(mode) if mode & rights_of_others != 0 && !kind.is_dir()) {
        return Err(io::Error::from_raw_os_error(libc::EPERM));
    }
    // Nothing is changed in `/proc`: it is mounted so.
    let is_judged = is_path(&path) && !path.starts_with("/proc");
    let deeds = if is_judged { vec![(Deed::About, path)] } else { Vec::new() };
    let job = job_for(object, change);
    Ok(Prepared::new(deeds, job, Gives::Nothing))
}

/// Returns the file of a descriptor as it lies in the tree.
///
/// A standard stream was opened outside: by the name that it has there something else may lie in
/// the tree, or nothing, and then the change is refused. The file in the tree is changed instead,
/// where its mount may be read-only.
fn inside(target: Target, object: OwnedFd) -> io::Result<OwnedFd> {
    let (own, path) = (stat(&object)?, path_of(&object)?);
    if !is_path(&path) || own.st_nlink == 0 {
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
