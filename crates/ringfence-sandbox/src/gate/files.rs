//! From what a call wants to what is judged and what is then carried out.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::attributes;
use super::broker::Job;
use super::judge::{Also, Deed, NewLink};
use super::moves::{link, rename};
use super::place::{Last, Place, find, open_at, path_of, without_mark};
use super::target::Target;
use super::wanted::{Named, Wanted};
use crate::child::Operation;
use crate::sys::{Inode, inode_of};

/// What is judged, and what is then carried out.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) deeds: Vec<(Deed, PathBuf)>,
    /// Symbolic links that are made.
    pub(super) links: Vec<NewLink>,
    /// The same deeds by other names.
    pub(super) also: Vec<Also>,
    /// A socket that is connected to, by its name.
    pub(super) socket: Option<PathBuf>,
    /// Its other names.
    pub(super) socket_names: Vec<PathBuf>,
    pub(super) job: Job,
    pub(super) gives: Gives,
    /// What is opened, watched or cut off, and is there already.
    pub(super) opens: Option<OpenedFile>,
}

impl Prepared {
    /// Deeds, and the job that does them.
    pub(super) fn new(deeds: Vec<(Deed, PathBuf)>, job: Job, gives: Gives) -> Prepared {
        let (links, also, socket_names) = (Vec::new(), Vec::new(), Vec::new());
        Prepared { deeds, links, also, socket: None, socket_names, job, gives, opens: None }
    }

    /// Whether a file may be read is said by trees, where it was asked whether rules hide it.
    pub(super) fn leave_reading(&mut self) {
        let is_opened = matches!(self.gives, Gives::Descriptor { .. } | Gives::Pipe { .. });
        if is_opened && self.deeds.iter().all(|(deed, _)| *deed == Deed::Read) {
            self.deeds.clear();
            self.also.clear();
        }
    }

    /// Whether the same is judged of both.
    pub(super) fn is_judged_as(&self, other: &Prepared) -> bool {
        let own = (&self.deeds, &self.links, &self.also, &self.socket, &self.socket_names);
        own == (&other.deeds, &other.links, &other.also, &other.socket, &other.socket_names)
    }
}

/// A file or directory that a call opens, watches or cuts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenedFile {
    pub(super) inode: Inode,
    pub(super) is_directory: bool,
    /// How many names it has.
    pub(super) links: u64,
}

impl OpenedFile {
    /// What was reached by a name. If that was removed by now the file has another one, or had.
    pub(super) fn named(fd: &OwnedFd) -> io::Result<OpenedFile> {
        let mut file = OpenedFile::of(&stat(fd)?);
        if file.links == 1 && without_mark(&path_of(fd)?).is_some() {
            file.links = 2;
        }
        Ok(file)
    }

    pub(super) fn of(about: &libc::stat) -> OpenedFile {
        let is_directory = about.st_mode & libc::S_IFMT == libc::S_IFDIR;
        OpenedFile { inode: inode_of(about), is_directory, links: about.st_nlink }
    }
}

/// What the call gives when it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gives {
    /// Zero.
    Nothing,
    /// A number.
    Number,
    /// A descriptor; whether it is closed at the next start of a program, and what was asked for.
    Descriptor { cloexec: bool, flags: i32 },
    /// A descriptor, of a pipe: whoever opens it waits for the other side.
    Pipe { cloexec: bool, flags: i32 },
    /// Zero, once the socket is connected.
    Connection,
}

