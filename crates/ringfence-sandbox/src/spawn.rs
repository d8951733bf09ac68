//! Prepares everything that the small processes need.

use std::ffi::{CString, OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::Arc;

use crate::child::{Confine, Cover, Hidden, LandlockRule, Object, Private, Setup, Start};
use crate::filter::filter;
use crate::gate::received;
use crate::net::NetSetup;
use crate::objects::Objects;
use crate::plan::{Pin, Pins, Plan, Rights, Tree, always};
use crate::run::Failed;

/// The command that is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The file.
    pub program: PathBuf,
    /// Its words, the first included.
    pub argv: Vec<OsString>,
}

/// What a plan makes of the namespaces and of the payload, and what must stay pinned meanwhile.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) setup: Setup,
    /// The pins of what is hidden, in the order of the setup.
    pub(crate) hidden: Vec<Arc<Pin>>,
    /// Keeps every other inode of the setup.
    pub(crate) pins: Pins,
}

/// Pins what a plan speaks of, and says what the init has to make of it.
pub(crate) fn prepare(plan: &Plan) -> Result<Prepared, Failed> {
    let objects = Objects::new(plan);
    let (hidden, pins): (Vec<Hidden>, Vec<Arc<Pin>>) = hidden(plan, &objects)?.into_iter().unzip();
    let private = plan.files.private.iter().map(|path| objects.at(path));
    let private: Vec<Option<Object>> = private.collect::<Result<_, _>>()?;
    let blank = hidden.iter().any(|own| own.cover == Cover::Blank);
    let confine = Confine {
        landlock: landlock(plan, &objects)?,
        private: access(PRIVATE_RIGHTS),
        blank: if blank { access(Rights::READ) } else { 0 },
        filter: filter(plan),
        limits: limits(plan),
    };
    let setup = Setup {
        net: NetSetup::new(&plan.net),
        writable: writable(&trees(plan), &objects)?,
        private: private.into_iter().flatten().map(Private::new).collect(),
        hidden,
        hidden_in_proc: hidden_in_proc(plan, &objects)?,
        most_processes: plan.limits.processes.filter(|_| counts_each_tree()).map(highest_number),
        confine,
        cwd: objects.cwd()?,
    };
    Ok(Prepared { setup, hidden: pins, pins: objects.into_pins() })
}

/// The rights in directories that the run has for itself.
const PRIVATE_RIGHTS: Rights =
    Rights::READ.and(Rights::WRITE).and(Rights::DELETE).and(Rights::EXECUTE);

/// The trees of a plan, without those that were to be made and could not be.
pub(crate) fn trees(plan: &Plan) -> Vec<&Tree> {
    let is_there = |tree: &&Tree| !plan.files.made.contains(&tree.path) || tree.path.is_dir();
    plan.files.trees.iter().filter(is_there).collect()
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    // SAFETY: the kernel writes two numbers.
    match unsafe { libc::pipe2(fds.as_mut_ptr(), libc::O_CLOEXEC) } {
        0 => both(fds),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A line on which messages keep their ends.
pub(crate) fn line() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut fds = [0; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the kernel writes two numbers.
    match unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, fds.as_mut_ptr()) } {
        0 => both(fds),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Two new descriptors. Where the standard streams are closed they would take their numbers, and
/// the command would be given them.
fn both([one, two]: [RawFd; 2]) -> io::Result<(OwnedFd, OwnedFd)> {
    let (one, two) = (received(one), received(two));
    Ok((above_standard(one)?, above_standard(two)?))
}

pub(crate) fn above_standard(fd: OwnedFd) -> io::Result<OwnedFd> {
    if fd.as_raw_fd() > 2 {
        return Ok(fd);
    }
    // SAFETY: takes numbers alone.
    match unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) } {
        -1 => Err(io::Error::last_os_error()),
        copy => Ok(received(copy)),
    }
}

/// The descriptors that the init keeps, in order.
pub(crate) fn keep(fds: &[Option<RawFd>]) -> Vec<RawFd> {
    let mut keep: Vec<RawFd> = fds.iter().flatten().copied().chain([0, 1, 2]).collect();
    keep.sort_unstable();
    keep.dedup();
    keep
}

/// The outermost trees that are written; none of it where that is everything.
fn writable(trees: &[&Tree], objects: &Objects<'_>) -> Result<Option<Vec<Object>>, Failed> {
    let written = |tree: &&&Tree| tree.rights.has(Rights::WRITE) || tree.rights.has(Rights::DELETE);
    let mut paths: Vec<&Path> = trees.iter().filter(written).map(|tree| &*tree.path).collect();
    // Devices are written on read-only mounts too, and the run has a `/proc` of its own.
    let is_usual = |path: &Path| always().any(|(own, ..)| path == Path::new(own));
    paths.retain(|path| !is_usual(path) && !path.starts_with("/proc"));
    paths.sort_unstable();
    let mut outermost: Vec<&Path> = Vec::new();
    for path in paths {
        if !outermost.last().is_some_and(|last| path.starts_with(last)) {
            outermost.push(path);
        }
    }
    if outermost.first() == Some(&Path::new("/")) {
        return Ok(None);
    }
    // What lies there is not seen.
    outermost.retain(|path| !objects.is_private(path));
    let bound = outermost.into_iter().map(|path| objects.at(path));
    let bound: Vec<Option<Object>> = bound.collect::<Result<_, _>>()?;
    Ok(Some(bound.into_iter().flatten().collect()))
}

