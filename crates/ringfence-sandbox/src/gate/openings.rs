//! Openings that are judged for what rules hide.
//!
//! A cover lies on what has a name when it is laid. Others can take the cover away by replacing the
//! file, and can make new names: so what may be read is decided when it is opened. It is opened first,
//! by the supervisor; then the kernel is asked for its name, and that is judged. Only then the process
//! gets the descriptor, so nothing that moves meanwhile is anything else than what was judged.
//!
//! Each opening waits for this, so it is done with few calls and without the broker: what Landlock
//! grants is known from the plan, and the supervisor does without the capabilities that the tree has
//! not.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use super::exec::Start;
use super::files::{OpenedFile, Prepared, stat};
use super::judge::Deed;
use super::notify::Call;
use super::place::{open_quickly, path_of, without_mark};
use super::target::{LONGEST_PATH, Target, open_path, owned};
use crate::child::Operation;
use crate::plan::{ExecPlan, FilePlan, Hidden, Hiding, LinkedFiles, Plan, RealLister, Rights};
use crate::sys::Inode;

/// Flags of an opening that only reads.
const READING: i32 = libc::O_CLOEXEC
    | libc::O_DIRECTORY
    | libc::O_LARGEFILE
    | LARGE
    | libc::O_NOATIME
    | libc::O_NOCTTY
    | libc::O_NOFOLLOW
    | libc::O_NONBLOCK;
/// The kernel's own flag for large files, which some C libraries call 0.
#[cfg(target_arch = "x86_64")]
const LARGE: i32 = 0o100_000;
#[cfg(not(target_arch = "x86_64"))]
const LARGE: i32 = 0o400_000;
/// What is made up by the kernel, where a name means another thing to everyone.
const MADE_UP: [&str; 2] = ["/proc", "/dev"];
/// As many processes are known at once.
const MOST_PROCESSES: usize = 64;

/// Judges openings for what rules hide.
pub(crate) struct Openings {
    hiding: RefCell<Option<Hiding>>,
    hidden: OnceCell<Option<Hidden>>,
    files: FilePlan,
    /// What was covered at the start, and by which name.
    covered: HashMap<Inode, Vec<PathBuf>>,
    /// Hidden files by inode, once a file with several names was opened; nothing where all that is
    /// hidden was covered.
    linked: OnceCell<Option<LinkedFiles>>,
    began: SystemTime,
    privileges: Privileges,
    /// The processes that opened something last.
    processes: RefCell<HashMap<i32, Rc<Known>>>,
    /// The descriptors of this process, by number.
    own: io::Result<OwnedFd>,
}

/// A process, for as long as it lives: who has its number later is another one.
struct Known {
    /// A pidfd.
    process: OwnedFd,
    /// Its directory in `/proc`.
    about: OwnedFd,
}

/// How an opening went that was quickly done.
pub(super) enum Quick {
    /// It is open.
    Opened { fd: OwnedFd, cloexec: bool },
    /// It fails so.
    Failed(i32),
    /// It has to be walked to.
    Slow,
}

impl Openings {
    /// Those of a plan, of which these inodes were covered.
    pub(crate) fn new(
        hiding: Hiding,
        Plan { files, exec, .. }: &Plan,
        covered: impl Iterator<Item = (Inode, PathBuf)>,
    ) -> Openings {
        let mut by_inode: HashMap<Inode, Vec<PathBuf>> = HashMap::new();
        covered.for_each(|(inode, path)| by_inode.entry(inode).or_default().push(path));
        Openings {
            hiding: RefCell::new(Some(hiding)),
            hidden: OnceCell::new(),
            files: files.clone(),
            covered: by_inode,
            linked: match exec {
                ExecPlan::Gated => OnceCell::new(),
                ExecPlan::Free => OnceCell::from(None),
            },
            began: SystemTime::now(),
            privileges: Privileges::of_this_thread(),
            processes: RefCell::default(),
            own: open_path(Path::new("/proc/self/fd")),
        }
    }

    fn hidden(&self) -> Option<&Hidden> {
        let prepare = || self.hiding.take().and_then(|hiding| hiding.prepare(&self.files));
        self.hidden.get_or_init(prepare).as_ref()
    }

