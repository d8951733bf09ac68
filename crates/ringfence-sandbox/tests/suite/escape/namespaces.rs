//! New namespaces, and those of others.

use super::{Attempt, Fence, check};

#[test]
fn attempts() {
    check("namespaces::attempts", &[Fence::Trees, Fence::Changes], ATTEMPTS);
}

/// A child with these flags, which ends at once.
macro_rules! clone {
    ($flags:literal) => {
        concat!(
            "p=call(56,",
            $flags,
            "|17,0,0,0,0)\nif p==0: os._exit(0)\nassert os.waitpid(p,0)[1]==0"
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("unshare users", "call(272,0x10000000)"),
    Attempt::python("unshare mounts", "call(272,0x10000000|0x20000)"),
    Attempt::python("unshare names of the host", "call(272,0x10000000|0x4000000)"),
    Attempt::python("unshare ipc", "call(272,0x10000000|0x8000000)"),
    Attempt::python("unshare processes", "call(272,0x10000000|0x20000000)"),
    Attempt::python("unshare the network", "call(272,0x10000000|0x40000000)"),
    Attempt::python("unshare control groups", "call(272,0x10000000|0x2000000)"),
    Attempt::python("unshare time", "call(272,0x10000000|0x80)"),
    Attempt::python("clone with high bits", clone!("0x7000000010000000")),
    Attempt::python("unshare mounts alone", "call(272,0x20000)").by_root(),
    Attempt::python("unshare the network alone", "call(272,0x40000000)").by_root(),
    Attempt::python("clone users", clone!("0x10000000")),
    Attempt::python("clone mounts", clone!("0x10000000|0x20000")),
    Attempt::python("clone names of the host", clone!("0x10000000|0x4000000")),
    Attempt::python("clone ipc", clone!("0x10000000|0x8000000")),
    Attempt::python("clone processes", clone!("0x10000000|0x20000000")),
    Attempt::python("clone the network", clone!("0x10000000|0x40000000")),
    Attempt::python("clone control groups", clone!("0x10000000|0x2000000")),
    Attempt::python("clone3 users", "
a=struct.pack('11Q',0x10000000,0,0,0,17,0,0,0,0,0,0); p=call(435,a,88)
if p==0: os._exit(0)
assert os.waitpid(p,0)[1]==0"),
    Attempt::python("clone3 with nothing new", "
a=struct.pack('11Q',0,0,0,0,17,0,0,0,0,0,0); p=call(435,a,88)
if p==0: os._exit(0)
assert os.waitpid(p,0)[1]==0"),
    Attempt::python("setns of mounts", "call(308,os.open('/proc/self/ns/mnt',0),0)").by_root(),
    Attempt::python("setns of the network", "call(308,os.open('/proc/self/ns/net',0),0)").by_root(),
    Attempt::python("setns of another", "call(308,os.open(f'/proc/{VICTIM}/ns/net',0),0)").by_root(),
    Attempt::python("setns by pidfd", "call(308,call(434,VICTIM,0),0x40000000)").by_root(),
    Attempt::sh("unshare with its program", "unshare -r true"),
    Attempt::python("chroot", "os.chroot('.')").by_root(),
    Attempt::python("a capability", "
h=struct.pack('Ii',0x20080522,0); d=ctypes.create_string_buffer(24); call(125,h,d); assert any(d.raw)").by_root(),
    Attempt::python("another user", "os.setresuid(64999,64999,64999)").by_root(),
    Attempt::python("another group", "os.setgroups([64999])").by_root(),
    Attempt::python("more privileges by starting a program", "
assert '\\nNoNewPrivs:\\t0' in open('/proc/self/status').read()"),
];