/// Returns what is covered, with its pins. What lies in a directory that is covered or private is not
/// seen, and needs no cover.
fn hidden(plan: &Plan, objects: &Objects<'_>) -> Result<Vec<(Hidden, Arc<Pin>)>, Failed> {
    let is_seen = |path: &&PathBuf| {
        let is_of_processes = path.starts_with("/proc");
        !objects.is_private(path) && !objects.is_below_cover(path) && !is_of_processes
    };
    let masks = plan.files.masks.iter().filter(is_seen).map(|path| (path, None));
    let is_blank = |path: &&PathBuf| is_seen(path) && !objects.is_covered(path);
    let blank = plan.files.blank.iter().filter(is_blank).map(|path| (path, Some(Cover::Blank)));
    let mut hidden = Vec::new();
    for (path, cover) in masks.chain(blank) {
        let Some((object, pin)) = objects.hidden(path)? else { continue };
        let by_kind = if pin.is_directory { Cover::Directory } else { Cover::File };
        hidden.push((Hidden::new(object, cover.unwrap_or(by_kind)), pin));
    }
    Ok(hidden)
}

/// Returns what is covered in the `/proc` that the init makes, where there is nothing to compare.
fn hidden_in_proc(plan: &Plan, objects: &Objects<'_>) -> Result<Vec<Object>, Failed> {
    let masks = plan.files.masks.iter().filter(|path| path.starts_with("/proc"));
    let found = masks.filter(|path| !objects.is_below_cover(path)).map(|path| objects.at(path));
    Ok(found.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Returns the rules for the trees. What the init covers or replaces has no rule by its path: the
/// rules for what it mounts there are added by the init.
fn landlock(plan: &Plan, objects: &Objects<'_>) -> Result<Vec<LandlockRule>, Failed> {
    let is_seen = |tree: &&Tree| {
        let is_blank = plan.files.blank.contains(&tree.path);
        !is_blank && !objects.is_private(&tree.path) && !objects.is_covered(&tree.path)
    };
    let mut rules = Vec::new();
    for tree in trees(plan).into_iter().filter(is_seen) {
        if let Some(object) = objects.at(&tree.path)? {
            rules.push(LandlockRule { object, access: access(tree.rights) });
        }
    }
    Ok(rules)
}

/// Returns the Landlock access bits of rights.
fn access(rights: Rights) -> u64 {
    const EXECUTE: u64 = 1;
    const READ: u64 = 1 << 2 | 1 << 3;
    /// Writing, making of every kind, linking across directories, cutting.
    const WRITE: u64 = 1 << 1 | 0b111_1111 << 6 | 1 << 13 | 1 << 14;
    const DELETE: u64 = 1 << 4 | 1 << 5 | 1 << 13;
    const IOCTL: u64 = 1 << 15;
    let words = [
        (Rights::READ, READ),
        (Rights::WRITE, WRITE),
        (Rights::DELETE, DELETE),
        (Rights::EXECUTE, EXECUTE),
        (Rights::IOCTL, IOCTL),
    ];
    let granted = words.into_iter().filter(|(right, _)| rights.has(*right));
    granted.fold(0, |all, (_, access)| all | access)
}

/// Numbers below are given to processes once only, so that they are no use for long.
const RESERVED: u64 = 300;

/// The highest number of a process that is needed for so many. The kernel does not count what root
/// starts, so this is what holds root, if not to the last process.
fn highest_number(processes: u64) -> Vec<u8> {
    // Two small processes are not the command's.
    let most = processes.saturating_add(RESERVED).saturating_add(2);
    most.min(1 << 22).to_string().into_bytes()
}

/// Whether the setting is the namespace's own, as it is since Linux 6.14: before, it is the host's.
fn counts_each_tree() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(|sign: char| !sign.is_ascii_digit());
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    let (Some(major), Some(minor)) = (next(), next()) else { return false };
    (major, minor) >= (6, 14)
}

fn limits(plan: &Plan) -> Vec<(usize, u64)> {
    let limits = &plan.limits;
    let wanted = [
        (libc::RLIMIT_AS, limits.memory),
        (libc::RLIMIT_NPROC, limits.processes),
        (libc::RLIMIT_FSIZE, limits.file_size),
        (libc::RLIMIT_NOFILE, limits.open_files),
        // What a program leaves behind when it crashes may hold secrets. With one byte no file is
        // written, and no program of the system's is handed the rest, as it would be with none.
        (libc::RLIMIT_CORE, Some(1)),
    ];
    wanted.into_iter().filter_map(|(resource, most)| Some((resource as usize, most?))).collect()
}

/// The command, as the kernel takes it.
pub(crate) fn start(plan: &Plan, command: &Command) -> io::Result<Start> {
    let words = command.argv.iter().map(|word| CString::new(word.as_bytes()));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    let variables = plan.variables.iter().map(|(name, value)| {
        let both: Vec<u8> = [OsStr::new(name), OsStr::new("="), OsStr::new(value)]
            .iter()
            .flat_map(|part| part.as_bytes().iter().copied())
            .collect();
        CString::new(both)
    });
    let variables = variables.collect::<Result<Vec<_>, _>>()?;
    let pointers = |texts: &[CString]| {
        texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect::<Vec<_>>()
    };
    // The texts lie on the heap, so moving the lists does not move them.
    Ok(Start {
        program: text(&command.program)?,
        argv: pointers(&words),
        envp: pointers(&variables),
        texts: words.into_iter().chain(variables).collect(),
        mask: blocked_signals(),
    })
}

/// The signals that are blocked now.
fn blocked_signals() -> u64 {
    let mut mask = 0_u64;
    let nothing = ptr::null::<u64>();
    // SAFETY: the kernel writes a mask of this size.
    unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_BLOCK,
            nothing,
            &raw mut mask,
            size_of::<u64>(),
        );
    }
    mask
}
