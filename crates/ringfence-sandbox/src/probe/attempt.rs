//! Small processes that try one thing and end.
//!
//! They are copies of this one and may have been made from one of many threads: they call the
//! kernel, and touch no lock and no allocator.

use crate::sys::{self, Errno, at, at_mut, int, syscall};

const RDONLY: u64 = 1;
const CREATE_RULESET: libc::c_long = 444;
const VERSION: usize = 1;
const SET_MODE_FILTER: usize = 1;
const GET_ACTION_AVAILABLE: usize = 2;
/// A listener, whose waiting callers can be killed.
const LISTENER: usize = 1 << 3 | 1 << 5;
/// The number of `fchmodat2`, as headers are young.
const FCHMODAT2: libc::c_long = 452;

/// Who tries.
pub(super) struct Attempt {
    uid_map: Vec<u8>,
    gid_map: Vec<u8>,
}

/// What is tried in the small process.
type Act = fn(&Attempt) -> sys::Result<()>;

impl Attempt {
    pub(super) fn new() -> Attempt {
        // SAFETY: take nothing and always succeed.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        Attempt {
            uid_map: format!("{user} {user} 1").into_bytes(),
            gid_map: format!("{group} {group} 1").into_bytes(),
        }
    }

    /// Tries something in a process like this one.
    pub(super) fn plain(&self, act: Act) -> sys::Result<()> {
        wait(self.start(0, act)?)
    }

    /// Tries something in a new user namespace, and further ones.
    pub(super) fn namespaces(&self, flags: i32, act: Act) -> sys::Result<()> {
        wait(self.start(libc::CLONE_NEWUSER | flags, act)?)
    }

    /// Tries to take hold of a process as the exec gate does.
    pub(super) fn seize(&self) -> sys::Result<()> {
        let pid = self.start(libc::CLONE_NEWUSER | libc::CLONE_NEWPID, |_| sleep())?;
        let args = [libc::PTRACE_SEIZE as usize, int(pid), 0, 0, 0, 0];
        // SAFETY: takes numbers alone.
        let seized = unsafe { syscall(libc::SYS_ptrace, args) };
        // SAFETY: takes numbers alone; the process is a child that nobody has waited for.
        let _ = unsafe { syscall(libc::SYS_kill, [int(pid), libc::SIGKILL as usize, 0, 0, 0, 0]) };
        let _ = wait(pid);
        seized.map(drop)
    }

    fn start(&self, namespaces: i32, act: Act) -> sys::Result<i32> {
        let args = [int(namespaces | libc::SIGCHLD), 0, 0, 0, 0, 0];
        // SAFETY: without a stack and without shared memory this is `fork`: the other process goes
        // on with a copy of everything, and does what this module says before it ends.
        match unsafe { syscall(libc::SYS_clone, args) }? {
            0 => match self.enter(namespaces).and_then(|()| act(self)) {
                Ok(()) => sys::exit(0),
                Err(Errno(errno)) => sys::exit(errno),
            },
            pid => Ok(pid as i32),
        }
    }

    /// Becomes in the new namespace who it was outside.
    fn enter(&self, namespaces: i32) -> sys::Result<()> {
        sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as usize, 0)?;
        if namespaces & libc::CLONE_NEWUSER == 0 {
            return Ok(());
        }
        sys::put(c"/proc/self/uid_map", &self.uid_map)?;
        sys::put(c"/proc/self/setgroups", b"deny")?;
        sys::put(c"/proc/self/gid_map", &self.gid_map)
    }
}

/// Waits for the end of a small process, which says how it went.
fn wait(pid: i32) -> sys::Result<()> {
    let mut status = 0_i32;
    loop {
        let args = [int(pid), at_mut(&raw mut status), libc::__WALL as usize, 0, 0, 0];
        // SAFETY: the kernel writes the status, which outlives the call.
        match unsafe { syscall(libc::SYS_wait4, args) } {
            Err(Errno(libc::EINTR)) => {}
            Err(errno) => return Err(errno),
            // A process that is traced stops first.
            Ok(_) if libc::WIFSTOPPED(status) => {}
            Ok(_) if !libc::WIFEXITED(status) => return Err(Errno(libc::ECANCELED)),
            Ok(_) => {
                return match libc::WEXITSTATUS(status) {
                    0 => Ok(()),
                    errno => Err(Errno(errno)),
                };
            }
        }
    }
}

fn sleep() -> sys::Result<()> {
    // SAFETY: waits for nothing, until a signal comes.
    unsafe { syscall(libc::SYS_ppoll, [0; 6]) }.map(drop)
}

/// Everything private and read-only, and a directory of its own.
pub(super) fn mounts() -> sys::Result<()> {
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    sys::mount_attributes(c"/", true, RDONLY, 0)?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    sys::mount(Some(c"tmpfs"), c"/tmp", Some(c"tmpfs"), flags, None)
}

/// A `/proc` of the new process namespace.
pub(super) fn own_proc() -> sys::Result<()> {
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    sys::mount(Some(c"proc"), c"/proc", Some(c"proc"), flags, None)
}

/// Terminals that are not those of the host.
pub(super) fn own_terminals() -> sys::Result<()> {
    sys::mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
    let data = Some(c"newinstance,ptmxmode=0666,mode=620");
    sys::mount(Some(c"devpts"), c"/dev/pts", Some(c"devpts"), flags, data)
}

/// The version of Landlock.
pub(super) fn landlock_version() -> sys::Result<usize> {
    // SAFETY: without a structure the call takes a flag alone, and answers with a number.
    unsafe { syscall(CREATE_RULESET, [0, 0, VERSION, 0, 0, 0]) }
}

/// A filter that asks.
pub(super) fn filter() -> sys::Result<()> {
    let ask: u32 = libc::SECCOMP_RET_USER_NOTIF;
    // SAFETY: the kernel reads a number, which outlives the call.
    unsafe { syscall(libc::SYS_seccomp, [GET_ACTION_AVAILABLE, 0, at(&raw const ask), 0, 0, 0]) }?;
    sys::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0)?;
    let allow = libc::sock_filter { code: 6, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW };
    let program = libc::sock_fprog { len: 1, filter: (&raw const allow).cast_mut() };
    let args = [SET_MODE_FILTER, LISTENER, at(&raw const program), 0, 0, 0];
    // SAFETY: the program points at one instruction, and both outlive the call.
    unsafe { syscall(libc::SYS_seccomp, args) }.map(drop)
}

/// Takes a descriptor of a process by its number.
pub(super) fn take_descriptor() -> sys::Result<()> {
    // SAFETY: take numbers alone.
    unsafe {
        let own = syscall(libc::SYS_getpid, [0; 6])?;
        let process = syscall(libc::SYS_pidfd_open, [own, 0, 0, 0, 0, 0])?;
        syscall(libc::SYS_pidfd_getfd, [process, process, 0, 0, 0, 0])
    }
    .map(drop)
}

/// Whether the kernel knows how to change the mode of a name without following it.
pub(super) fn change_mode() -> sys::Result<()> {
    let args = [int(-1), at(c"".as_ptr()), 0, 0, 0, 0];
    // SAFETY: a C string that outlives the call; there is no such file.
    match unsafe { syscall(FCHMODAT2, args) } {
        Err(Errno(libc::ENOSYS)) => Err(Errno(libc::ENOSYS)),
        _ => Ok(()),
    }
}
