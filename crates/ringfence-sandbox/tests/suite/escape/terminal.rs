//! The terminal, which is lent to the command, and those of others.

use std::fs::File;
use std::os::fd::FromRawFd;
use std::path::PathBuf;

use ringfence_sandbox::plan::{Rights, Tree};

use super::{Attempt, Fence, World, check_in};

#[test]
fn attempts() {
    check_in(
        "terminal::attempts",
        &[Fence::Trees, Fence::Changes, Fence::Hiding],
        ATTEMPTS,
        open_terminal,
    );
}

/// Terminals are granted, all of them; one is open outside.
fn open_terminal(world: &mut World) {
    for path in ["/dev/ptmx", "/dev/pts", "/dev/tty"] {
        let rights = Rights::READ | Rights::WRITE | Rights::IOCTL;
        world.fixture.plan.files.trees.push(Tree { path: PathBuf::from(path), rights });
    }
    // SAFETY: takes numbers alone, and nobody else owns what it gives.
    let (terminal, name) = unsafe {
        let terminal = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC);
        assert!(terminal >= 0 && libc::grantpt(terminal) == 0 && libc::unlockpt(terminal) == 0);
        let mut name = [0_u8; 64];
        assert_eq!(libc::ptsname_r(terminal, name.as_mut_ptr().cast(), name.len()), 0);
        (File::from_raw_fd(terminal), name)
    };
    let name = std::ffi::CStr::from_bytes_until_nul(&name).unwrap();
    world.told.push(("TERMINAL".to_owned(), name.to_str().unwrap().to_owned()));
    world.held.push(terminal.into());
}

/// A terminal of one's own that is the session's.
macro_rules! on_terminal {
    ($body:literal) => {
        concat!(
            "
m,s=os.openpty(); p=os.fork()
if p:
    sys.exit(os.waitpid(p,0)[1]!=0)
os.setsid(); fcntl.ioctl(s,0x540e,0)
",
            $body
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("type into it", on_terminal!("fcntl.ioctl(s,0x5412,b'x')")),
    Attempt::python("type into it, with high bits", on_terminal!("call(16,s,0x100005412,b'x')")),
    Attempt::python(
        "type into it, with all high bits",
        on_terminal!("call(16,s,-0xffffabee,b'x')"),
    ),
    Attempt::python("paste into it", on_terminal!("reached(16,s,0x541c,b'\\3')")),
    Attempt::python(
        "paste into it, with high bits",
        on_terminal!("reached(16,s,0x70000000541c,b'\\3')"),
    ),
    Attempt::python("take the console", on_terminal!("reached(16,s,0x541d,0)")).by_root(),
    Attempt::python(
        "write to another one",
        "os.write(os.open(os.environ['TERMINAL'],os.O_WRONLY|os.O_NOCTTY),b'x')",
    ),
    Attempt::python(
        "read from another one",
        "os.open(os.environ['TERMINAL'],os.O_RDONLY|os.O_NOCTTY|os.O_NONBLOCK)",
    ),
    Attempt::python("chmod another one", "os.chmod(os.environ['TERMINAL'],0o666)"),
    Attempt::python("a console", "os.open('/dev/tty1',os.O_RDWR|os.O_NOCTTY)").by_root(),
    Attempt::python(
        "a line discipline",
        "reached(16,os.pipe()[0],0x5423,ctypes.byref(ctypes.c_int(27)))",
    ),
];
