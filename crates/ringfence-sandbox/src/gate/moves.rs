//! New names for what is there already: links and renames, with all that lies below.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::broker::Job;
use super::files::{Gives, Prepared, about, stat};
use super::judge::{Deed, NewLink};
use super::place::{Last, Place, find};
use super::target::Target;
use super::wanted::Named;
use crate::child::Operation;

/// The most files below a directory that is renamed; of more, one by one is judged.
const MOST_BELOW: usize = 4096;

/// A second name has the rights of both. What was made without a name gets its first one.
pub(super) fn link(target: Target, from: &Named, to: &Named, follow: bool) -> io::Result<Prepared> {
    let last = if follow { Last::Followed } else { Last::Itself };
    let from = find(target, from.from, &from.path, last)?;
    let to = find(target, to.from, &to.path, Last::Itself)?;
    let is_nameless = match &from.object {
        Some(object) => about(object)?.nlink() == 0,
        None => false,
    };
    let links = match &from.object {
        // What it says is not asked: hardly anybody opens a link itself.
        Some(object) if is_link(object)? => vec![NewLink { at: to.path.clone(), leads: None }],
        Some(_) => Vec::new(),
        None => made(&within(&from), &to.path).into_iter().collect(),
    };
    let mut deeds = vec![(Deed::Write, to.path)];
    if !is_nameless {
        deeds.extend([(Deed::Read, from.path.clone()), (Deed::Write, from.path)]);
    }
    let (operation, start) = match from.object {
        Some(object) => (Operation::LinkOpen, object),
        None => (Operation::Link, from.directory),
    };
    let mut job = Job::new(operation, vec![start, to.directory]);
    job.texts = [from.name.into_bytes(), to.name.into_bytes()];
    Ok(Prepared { links, ..Prepared::new(deeds, job, Gives::Nothing) })
}

pub(super) fn rename(target: Target, from: &Named, to: &Named, flags: i32) -> io::Result<Prepared> {
    let from = find(target, from.from, &from.path, Last::Itself)?;
    let to = find(target, to.from, &to.path, Last::Itself)?;
    let mut all = Moved::default();
    all.take(&from, &to)?;
    if flags & libc::RENAME_EXCHANGE as i32 != 0 {
        all.take(&to, &from)?;
    }
    if flags & libc::RENAME_WHITEOUT as i32 != 0 {
        // It leaves something behind that was not there.
        all.deeds.push((Deed::Write, from.path.clone()));
    }
    let Moved { deeds, links } = all;
    let mut job = Job::new(Operation::Rename, vec![from.directory, to.directory]);
    job.flags = flags;
    job.texts = [from.name.into_bytes(), to.name.into_bytes()];
    Ok(Prepared { links, ..Prepared::new(deeds, job, Gives::Nothing) })
}

/// What is done to all that moves. Under its new name it may be readable.
#[derive(Debug, Default)]
struct Moved {
    deeds: Vec<(Deed, PathBuf)>,
    links: Vec<NewLink>,
}

impl Moved {
    /// One that moves, with what lies below it: all of it leaves its place and appears at another.
    fn take(&mut self, from: &Place, to: &Place) -> io::Result<()> {
        let root = within(from);
        self.leave(from.path.clone(), to.path.clone());
        self.links.extend(made(&root, &to.path));
        if !fs::symlink_metadata(&root).is_ok_and(|about| about.is_dir()) {
            return Ok(());
        }
        let mut left = vec![PathBuf::new()];
        let mut count: usize = 0;
        while let Some(below) = left.pop() {
            for entry in fs::read_dir(root.join(&below))? {
                let entry = entry?;
                count = count.saturating_add(1);
                if count > MOST_BELOW {
                    // Programs then copy and remove, and each of that is judged.
                    return Err(io::Error::from_raw_os_error(libc::EXDEV));
                }
                let name = below.join(entry.file_name());
                self.leave(from.path.join(&name), to.path.join(&name));
                let kind = entry.file_type()?;
                if kind.is_symlink() {
                    self.links.extend(made(&root.join(&name), &to.path.join(&name)));
                }
                if kind.is_dir() {
                    left.push(name);
                }
            }
        }
        Ok(())
    }

    fn leave(&mut self, from: PathBuf, to: PathBuf) {
        let own = [(Deed::Read, from.clone()), (Deed::Delete, from), (Deed::Write, to)];
        self.deeds.extend(own);
    }
}

/// Returns the link that appears at a path, if a link lies here. It is read once: whether it is a
/// link and where it leads are one answer.
fn made(here: &Path, at: &Path) -> Option<NewLink> {
    match fs::read_link(here) {
        Ok(leads) => Some(NewLink { at: at.to_owned(), leads: Some(leads) }),
        // No link, or nothing at all.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => Some(NewLink { at: at.to_owned(), leads: None }),
    }
}

/// A name in its directory, whatever lies on the way there.
fn within(place: &Place) -> PathBuf {
    let root = PathBuf::from(format!("/proc/self/fd/{}", place.directory.as_raw_fd()));
    root.join(OsStr::from_bytes(place.name.to_bytes()))
}

/// Whether what is open is itself a link.
fn is_link(object: &OwnedFd) -> io::Result<bool> {
    Ok(stat(object)?.st_mode & libc::S_IFMT == libc::S_IFLNK)
}