    /// Whether something must be hidden that is about to be opened.
    fn hides(&self, path: &Path, others: &[PathBuf], opened: Option<OpenedFile>) -> bool {
        let FilePlan { given, passed, private, .. } = &self.files;
        let mut left_out = given.iter().chain(passed).chain(private);
        // The run's own `/proc` has covers that nobody takes away, and only its own processes. Where
        // rules speak of those, every opening is judged for itself.
        if path.starts_with("/proc") || left_out.any(|own| path.starts_with(own)) {
            return false;
        }
        let is_directory = opened.is_some_and(|own| own.is_directory);
        opened.is_some_and(|own| self.was_covered(path, own.inode))
            || self.hidden().is_some_and(|own| own.hides(path, others, is_directory, &RealLister))
            || opened.is_some_and(|own| self.is_linked(own))
    }

    /// Whether a file has a further name that is hidden.
    fn is_linked(&self, opened: OpenedFile) -> bool {
        if opened.is_directory || opened.links < 2 {
            return false;
        }
        let find = || Some(LinkedFiles::find(self.hidden()?, &self.files, self.began));
        self.linked.get_or_init(find).as_ref().is_some_and(|own| own.hide(opened.inode))
    }

    /// Whether a program must be hidden that is about to be started, or its interpreter.
    pub(super) fn refuses_start(&self, start: &Start) -> bool {
        start.files().any(|(path, about)| self.hides_program(path, about))
    }

    /// Whether a process has something mapped that must be hidden, before its first instruction: the
    /// loader of a program is opened by the kernel.
    pub(super) fn has_mapped(&self, target: Target, program: &Path) -> bool {
        if self.is_passed(program) {
            // Its loader is the system's.
            return false;
        }
        let exe = target.proc("exe");
        let Ok(itself) = open_path(&exe).and_then(|file| OpenedFile::named(&file)) else {
            return true;
        };
        if self.hides(program, &self.files.mounts.names(program), Some(itself)) {
            return true;
        }
        // What cannot be told may be anything.
        let Ok(maps) = std::fs::read(target.proc("maps")) else { return true };
        let paths = maps.split(|byte| *byte == b'\n').filter_map(|line| {
            let start = line.iter().position(|byte| *byte == b'/')?;
            Some(Path::new(OsStr::from_bytes(line.get(start..)?)))
        });
        paths.filter(|path| *path != program).any(|path| {
            // A line's end in a name is told in another way, which a name can also be like.
            path.as_os_str().as_encoded_bytes().contains(&b'\\') || self.hides_mapped(target, path)
        })
    }

    fn hides_mapped(&self, target: Target, path: &Path) -> bool {
        let name = CString::new(path.as_os_str().as_bytes()).ok();
        let found = name.and_then(|name| open_quickly(target, &name).ok().flatten());
        match found.and_then(|(file, _)| stat(&file).ok()) {
            Some(about) => self.hides_program(path, &about),
            // It was removed meanwhile, and is judged by the name that it had.
            None => {
                let path = without_mark(path).unwrap_or_else(|| path.to_owned());
                self.hides(&path, &self.files.mounts.names(&path), None)
            }
        }
    }

    fn hides_program(&self, path: &Path, about: &libc::stat) -> bool {
        let others = self.files.mounts.names(path);
        self.hides(path, &others, Some(OpenedFile::of(about)))
    }

    fn is_passed(&self, path: &Path) -> bool {
        self.files.passed.iter().any(|own| path.starts_with(own))
    }

    /// Whether this was covered by this name, or is still what was covered by another one.
    fn was_covered(&self, path: &Path, inode: Inode) -> bool {
        let still = |own: &PathBuf| {
            use std::os::unix::fs::MetadataExt;
            let now = std::fs::symlink_metadata(own);
            now.is_ok_and(|now| (now.dev(), now.ino()) == inode)
        };
        let names = self.covered.get(&inode);
        names.is_some_and(|names| names.iter().any(|own| own == path || still(own)))
    }