/// Prepares what a call wants.
pub(super) fn prepare(target: Target, wanted: Wanted) -> io::Result<Prepared> {
    match wanted {
        Wanted::Open { at, flags, mode } => open(target, &at, flags, mode),
        Wanted::MakeDirectory { at, mode } => {
            let mut prepared = make(target, &at, Operation::MakeDirectory)?;
            prepared.deeds.iter_mut().for_each(|(deed, _)| *deed = Deed::MakeDirectory);
            prepared.job.mode = mode;
            Ok(prepared)
        }
        Wanted::MakeNode { at, mode, device } => {
            let mut prepared = make(target, &at, Operation::MakeNode)?;
            prepared.job.mode = mode;
            prepared.job.numbers = [device, 0, 0, 0];
            Ok(prepared)
        }
        Wanted::Symlink { text, at } => {
            let mut prepared = make(target, &at, Operation::Symlink)?;
            let leads = Some(PathBuf::from(OsStr::from_bytes(text.to_bytes())));
            let links = prepared
                .deeds
                .iter()
                .map(|(_, at)| NewLink { at: at.clone(), leads: leads.clone() });
            prepared.links = links.collect();
            let [_, second] = &mut prepared.job.texts;
            *second = text.into_bytes();
            Ok(prepared)
        }
        Wanted::Link { from, to, follow } => link(target, &from, &to, follow),
        Wanted::Rename { from, to, flags } => rename(target, &from, &to, flags),
        Wanted::Remove { at, flags } => {
            let place = find(target, at.from, &at.path, Last::Itself)?;
            let mut prepared = named(Operation::Remove, place, Deed::Delete);
            prepared.job.flags = flags;
            Ok(prepared)
        }
        Wanted::Truncate { at, length } => cut(target, &at, length),
        Wanted::Watch { watcher, at, mask } => watch(target, watcher, &at, mask),
        Wanted::Attribute { of, change } => attributes::prepare(target, &of, change),
        Wanted::Socket { socket, address, is_bind } => {
            super::sockets::prepare(target, socket, &address, is_bind)
        }
    }
}

fn named(operation: Operation, place: Place, deed: Deed) -> Prepared {
    let job = Job::named(operation, vec![place.directory], place.name.to_bytes());
    Prepared::new(vec![(deed, place.path)], job, Gives::Nothing)
}

fn make(target: Target, at: &Named, operation: Operation) -> io::Result<Prepared> {
    let place = find(target, at.from, &at.path, Last::Itself)?;
    // The kernel says this before it asks who may.
    if open_at(&place).is_ok() {
        return Err(io::Error::from_raw_os_error(libc::EEXIST));
    }
    let mut prepared = named(operation, place, Deed::Write);
    prepared.job.umask = target.umask()?;
    Ok(prepared)
}

fn open(target: Target, at: &Named, flags: i32, mode: u32) -> io::Result<Prepared> {
    let is_new = flags & libc::O_CREAT != 0 && flags & libc::O_EXCL != 0;
    let itself = flags & libc::O_NOFOLLOW != 0 || is_new;
    let last = if itself { Last::Itself } else { Last::Followed };
    let mut place = find(target, at.from, &at.path, last)?;
    let there = match open_at(&place) {
        Ok(there) => Some(there),
        // The kernel says this before it asks who may: whether there is such a name `stat` tells.
        Err(error) if error.kind() == io::ErrorKind::NotFound && flags & libc::O_CREAT == 0 => {
            return Err(error);
        }
        Err(_) => None,
    };
    let about = there.as_ref().and_then(|fd| about(fd).ok());
    let is_path_only = flags & libc::O_PATH != 0;
    let mut deeds = match is_judged(&place) && !is_path_only {
        true => deeds_of_opening(flags, about.is_some(), &place.path),
        false => Vec::new(),
    };
    // What was removed since is judged by the name that it had.
    if let Some(had) = place.object.as_ref().and_then(|_| without_mark(&place.path)) {
        let more = deeds.clone().into_iter().map(|(deed, _)| (deed, had.clone()));
        deeds.extend(more);
    }
    let opens = there.as_ref().map(OpenedFile::named).transpose()?;
    let cloexec = flags & libc::O_CLOEXEC != 0;
    let kind = about.map(|about| about.file_type());
    let is_pipe = kind.is_some_and(|kind| kind.is_fifo());
    let is_plain = kind.is_some_and(|kind| kind.is_file() || kind.is_dir())
        && !is_new
        && flags & libc::O_TMPFILE != libc::O_TMPFILE
        // Nothing is read by it.
        && flags & libc::O_ACCMODE != libc::O_WRONLY
        // The kernel asks there who opens it, by its name.
        && !place.path.starts_with("/proc");
    let gives = match is_pipe && !is_path_only && !is_new && flags & libc::O_NONBLOCK == 0 {
        true => {
            // It is waited for at what was found, whatever has its name then.
            place.object = there;
            Gives::Pipe { cloexec, flags }
        }
        false => {
            // What was judged is what is opened, whatever has its name by then.
            if is_plain && place.object.is_none() {
                place.object = there;
            }
            Gives::Descriptor { cloexec, flags }
        }
    };
    let mut job = match place.object {
        Some(object) => Job::new(Operation::Reopen, vec![object]),
        None => Job::named(Operation::Open, vec![place.directory], place.name.to_bytes()),
    };
    job.flags = flags;
    if job.operation == Operation::Reopen {
        // It is there already.
        job.flags &= !(libc::O_CREAT | libc::O_NOFOLLOW);
    }
    job.mode = mode;
    if flags & (libc::O_CREAT | libc::O_TMPFILE) != 0 {
        job.umask = target.umask()?;
    }
    Ok(Prepared { opens, ..Prepared::new(deeds, job, gives) })
}

