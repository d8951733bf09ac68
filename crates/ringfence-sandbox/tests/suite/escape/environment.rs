//! What the supervisor has and the command is not given: variables and open files.

use std::fs::File;

use super::{Attempt, Fence, World, check_in};

#[test]
fn attempts() {
    let fences = [Fence::Trees, Fence::Changes, Fence::Hiding, Fence::Openings];
    check_in("environment::attempts", &fences, ATTEMPTS, leave_open);
}

/// A file that must not be read is open, for whoever is started.
fn leave_open(world: &mut World) {
    let file = File::open(world.outside().join("secret")).unwrap();
    let directory = File::open(world.outside()).unwrap();
    for fd in [&file, &directory] {
        use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
        // SAFETY: takes numbers alone, and nobody else owns what it gives.
        let copy = unsafe { OwnedFd::from_raw_fd(libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD, 700)) };
        world.held.push(copy);
    }
}

/// A variable that cargo gives to every test.
pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::sh("a variable", "test -n \"$CARGO_MANIFEST_DIR\""),
    Attempt::sh("all variables", "env | grep CARGO"),
    Attempt::sh("variables of a child", "sh -c 'env | grep CARGO'"),
    Attempt::sh("own variables through /proc", "grep -z CARGO /proc/self/environ"),
    Attempt::sh("everyone's variables through /proc", "cat /proc/[0-9]*/environ | grep -z CARGO"),
    Attempt::python("variables on the stack", "
a=[l for l in open('/proc/self/maps') if '[stack]' in l][0].split()[0].split('-')
assert b'CARGO_'+b'MANIFEST_DIR=' in ctypes.string_at(int(a[0],16),int(a[1],16)-int(a[0],16))"),
    Attempt::python("open files", "
for f in range(3,1024):
    try: secret(os.pread(f,99,0)); break
    except (OSError,AssertionError): pass
else: sys.exit(1)"),
    Attempt::python("open directories", "
for f in range(3,1024):
    try: secret(os.read(os.open('secret',0,dir_fd=f),99)); break
    except OSError: pass
else: sys.exit(1)"),
    Attempt::python("out of an open directory", "
for f in range(3,1024):
    try: os.fchdir(f); break
    except OSError: pass
else: sys.exit(1)"),
    Attempt::python("any file that is open", "
assert [f for f in os.listdir('/proc/self/fd') if int(f)>2 and os.path.exists(f'/proc/self/fd/{f}')]"),
    Attempt::python("a descriptor of the parent", "call(438,call(434,os.getppid(),0),0,0)"),
    Attempt::python("variables of the parent", "assert b'CARGO' in open(f'/proc/{os.getppid()}/environ','rb').read()"),
];