    /// Whether a rule hides what a call is about to open for reading.
    pub(super) fn refuses(&self, prepared: &Prepared) -> bool {
        let read = prepared.deeds.iter().filter(|(deed, _)| *deed == Deed::Read);
        let mut read = read.map(|(_, path)| {
            let names = prepared.also.iter().filter(|own| own.path == *path);
            (path, names.map(|own| own.other.clone()).collect::<Vec<PathBuf>>())
        });
        read.any(|(path, others)| self.hides(path, &others, prepared.opens))
            || self.changes_linked(prepared)
            || self.removes_linked(prepared)
    }

    /// Whether a call takes away the hidden name of a file that has others: by those it could be read
    /// then.
    fn removes_linked(&self, prepared: &Prepared) -> bool {
        use std::os::unix::fs::MetadataExt;
        if !matches!(prepared.job.operation, Operation::Remove | Operation::Rename) {
            return false;
        }
        let is_linked = |path: &Path| {
            let about = std::fs::symlink_metadata(path);
            about.is_ok_and(|about| about.is_file() && about.nlink() > 1)
        };
        let mut changed = prepared.deeds.iter().filter(|(deed, _)| *deed != Deed::Read);
        changed.any(|(_, path)| {
            is_linked(path) && self.hides(path, &self.files.mounts.names(path), None)
        })
    }

    /// Whether a call changes a file by one of its names that is hidden by another.
    fn changes_linked(&self, prepared: &Prepared) -> bool {
        let is_elsewhere = |path: &Path| {
            !path.starts_with("/proc")
                && !self.is_passed(path)
                && !self.files.given.iter().any(|own| path.starts_with(own))
        };
        let mut deeds = prepared.deeds.iter();
        let opened = prepared.opens.filter(|_| deeds.any(|(_, path)| is_elsewhere(path)));
        opened.is_some_and(|own| self.is_linked(own))
    }

