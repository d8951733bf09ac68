//! What every run can reach, whatever its policy says.
//!
//! Without these no program starts or finds its terminal, and nothing of anyone is kept in them.

use std::path::Path;

use crate::plan::Rights;

/// The paths that every run can reach whatever its policy says, with rights and reasons.
pub fn always() -> impl Iterator<Item = (&'static str, Rights, &'static str)> {
    ALWAYS.iter().map(|own| (own.path, own.rights, own.why))
}

/// A path that is there in every run, or in every run of a sort.
pub(super) struct Always {
    /// The path.
    pub(super) path: &'static str,
    /// What may be done there.
    pub(super) rights: Rights,
    /// When it is needed.
    pub(super) when: When,
    /// Why it is there.
    pub(super) why: &'static str,
}

/// When a path is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// In every run.
    Ever,
    /// Where hosts can be reached by name.
    Network,
}

const READ: Rights = Rights::READ;
const RUN: Rights = Rights::READ.and(Rights::EXECUTE);
const CHANGE: Rights = Rights::READ.and(Rights::WRITE);
const TALK: Rights = CHANGE.and(Rights::IOCTL);

/// The list.
pub(super) const ALWAYS: [Always; 37] = [
    ever("/dev/null", CHANGE, "what nobody wants to keep is written here"),
    ever("/dev/zero", CHANGE, "zeros, and memory in older programs"),
    ever("/dev/full", CHANGE, "tests try a full disk here"),
    ever("/dev/random", CHANGE, "random numbers; programs may add to them"),
    ever("/dev/urandom", CHANGE, "random numbers; programs may add to them"),
    ever("/dev/tty", TALK, "the terminal of the run, where it has one"),
    ever("/dev/ptmx", TALK, "programs make terminals of their own"),
    ever("/dev/pts", TALK, "those terminals; the run has its own, empty at the start"),
    ever("/dev/stdin", CHANGE, "what the program was given as input"),
    ever("/dev/stdout", CHANGE, "where the program's output goes"),
    ever("/dev/stderr", CHANGE, "where the program's messages go"),
    ever("/dev/fd", READ, "the program's own descriptors, by number"),
    ever("/proc", READ, "a process looks at itself here; the run sees only its own processes"),
    ever("/sys/devices/system/cpu", READ, "node, java and rust count the processors here"),
    ever("/sys/devices/system/node", READ, "allocators look at the layout of memory here"),
    ever("/sys/fs/cgroup", READ, "runtimes read here how much they may use"),
    ever("/sys/kernel/mm/transparent_hugepage", READ, "allocators and java ask here"),
    ever("/etc/ld.so.cache", READ, "the loader finds libraries by it"),
    ever("/etc/ld.so.conf", READ, "the loader finds libraries by it"),
    ever("/etc/ld.so.conf.d", READ, "the loader finds libraries by it"),
    ever("/etc/localtime", READ, "the time zone of this machine"),
    ever("/usr/lib", RUN, "the loader and the libraries that programs are linked to"),
    ever("/usr/lib32", RUN, "the loader and the libraries that programs are linked to"),
    ever("/usr/lib64", RUN, "the loader and the libraries that programs are linked to"),
    ever("/usr/libx32", RUN, "the loader and the libraries that programs are linked to"),
    ever("/lib", RUN, "the loader and the libraries that programs are linked to"),
    ever("/lib64", RUN, "the loader and the libraries that programs are linked to"),
    ever("/usr/bin", RUN, "programs of the system; which of them start the gate says"),
    ever("/usr/sbin", RUN, "programs of the system; which of them start the gate says"),
    ever("/usr/local/bin", RUN, "programs of the system; which of them start the gate says"),
    ever("/usr/local/sbin", RUN, "programs of the system; which of them start the gate says"),
    ever("/bin", RUN, "programs of the system; which of them start the gate says"),
    ever("/sbin", RUN, "programs of the system; which of them start the gate says"),
    of_network("/etc/resolv.conf", "says where names are looked up; the run has its own"),
    of_network("/etc/hosts", "names of this machine and its neighbours"),
    of_network("/etc/nsswitch.conf", "says how names are looked up"),
    of_network("/etc/host.conf", "says how names are looked up"),
];

const fn ever(path: &'static str, rights: Rights, why: &'static str) -> Always {
    Always { path, rights, when: When::Ever, why }
}

const fn of_network(path: &'static str, why: &'static str) -> Always {
    Always { path, rights: READ, when: When::Network, why }
}

/// The kernel's own file systems: nobody makes files there, so that nothing is watched nor pinned.
pub(crate) const KERNEL_TREES: [&str; 2] = ["/proc", "/sys"];

/// Devices in which nothing is kept. They need no grant and meet no rule, as everywhere in ringfence
/// (`FilePath::is_free_device`).
pub(super) const FREE_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// Whether a path lies where the kernel makes up files and devices.
pub(super) fn is_kernels(path: &str) -> bool {
    ["/proc", "/sys", "/dev"].iter().any(|own| Path::new(path).starts_with(own))
}

/// Directories that a run has for itself unless they are granted.
pub(super) const PRIVATE: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
