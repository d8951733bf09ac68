//! Where a path leads, as the process that names it sees the file system.
//!
//! The way is walked one name at a time, on descriptors, so that what is judged is where the
//! operation happens: a directory that was reached and one name in it.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::target::{Target, open_path, owned};

/// The most links on one way, as in the kernel.
const MOST_LINKS: usize = 40;

/// A directory and a name in it.
#[derive(Debug)]
pub(super) struct Place {
    /// The directory; for a path that ends at a directory itself, that one.
    pub(super) directory: OwnedFd,
    /// The name; `.` for the directory itself.
    pub(super) name: CString,
    /// Where that really lies.
    pub(super) path: PathBuf,
    /// What is meant, where a descriptor of the process was named through `/proc`.
    pub(super) object: Option<OwnedFd>,
    /// Whether whoever walks the same way arrives here: nothing on it means the process itself.
    pub(super) is_plain: bool,
}

/// Whether a link at the end of the way is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// It is followed, also where it leads to nothing.
    Followed,
    /// It is what is meant.
    Itself,
}

/// Where a path leads.
pub(super) fn find(target: Target, from: i32, path: &CStr, last: Last) -> io::Result<Place> {
    let start = match path.to_bytes() {
        [] => return Err(io::Error::from_raw_os_error(libc::ENOENT)),
        [b'/', ..] => target.root()?,
        _ => target.directory(from)?,
    };
    find_from(target, start, path, last)
}

/// Where a path leads from a directory, which is the root where it starts there.
pub(super) fn find_from(
    target: Target,
    start: OwnedFd,
    path: &CStr,
    last: Last,
) -> io::Result<Place> {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    let mut way = Way { target, root: target.root()?, at: start, links: 0, is_plain: true };
    way.walk(path, last)
}

struct Way {
    target: Target,
    root: OwnedFd,
    at: OwnedFd,
    links: usize,
    is_plain: bool,
}

impl Way {
    fn walk(&mut self, path: &Path, last: Last) -> io::Result<Place> {
        let mut ahead = names(path);
        let is_directory = path.as_os_str().as_bytes().ends_with(b"/");
        let follow = last == Last::Followed || is_directory;
        while let Some(name) = ahead.pop() {
            let is_last = ahead.is_empty();
            if let Some(object) = self.descriptor(&name)? {
                self.is_plain = false;
                if is_last && follow {
                    return self.arrive_at(object);
                }
                self.at = object;
                continue;
            }
            match self.link(&name)? {
                Some(target) if !is_last || follow => self.turn(&target, &mut ahead)?,
                _ if is_last && name != b".." => return self.arrive(&name),
                _ => self.enter(&name)?,
            }
        }
        self.arrive(b".")
    }

    /// Where the name leads, if it is a link.
    fn link(&mut self, name: &[u8]) -> io::Result<Option<Vec<u8>>> {
        if matches!(name, b"self" | b"thread-self") && path_of(&self.at)? == Path::new("/proc") {
            // It means the process that names it, not the supervisor.
            self.is_plain = false;
            return Ok(Some(self.target.inner()?.to_string().into_bytes()));
        }
        let name = CString::new(name)?;
        let mut target = vec![0_u8; 4096];
        let (to, length) = (target.as_mut_ptr().cast(), target.len());
        // SAFETY: the kernel writes at most so many bytes of ours.
        let read = unsafe { libc::readlinkat(self.at.as_raw_fd(), name.as_ptr(), to, length) };
        match usize::try_from(read) {
            Ok(read) => {
                target.truncate(read);
                Ok(Some(target))
            }
            Err(_) => match io::Error::last_os_error() {
                error if error.raw_os_error() == Some(libc::EINVAL) => Ok(None),
                error if error.kind() == io::ErrorKind::NotFound => Ok(None),
                error => Err(error),
            },
        }
    }

    /// What the process means by a link of its own in `/proc`: those lead to what is open, not to
    /// what has the same name now.
    fn descriptor(&self, name: &[u8]) -> io::Result<Option<OwnedFd>> {
        let here = path_of(&self.at)?;
        let Ok(rest) = here.strip_prefix("/proc") else { return Ok(None) };
        let mut parts = rest.iter().map(OsStr::as_bytes);
        if rest.as_os_str().is_empty() && name == self.target.broker.to_string().as_bytes() {
            return Err(io::Error::from_raw_os_error(libc::ENOENT));
        }
        let Some(process) = parts.next().and_then(|part| std::str::from_utf8(part).ok()) else {
            return Ok(None);
        };
        let inside: Vec<&[u8]> = parts.collect();
        let what = match (inside.as_slice(), name) {
            ([], b"cwd" | b"root" | b"exe") => OsStr::from_bytes(name).to_os_string(),
            ([b"fd"], _) => Path::new("fd").join(OsStr::from_bytes(name)).into_os_string(),
            (_, b"cwd" | b"root" | b"exe") | ([.., b"fd" | b"map_files"], _) => {
                return Err(io::Error::from_raw_os_error(libc::EACCES));
            }
            _ => return Ok(None),
        };
        if name == b".." {
            return Ok(None);
        }
        // What other processes have open is not for this one.
        let is_own = |number: io::Result<i32>| number.is_ok_and(|own| process == own.to_string());
        if !is_own(self.target.inner()) && !is_own(self.target.inner_leader()) {
            return Err(io::Error::from_raw_os_error(libc::EACCES));
        }
        open_path(&self.target.proc(&what.to_string_lossy())).map(Some)
    }