    /// Opens what a call wants to read, where the kernel can be left to walk there.
    pub(super) fn open(&self, call: &Call, target: Target) -> Quick {
        let [first, second, third, ..] = call.data.args;
        let (from, path, flags) = match libc::c_long::from(call.data.nr) {
            libc::SYS_openat => (first as i32, second, third as i32),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_open => (libc::AT_FDCWD, first, second as i32),
            _ => return Quick::Slow,
        };
        if flags & !READING != 0 || !self.files.mounts.is_empty() {
            return Quick::Slow;
        }
        let Ok(path) = target.path(path) else { return Quick::Slow };
        let _lowered = self.privileges.lower();
        let fd = match self.look_up(target, from, &path, flags) {
            Ok(Some(fd)) => fd,
            Ok(None) => return Quick::Slow,
            Err(errno) => return Quick::Failed(errno),
        };
        // In this order: one of two names that is removed in between is marked so.
        let (Ok(about), Ok(path)) = (stat(&fd), self.path_of(&fd)) else { return Quick::Slow };
        if !matches!(about.st_mode & libc::S_IFMT, libc::S_IFREG | libc::S_IFDIR) {
            return Quick::Slow;
        }
        if without_mark(&path).is_some() || !self.is_granted(&path) {
            return Quick::Slow;
        }
        if self.hides(&path, &[], Some(OpenedFile::of(&about))) {
            return Quick::Failed(libc::EACCES);
        }
        if flags & libc::O_NONBLOCK == 0 {
            let kept = flags & (libc::O_NOATIME | LARGE);
            // SAFETY: takes numbers alone.
            unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_SETFL, kept) };
        }
        Quick::Opened { fd, cloexec: flags & libc::O_CLOEXEC != 0 }
    }

    /// The path of something that is open.
    fn path_of(&self, fd: &OwnedFd) -> io::Result<PathBuf> {
        let Ok(own) = &self.own else { return path_of(fd) };
        let mut digits = [0_u8; 12];
        let number = decimal(fd.as_raw_fd() as u32, &mut digits);
        let mut path = [0_u8; LONGEST_PATH];
        let (to, length) = (path.as_mut_ptr().cast(), path.len());
        // SAFETY: the digits end with NUL, and the kernel writes at most so many bytes of ours.
        let read = unsafe { libc::readlinkat(own.as_raw_fd(), number.as_ptr().cast(), to, length) };
        match usize::try_from(read).ok().and_then(|read| path.get(..read)) {
            // What is as long as that was cut off.
            Some(path) if path.len() < length => Ok(OsStr::from_bytes(path).into()),
            _ => Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG)),
        }
    }

    /// Whether Landlock grants reading at a path. The kernel's own files are left to it, and so is
    /// what the tree finds empty.
    fn is_granted(&self, path: &Path) -> bool {
        let is_blank = || self.files.blank.iter().any(|own| own == path);
        let is_made_up = MADE_UP.iter().any(|own| path.starts_with(own));
        let reads =
            |own: &crate::plan::Tree| own.rights.has(Rights::READ) && path.starts_with(&own.path);
        let is_own = || self.files.private.iter().any(|own| path.starts_with(own));
        !is_made_up && !is_blank() && (self.files.trees.iter().any(reads) || is_own())
    }

    /// Opens what lies at a path; none where it has to be walked to.
    fn look_up(
        &self,
        target: Target,
        from: i32,
        path: &CStr,
        flags: i32,
    ) -> Result<Option<OwnedFd>, i32> {
        let bytes = path.to_bytes();
        let is_made_up = |own: &&str| bytes.starts_with(own.as_bytes());
        if bytes.is_empty() || MADE_UP.iter().any(is_made_up) {
            return Ok(None);
        }
        let is_absolute = bytes.first() == Some(&b'/');
        let start = match is_absolute {
            true => None,
            false => match self.directory(target, from) {
                Some(start) => Some(start),
                None => return Ok(None),
            },
        };
        let (start, root) = match &start {
            Some(start) => (start.as_raw_fd(), 0),
            None => (target.root, libc::RESOLVE_IN_ROOT),
        };
        if !is_plain(start, path) {
            return Ok(None);
        }
        let reading = flags | libc::O_NONBLOCK | libc::O_NOCTTY;
        match open_beneath(start, path, reading, root | libc::RESOLVE_NO_SYMLINKS) {
            Ok(fd) => Ok(Some(fd)),
            // A link is on the way, or something moved while it was walked.
            Err(libc::ELOOP | libc::EXDEV | libc::EAGAIN) if is_absolute => {
                let links = root | libc::RESOLVE_NO_MAGICLINKS;
                let place = flags & (libc::O_DIRECTORY | libc::O_NOFOLLOW) | libc::O_PATH;
                let place = open_beneath(start, path, place, links);
                Ok(place.ok().and_then(|place| open_again(&place, flags)))
            }
            // No link was on the way so far: the same is told to everyone.
            Err(errno @ (libc::ENOENT | libc::ENOTDIR)) => Err(errno),
            Err(_) => Ok(None),
        }
    }

    /// A directory from which a process starts: the working one, or one that it has open.
    fn directory(&self, target: Target, fd: i32) -> Option<OwnedFd> {
        let known = self.processes.borrow().get(&target.pid).cloned();
        if let Some(found) = known.and_then(|known| known.directory(fd)) {
            return Some(found);
        }
        // It is new, or another one has its number by now.
        let process = target.held().ok()?;
        let about = open_path(&target.proc("")).ok()?;
        let known = Rc::new(Known { process, about });
        let mut processes = self.processes.borrow_mut();
        if processes.len() >= MOST_PROCESSES {
            processes.clear();
        }
        processes.insert(target.pid, Rc::clone(&known));
        known.directory(fd)
    }
}

impl Known {
    fn directory(&self, fd: i32) -> Option<OwnedFd> {
        let (process, about) = (self.process.as_raw_fd(), self.about.as_raw_fd());
        let opened = match fd {
            libc::AT_FDCWD => {
                let flags = libc::O_PATH | libc::O_CLOEXEC;
                // SAFETY: a C string that outlives the call.
                unsafe { libc::openat(about, c"cwd".as_ptr(), flags) }.into()
            }
            // SAFETY: takes numbers alone.
            fd => unsafe { libc::syscall(libc::SYS_pidfd_getfd, process, fd, 0) },
        };
        owned(opened).ok()
    }
}

