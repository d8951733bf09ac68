//! Carries out what was allowed, and answers the call with what came of it.
//!
//! Whatever can take time waits in a thread of its own, for as long as the call waits: the broker
//! and the gate serve everyone.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::broker::{Job, Made};
use super::files::{Gives, Prepared};
use super::place::{Last, find};
use super::sockets::{Hurried, connected, set_flags};
use super::target::{Target, owned};
use super::{Shared, errno};
use crate::child::Operation;

/// More openings of pipes do not wait at the same time: each takes two threads and some descriptors of
/// the supervisor, which everybody else in the tree needs.
const MOST_WAITING: usize = 128;
/// How long it is waited between two looks.
const LOOK_AGAIN: Duration = Duration::from_millis(2);
/// How long everyone waits for a connection: one inside is made at once, or not soon.
const AT_ONCE: i32 = 1;
/// How long a thread waits for a connection before it looks whether it is still wanted.
const PATIENCE: i32 = 50;

pub(super) fn carry_out(shared: &Arc<Shared>, id: u64, prepared: Prepared) {
    let Prepared { job, gives, .. } = prepared;
    match gives {
        Gives::Connection => connect(shared, id, job),
        Gives::Pipe { cloexec, flags } => open_pipe(shared, id, job, cloexec, flags),
        Gives::Nothing | Gives::Number | Gives::Descriptor { .. } => {
            match shared.broker.order(&job) {
                Ok(made) => give(shared, id, made, gives),
                Err(error) => shared.listener.fail(id, errno(&error)),
            }
        }
    }
}

/// Does something that takes its time in a thread of its own. The tree may have used up what its
/// user may start: then the call fails, and everyone else goes on.
pub(super) fn apart(shared: &Shared, id: u64, body: impl FnOnce() + Send + 'static) {
    if let Err(error) = thread::Builder::new().spawn(body) {
        shared.listener.fail(id, errno(&error));
    }
}

/// Whether a directory is to be removed in which something lies, as far as the tree may see that.
/// Programs try that to tidy up (git, with its own directory), and nobody has to be asked about it.
pub(super) fn is_in_vain(shared: &Shared, job: &Job) -> bool {
    if job.operation != Operation::Remove || job.flags & libc::AT_REMOVEDIR == 0 {
        return false;
    }
    let [name, _] = &job.texts;
    let Some(Ok(directory)) = job.fds.first().map(OwnedFd::try_clone) else { return false };
    let mut look = Job::named(Operation::Open, vec![directory], name);
    look.flags = libc::O_RDONLY | libc::O_DIRECTORY;
    let Ok(Made { descriptor: Some(opened), .. }) = shared.broker.order(&look) else {
        return false;
    };
    let names = std::fs::read_dir(format!("/proc/self/fd/{}", opened.as_raw_fd()));
    names.is_ok_and(|mut names| names.next().is_some())
}

/// Writes a file anew with this content, in the place of the old one.
pub(super) fn renew(
    shared: &Shared,
    target: Target,
    path: &Path,
    content: &[u8],
) -> io::Result<()> {
    let refused = || io::Error::from_raw_os_error(libc::EACCES);
    let name = CString::new(path.as_os_str().as_bytes())?;
    let place = find(target, libc::AT_FDCWD, &name, Last::Itself)?;
    // A link was put on the way since.
    if place.path != path || place.object.is_some() {
        return Err(refused());
    }
    let (broker, directory, name) = (&shared.broker, place.directory, place.name.into_bytes());
    // The name in between is the old one's with a sign more: it is ours to make anew.
    let between = [name.as_slice(), b"~"].concat();
    let mut make = Job::named(Operation::Open, vec![directory.try_clone()?], &between);
    make.flags = libc::O_CREAT | libc::O_EXCL | libc::O_WRONLY;
    make.mode = 0o666;
    make.umask = 0o022;
    let made = broker.order(&make)?.descriptor.ok_or_else(refused)?;
    let written = File::from(made).write_all(content);
    let mut put = Job::new(Operation::Rename, vec![directory.try_clone()?, directory.try_clone()?]);
    put.texts = [between.clone(), name];
    let put = written.and_then(|()| broker.order(&put));
    if put.is_err() {
        let _ = broker.order(&Job::named(Operation::Remove, vec![directory], &between));
    }
    put.map(drop)
}

fn give(shared: &Shared, id: u64, made: Made, gives: Gives) {
    match (made.descriptor, gives) {
        (Some(fd), Gives::Descriptor { cloexec, flags }) => {
            if flags & (libc::O_NONBLOCK | libc::O_PATH) == 0 {
                // SAFETY: takes numbers alone.
                let now = unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_GETFL) };
                set_flags(&fd, now & !libc::O_NONBLOCK);
            }
            shared.listener.give(id, &fd, cloexec);
        }
        (_, Gives::Number) => shared.listener.done(id, made.number.into()),
        _ => shared.listener.done(id, 0),
    }
}