fn cut(target: Target, at: &Named, length: u64) -> io::Result<Prepared> {
    let place = find(target, at.from, &at.path, Last::Followed)?;
    let object = open_at(&place)?;
    let kind = about(&object)?;
    if !kind.is_file() {
        let errno = if kind.is_dir() { libc::EISDIR } else { libc::EINVAL };
        return Err(io::Error::from_raw_os_error(errno));
    }
    let opens = Some(OpenedFile::named(&object)?);
    let mut job = Job::new(Operation::Cut, vec![object]);
    job.numbers = [length, 0, 0, 0];
    let deeds = vec![(Deed::Write, place.path)];
    Ok(Prepared { opens, ..Prepared::new(deeds, job, Gives::Nothing) })
}

/// Whoever watches a directory reads the names in it.
fn watch(target: Target, watcher: i32, at: &Named, mask: u32) -> io::Result<Prepared> {
    let itself = mask & libc::IN_DONT_FOLLOW != 0;
    let last = if itself { Last::Itself } else { Last::Followed };
    let place = find(target, at.from, &at.path, last)?;
    let object = open_at(&place)?;
    let deeds = match is_judged(&place) {
        true => vec![(Deed::Read, place.path)],
        false => Vec::new(),
    };
    let opens = Some(OpenedFile::named(&object)?);
    let mut job = Job::new(Operation::Watch, vec![target.descriptor(watcher)?, object]);
    job.mode = mask;
    Ok(Prepared { opens, ..Prepared::new(deeds, job, Gives::Number) })
}

/// What has no name has nothing to be judged by.
fn is_judged(place: &Place) -> bool {
    place.object.is_none() || is_path(&place.path)
}

/// Whether this names a file: other things that are open are shown as `pipe:[1]`, `/memfd:x`.
pub(super) fn is_path(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    path.is_absolute() && !text.starts_with(b"/memfd:") && !text.starts_with(b"/dev/zero (")
}

fn deeds_of_opening(flags: i32, exists: bool, path: &Path) -> Vec<(Deed, PathBuf)> {
    let access = flags & libc::O_ACCMODE;
    let writes = access != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0;
    let changes = access != libc::O_RDONLY || flags & libc::O_TRUNC != 0 || !exists;
    let mut deeds = Vec::new();
    if flags & libc::O_TMPFILE == libc::O_TMPFILE {
        // A file without a name is judged when it gets one; where it may be made at all Landlock
        // says.
        return deeds;
    }
    if access != libc::O_WRONLY {
        deeds.push((Deed::Read, path.to_owned()));
    }
    // Nothing is written in `/proc`, whatever is granted: it is mounted so.
    if writes && changes && !path.starts_with("/proc") {
        deeds.push((Deed::Write, path.to_owned()));
    }
    deeds
}

/// What is known about something that is open as a place only.
pub(super) fn about(fd: &OwnedFd) -> io::Result<fs::Metadata> {
    fs::metadata(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}

/// What the kernel says of something that is open, also as a place only.
pub(super) fn stat(fd: &OwnedFd) -> io::Result<libc::stat> {
    // SAFETY: all zeros is a `stat` like any other.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes the structure, which outlives the call.
    match unsafe { libc::fstat(fd.as_raw_fd(), &raw mut stat) } {
        0 => Ok(stat),
        _ => Err(io::Error::last_os_error()),
    }
}