/// Whether what lies at a path can be opened to see what it is: a pipe or a device would notice. Links
/// on the way may lead elsewhere here; whatever is behind one is looked at before it is opened.
fn is_plain(start: i32, path: &CStr) -> bool {
    let bytes = path.to_bytes_with_nul();
    let rest = bytes.get(bytes.iter().take_while(|byte| **byte == b'/').count()..);
    let rest = rest.and_then(|rest| CStr::from_bytes_with_nul(rest).ok()).unwrap_or(c"");
    let mut about = MaybeUninit::<libc::stat>::uninit();
    let flags = libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH | libc::AT_NO_AUTOMOUNT;
    // SAFETY: a C string that outlives the call, and the kernel writes the structure.
    if unsafe { libc::fstatat(start, rest.as_ptr(), about.as_mut_ptr(), flags) } != 0 {
        // Nothing that could notice.
        return true;
    }
    // SAFETY: the kernel has written it.
    let mode = unsafe { about.assume_init() }.st_mode & libc::S_IFMT;
    matches!(mode, libc::S_IFREG | libc::S_IFDIR | libc::S_IFLNK)
}

/// Opens a regular file or directory that was found.
fn open_again(place: &OwnedFd, flags: i32) -> Option<OwnedFd> {
    let mode = stat(place).ok()?.st_mode & libc::S_IFMT;
    if !matches!(mode, libc::S_IFREG | libc::S_IFDIR) {
        return None;
    }
    let path = CString::new(format!("/proc/self/fd/{}", place.as_raw_fd())).ok()?;
    let always = libc::O_NONBLOCK | libc::O_CLOEXEC | libc::O_NOCTTY;
    // SAFETY: a C string that outlives the call.
    owned(unsafe { libc::open(path.as_ptr(), flags & !libc::O_NOFOLLOW | always) }.into()).ok()
}

/// Opens what lies at a path, as far as this can be resolved.
fn open_beneath(start: i32, path: &CStr, flags: i32, resolve: u64) -> Result<OwnedFd, i32> {
    // SAFETY: all zeros is a `open_how` like any other.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = (flags | libc::O_CLOEXEC) as u64;
    how.resolve = resolve;
    let (how, size) = (&raw const how, size_of::<libc::open_how>());
    // SAFETY: a C string, and a structure whose size is said; both outlive the call.
    let fd = unsafe { libc::syscall(libc::SYS_openat2, start, path.as_ptr(), how, size) };
    owned(fd).map_err(|error| super::errno(&error))
}

/// A number in digits, with a NUL at the end.
fn decimal(number: u32, digits: &mut [u8; 12]) -> &[u8] {
    let mut rest = number;
    let mut start = digits.len().saturating_sub(1);
    loop {
        start = start.saturating_sub(1);
        if let Some(slot) = digits.get_mut(start) {
            *slot = b'0'.saturating_add((rest % 10) as u8);
        }
        rest /= 10;
        if rest == 0 {
            return digits.get(start..).unwrap_or(b"\0");
        }
    }
}

/// The capabilities of the supervisor, which the tree has not: what it could not open itself is not
/// opened for it.
#[derive(Debug, Clone, Copy)]
struct Privileges([u32; 6]);

/// Version 3 of the sets, of this thread.
const SETS: [u32; 2] = [0x2008_0522, 0];

impl Privileges {
    fn of_this_thread() -> Privileges {
        let mut sets = [0_u32; 6];
        // SAFETY: the kernel reads the head and writes two sets of three numbers.
        unsafe { libc::syscall(libc::SYS_capget, SETS.as_ptr(), sets.as_mut_ptr()) };
        Privileges(sets)
    }

    /// Does without them until this is dropped.
    fn lower(&self) -> Option<Lowered<'_>> {
        let [one, permitted, inherited, two, more_permitted, more_inherited] = self.0;
        if one == 0 && two == 0 {
            return None;
        }
        set(&[0, permitted, inherited, 0, more_permitted, more_inherited]);
        Some(Lowered(self))
    }
}

struct Lowered<'a>(&'a Privileges);

impl Drop for Lowered<'_> {
    fn drop(&mut self) {
        set(&self.0.0);
    }
}

fn set(sets: &[u32; 6]) {
    // SAFETY: the kernel reads the head and two sets of three numbers.
    unsafe { libc::syscall(libc::SYS_capset, SETS.as_ptr(), sets.as_ptr()) };
}