/// Opens a pipe as the kernel would: once there is someone at the other end.
fn open_pipe(shared: &Arc<Shared>, id: u64, job: Job, cloexec: bool, flags: i32) {
    let held = match shared.broker.order(&job) {
        Ok(made) => made.descriptor,
        Err(error) if errno(&error) == libc::ENXIO && flags & libc::O_NONBLOCK == 0 => None,
        Err(error) => return shared.listener.fail(id, errno(&error)),
    };
    let is_reader = flags & libc::O_ACCMODE == libc::O_RDONLY;
    let waits = flags & libc::O_NONBLOCK == 0 && (is_reader || held.is_none());
    if let Some(held) = held.as_ref().filter(|_| !waits) {
        return give_pipe(shared, id, held, cloexec, flags);
    }
    if shared.waiting.fetch_add(1, Ordering::AcqRel) >= MOST_WAITING {
        shared.waiting.fetch_sub(1, Ordering::AcqRel);
        return shared.listener.fail(id, libc::ENFILE);
    }
    let counted = Counted(Arc::clone(shared));
    apart(shared, id, move || {
        let shared = &counted.0;
        let Some(pipe) = job.fds.first() else { return };
        match (other_end(shared, id, pipe, held.as_ref(), flags), held) {
            // What was written meanwhile is there to be read, whether the writer still is or not.
            (Ok(_), Some(held)) => give_pipe(shared, id, &held, cloexec, flags),
            (Ok(opened), None) => give_pipe(shared, id, &opened, cloexec, flags),
            (Err(error), _) => shared.listener.fail(id, errno(&error)),
        }
    });
}

/// One of the openings that wait, until this is dropped.
struct Counted(Arc<Shared>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

fn give_pipe(shared: &Shared, id: u64, pipe: &OwnedFd, cloexec: bool, flags: i32) {
    // SAFETY: takes numbers alone.
    let now = unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_GETFL) };
    if flags & libc::O_NONBLOCK == 0 {
        set_flags(pipe, now & !libc::O_NONBLOCK);
    }
    shared.listener.give(id, pipe, cloexec);
}

/// Waits until someone opens the other end, or has been there, or the call is given up.
///
/// A reader that is held open already keeps what a writer leaves; that one may be gone before a
/// second opening would notice it.
fn other_end(
    shared: &Shared,
    id: u64,
    pipe: &OwnedFd,
    held: Option<&OwnedFd>,
    flags: i32,
) -> io::Result<OwnedFd> {
    let is_done = AtomicBool::new(false);
    let open = || {
        let opened = open_again(pipe, flags & !libc::O_CREAT);
        is_done.store(true, Ordering::Release);
        opened
    };
    thread::scope(|scope| {
        let opening = thread::Builder::new().spawn_scoped(scope, open)?;
        let done = || is_done.load(Ordering::Acquire) || held.is_some_and(has_been_written);
        while shared.listener.still_waits(id) && !done() {
            thread::sleep(LOOK_AGAIN);
        }
        // A second end lets the thread go on.
        let _end = match is_done.load(Ordering::Acquire) {
            false => open_again(pipe, libc::O_RDWR | libc::O_NONBLOCK).ok(),
            true => None,
        };
        opening.join().unwrap_or_else(|_| Err(io::Error::from_raw_os_error(libc::EIO)))
    })
}

/// Whether something lies in a pipe, or whoever wrote to it has gone.
fn has_been_written(pipe: &OwnedFd) -> bool {
    let mut wanted = libc::pollfd { fd: pipe.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the kernel writes the one entry.
    unsafe { libc::poll(&raw mut wanted, 1, 0) > 0 }
}

pub(super) fn open_again(fd: &OwnedFd, flags: i32) -> io::Result<OwnedFd> {
    let path = std::ffi::CString::new(format!("/proc/self/fd/{}", fd.as_raw_fd()))?;
    let flags = flags | libc::O_CLOEXEC | libc::O_NOCTTY;
    // SAFETY: a C string that outlives the call.
    owned(unsafe { libc::open(path.as_ptr(), flags & !libc::O_NOFOLLOW) }.into())
}

fn connect(shared: &Arc<Shared>, id: u64, job: Job) {
    let (waits, begun) = match begin(shared, &job) {
        Some(begun) => begun,
        None => return shared.listener.fail(id, libc::EBADF),
    };
    match begun {
        Ok(_) => shared.listener.done(id, 0),
        Err(error) if waits && is_begun(&error) => {
            match job.fds.first().and_then(|socket| connected(socket, AT_ONCE)) {
                Some(done) if errno(&error) == libc::EINPROGRESS => answer(shared, id, done),
                _ => wait_for_connection(shared, id, job, error),
            }
        }
        Err(error) => shared.listener.fail(id, errno(&error)),
    }
}

/// Begins a connection, without waiting; whether its owner would have waited, and how it went.
fn begin(shared: &Shared, job: &Job) -> Option<(bool, io::Result<Made>)> {
    let hurried = Hurried::new(job.fds.first()?);
    Some((hurried.waits, shared.broker.order(job)))
}

/// On its way, or nobody takes it yet.
fn is_begun(error: &io::Error) -> bool {
    matches!(errno(error), libc::EINPROGRESS | libc::EAGAIN)
}

fn wait_for_connection(shared: &Arc<Shared>, id: u64, job: Job, error: io::Error) {
    let own = Arc::clone(shared);
    apart(shared, id, move || {
        let (Some(socket), shared) = (job.fds.first(), own) else { return };
        let mut is_on_its_way = errno(&error) == libc::EINPROGRESS;
        while shared.listener.still_waits(id) {
            if is_on_its_way {
                match connected(socket, PATIENCE) {
                    Some(done) => return answer(&shared, id, done),
                    None => continue,
                }
            }
            thread::sleep(LOOK_AGAIN);
            match begin(&shared, &job) {
                Some((_, Err(error))) if is_begun(&error) => {
                    is_on_its_way = errno(&error) == libc::EINPROGRESS;
                }
                Some((_, begun)) => return answer(&shared, id, begun.map(drop)),
                None => return,
            }
        }
    });
}

fn answer(shared: &Shared, id: u64, done: io::Result<()>) {
    match done {
        Ok(()) => shared.listener.done(id, 0),
        Err(error) => shared.listener.fail(id, errno(&error)),
    }
}