    fn turn(&mut self, target: &[u8], ahead: &mut Vec<Vec<u8>>) -> io::Result<()> {
        self.links = self.links.saturating_add(1);
        if self.links > MOST_LINKS {
            return Err(io::Error::from_raw_os_error(libc::ELOOP));
        }
        let target = Path::new(OsStr::from_bytes(target));
        if target.is_absolute() {
            self.at = self.root.try_clone()?;
        }
        ahead.extend(names(target));
        Ok(())
    }

    fn enter(&mut self, name: &[u8]) -> io::Result<()> {
        if name == b".." && same(&self.at, &self.root)? {
            return Ok(());
        }
        let name = CString::new(name)?;
        let flags = libc::O_PATH | libc::O_NOFOLLOW | libc::O_DIRECTORY | libc::O_CLOEXEC;
        // SAFETY: a C string that outlives the call.
        let fd = unsafe { libc::openat(self.at.as_raw_fd(), name.as_ptr(), flags) };
        self.at = owned(fd.into())?;
        Ok(())
    }

    fn arrive(&mut self, name: &[u8]) -> io::Result<Place> {
        let directory = self.at.try_clone()?;
        let mut path = path_of(&directory)?;
        if name != b"." {
            path.push(OsStr::from_bytes(name));
        }
        let name = CString::new(name)?;
        Ok(Place { directory, name, path, object: None, is_plain: self.is_plain })
    }

    fn arrive_at(&mut self, object: OwnedFd) -> io::Result<Place> {
        let directory = self.at.try_clone()?;
        let path = path_of(&object)?;
        let (name, object) = (CString::default(), Some(object));
        Ok(Place { directory, name, path, object, is_plain: self.is_plain })
    }
}

/// The names of a path, the first one last.
fn names(path: &Path) -> Vec<Vec<u8>> {
    let bytes = path.as_os_str().as_bytes();
    let names = bytes.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".");
    let mut names: Vec<Vec<u8>> = names.map(<[u8]>::to_vec).collect();
    names.reverse();
    names
}

fn same(one: &OwnedFd, two: &OwnedFd) -> io::Result<bool> {
    let identity = |fd: &OwnedFd| -> io::Result<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let about = fs::metadata(format!("/proc/self/fd/{}", fd.as_raw_fd()))?;
        Ok((about.dev(), about.ino()))
    };
    Ok(identity(one)? == identity(two)?)
}

/// The file at a place, not opened, its last link not followed.
pub(super) fn open_at(place: &Place) -> io::Result<OwnedFd> {
    if let Some(object) = &place.object {
        return object.try_clone();
    }
    let flags = libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: a C string that outlives the call.
    let fd = unsafe { libc::openat(place.directory.as_raw_fd(), place.name.as_ptr(), flags) };
    owned(fd.into())
}

/// The file that a path from the root leads to, in one step, where the kernel can be left to walk
/// it: no link that the kernel makes up is on the way, and it does not end in `/proc`. None: the
/// way has to be walked.
pub(super) fn open_quickly(target: Target, path: &CStr) -> io::Result<Option<(OwnedFd, PathBuf)>> {
    if path.to_bytes().first() != Some(&b'/') {
        return Ok(None);
    }
    // SAFETY: all zeros is a `open_how` like any other.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = (libc::O_PATH | libc::O_CLOEXEC) as u64;
    how.resolve = libc::RESOLVE_IN_ROOT | libc::RESOLVE_NO_MAGICLINKS;
    let (how, size) = (&raw const how, size_of::<libc::open_how>());
    // SAFETY: a C string, and a structure whose size is said; both outlive the call.
    let fd = unsafe { libc::syscall(libc::SYS_openat2, target.root, path.as_ptr(), how, size) };
    let Ok(file) = owned(fd) else { return Ok(None) };
    let path = path_of(&file)?;
    Ok(Some((file, path)).filter(|(_, path)| !path.starts_with("/proc")))
}

/// What the kernel adds to a name that something had.
const GONE: &[u8] = b" (deleted)";

/// The name that something had before it was removed, where its path says that it was; a name can
/// also be like that.
pub(super) fn without_mark(path: &Path) -> Option<PathBuf> {
    let name = path.as_os_str().as_bytes().strip_suffix(GONE)?;
    Some(PathBuf::from(OsStr::from_bytes(name)))
}

/// The path of something that is open.
pub(super) fn path_of(fd: &OwnedFd) -> io::Result<PathBuf> {
    fs::read_link(format!("/proc/self/fd/{}", fd.as_raw_fd()))
}
