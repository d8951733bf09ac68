//! Which calls are refused, which are asked about.

mod bpf;

use bpf::{Answer, Program, Test};

use crate::plan::{ExecPlan, Judged, Plan};

/// This machine, as the kernel names it.
#[cfg(target_arch = "x86_64")]
pub(crate) const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
pub(crate) const MACHINE: u32 = 0xc000_00b7;

/// Flags of an opening that can change something.
const CHANGING: u32 =
    (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | 0o20_000_000) as u32;
const NEW_NAMESPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP
    | 0x80) as u32;
/// The kind of a socket, without its flags.
const KIND: u32 = 0xf;

const AF_INET: u32 = libc::AF_INET as u32;
const AF_INET6: u32 = libc::AF_INET6 as u32;
/// Protocols of streams and of datagrams; 0 is the usual one. For others the kernel would load
/// modules that hardly anybody uses.
const STREAMS: &[i32] = &[0, libc::IPPROTO_TCP, libc::IPPROTO_MPTCP];
const DATAGRAMS: &[i32] = &[0, libc::IPPROTO_UDP, libc::IPPROTO_ICMP, libc::IPPROTO_ICMPV6];

/// Refused whatever the plan: they look into other processes, change the system, or go round the
/// filter.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_nfsservctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Refused where the machine has them.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_uselib, libc::SYS_ustat];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Calls that change files, by name or by descriptor.
const CHANGES: &[libc::c_long] = &[
    libc::SYS_mkdirat,
    libc::SYS_mknodat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_unlinkat,
    libc::SYS_truncate,
    libc::SYS_bind,
];

/// Calls that change what is known about files. Asked about whatever the plan: Landlock knows
/// nothing of them, and no mount of the tree holds them for a standard stream, which was opened
/// outside.
const ABOUT: &[libc::c_long] = &[
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchmod,
    libc::SYS_fchownat,
    libc::SYS_fchown,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

/// The older calls of the same meaning.
#[cfg(target_arch = "x86_64")]
const OLDER_CHANGES: &[libc::c_long] = &[
    libc::SYS_creat,
    libc::SYS_mkdir,
    libc::SYS_mknod,
    libc::SYS_rename,
    libc::SYS_renameat,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_unlink,
    libc::SYS_rmdir,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_CHANGES: &[libc::c_long] = &[libc::SYS_renameat];

#[cfg(target_arch = "x86_64")]
const OLDER_ABOUT: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_ABOUT: &[libc::c_long] = &[];

/// Asked about whatever the plan: no rule of Landlock holds names of sockets, nor the names of
/// files that a watch tells.
const ASKED: &[libc::c_long] = &[libc::SYS_connect, libc::SYS_inotify_add_watch];

/// New ways of setting attributes, which programs can do without: by number, as headers are young.
const YOUNG: &[libc::c_long] = &[463, 466, 469];
/// Older ways, which need no descriptor that could be written to: flags, versions, and attributes
/// of FAT.
const FLAGS: [u32; 6] =
    [0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4008_6604, 0x4008_7602, 0x4004_7211];
/// What encrypts a directory, and what makes a file unchangeable for good; neither needs such a
/// descriptor.
const FOR_GOOD: [u32; 2] = [0x800c_6613, 0x4080_6685];

/// The bits of a request that say whose it is.
const WHOSE: u32 = 0xff00;
/// Of btrfs, what copies the content of files that are open.
const COPIES: [u32; 3] = [0x4004_9409, 0x4020_940d, 0xc018_9436];
/// File systems that copy whole trees or files by a request, by names of which neither Landlock nor
/// the gate hears: btrfs, bcachefs and ocfs2. A snapshot of the home directory in the project would
/// be readable, with all that is hidden elsewhere.
const COPY_TREES: [u32; 3] = [0x9400, 0xbc00, 0x6f00];
/// Chooses who reads what comes from a terminal.
const TIOCSETD: u32 = 0x5423;
/// Makes those wait who change a directory, from Linux 6.19 on.
const F_SETDELEG: u32 = 1040;

/// The filter for a plan.
pub(crate) fn filter(plan: &Plan) -> Vec<libc::sock_filter> {
    rules(plan).end()
}

/// The rules on calls for a plan.
fn rules(plan: &Plan) -> Program {
    let mut program = Program::new(MACHINE);
    // Its flags lie in memory, where a filter cannot look.
    program.rule(libc::SYS_openat2, Answer::Fail(libc::ENOSYS));
    programs_with_rights(&mut program);
    let changes = plan.files.judged != Judged::Nothing;
    if changes {
        openings(&mut program, plan.files.judged);
    }
    if plan.exec == ExecPlan::Gated {
        program.rule(libc::SYS_execve, Answer::Ask);
        program.rule(libc::SYS_execveat, Answer::Ask);
    }
    if changes {
        CHANGES.iter().chain(OLDER_CHANGES).for_each(|call| program.rule(*call, Answer::Ask));
    }
    about(&mut program);
    ASKED.iter().for_each(|call| program.rule(*call, Answer::Ask));
    copies(&mut program);
    sockets(&mut program);
    processes(&mut program);
    for call in REFUSED.iter().chain(REFUSED_HERE) {
        program.rule(*call, Answer::Fail(libc::EPERM));
    }
    program
}

/// A program that runs as its owner would run so for everyone outside. Of groups the gate decides,
/// where it is asked: for directories that bit means something else.
fn programs_with_rights(program: &mut Program) {
    let refused = Answer::Fail(libc::EPERM);
    let (owner, either) = (Test::Bits(libc::S_ISUID), Test::Bits(libc::S_ISUID | libc::S_ISGID));
    let makes = Test::Bits((libc::O_CREAT | 0o20_000_000) as u32);
    program.rule_if(libc::SYS_fchmod, &[(1, owner)], refused);
    program.rule_if(libc::SYS_fchmodat, &[(2, owner)], refused);
    program.rule_if(libc::SYS_fchmodat2, &[(2, owner)], refused);
    program.rule_if(libc::SYS_mknodat, &[(2, either)], refused);
    program.rule_if(libc::SYS_openat, &[(2, makes), (3, either)], refused);
    #[cfg(target_arch = "x86_64")]
    {
        program.rule_if(libc::SYS_chmod, &[(1, owner)], refused);
        program.rule_if(libc::SYS_mknod, &[(1, either)], refused);
        program.rule_if(libc::SYS_creat, &[(1, either)], refused);
        program.rule_if(libc::SYS_open, &[(1, makes), (2, either)], refused);
    }
}

fn openings(program: &mut Program, judged: Judged) {
    if matches!(judged, Judged::Hiding | Judged::Openings) {
        // What is opened as a place only is read when it is opened once more; and it could not be
        // handed over.
        let is_place = Test::Bits(libc::O_PATH as u32);
        program.rule_if(libc::SYS_openat, &[(2, is_place)], Answer::Allow);
        #[cfg(target_arch = "x86_64")]
        program.rule_if(libc::SYS_open, &[(1, is_place)], Answer::Allow);
        program.rule(libc::SYS_openat, Answer::Ask);
        #[cfg(target_arch = "x86_64")]
        program.rule(libc::SYS_open, Answer::Ask);
        return;
    }
    program.rule_if(libc::SYS_openat, &[(2, Test::Bits(CHANGING))], Answer::Ask);
    #[cfg(target_arch = "x86_64")]
    program.rule_if(libc::SYS_open, &[(1, Test::Bits(CHANGING))], Answer::Ask);
}

/// What changes what is known about files.
fn about(program: &mut Program) {
    ABOUT.iter().chain(OLDER_ABOUT).for_each(|call| program.rule(*call, Answer::Ask));
    YOUNG.iter().for_each(|call| program.rule(*call, Answer::Fail(libc::ENOSYS)));
    for (requests, errno) in [(&FLAGS[..], libc::EOPNOTSUPP), (&FOR_GOOD[..], libc::EPERM)] {
        for request in requests {
            let is_request = [(1, Test::Is(*request))];
            program.rule_if(libc::SYS_ioctl, &is_request, Answer::Fail(errno));
        }
    }
}

/// Requests that copy. The content of files that are open may be copied.
fn copies(program: &mut Program) {
    for request in COPIES {
        program.rule_if(libc::SYS_ioctl, &[(1, Test::Is(request))], Answer::Allow);
    }
    for whose in COPY_TREES {
        let is_theirs = [(1, Test::Masked(WHOSE, whose))];
        program.rule_if(libc::SYS_ioctl, &is_theirs, Answer::Fail(libc::EPERM));
    }
}

/// Streams between processes and to the tree's own loopback; nothing raw, nothing exotic.
fn sockets(program: &mut Program) {
    let is_unix = (0, Test::Is(libc::AF_UNIX as u32));
    // Not datagrams, which raw means as well: they are sent to names that nobody judged.
    for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
        let kind = (1, Test::Masked(KIND, kind as u32));
        program.rule_if(libc::SYS_socket, &[is_unix, kind], Answer::Allow);
        program.rule_if(libc::SYS_socketpair, &[is_unix, kind], Answer::Allow);
    }
    program.rule_if(libc::SYS_socket, &[is_unix], Answer::Fail(libc::EPERM));
    program.rule(libc::SYS_socketpair, Answer::Fail(libc::EPERM));
    // Both versions: their numbers differ by one bit.
    let is_internet = (0, Test::Masked(!(AF_INET ^ AF_INET6), AF_INET));
    for (kind, protocols) in [(libc::SOCK_STREAM, STREAMS), (libc::SOCK_DGRAM, DATAGRAMS)] {
        let kind = (1, Test::Masked(KIND, kind as u32));
        for protocol in protocols {
            let tests = [(2, Test::Is(*protocol as u32)), is_internet, kind];
            program.rule_if(libc::SYS_socket, &tests, Answer::Allow);
        }
    }
    for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM] {
        let tests = [is_internet, (1, Test::Masked(KIND, kind as u32))];
        program.rule_if(libc::SYS_socket, &tests, Answer::Fail(libc::EPROTONOSUPPORT));
    }
    let route = [(0, Test::Is(libc::AF_NETLINK as u32)), (2, Test::Is(0))];
    program.rule_if(libc::SYS_socket, &route, Answer::Allow);
    program.rule(libc::SYS_socket, Answer::Fail(libc::EAFNOSUPPORT));
}

fn processes(program: &mut Program) {
    // Its flags lie in memory; libraries fall back to `clone`.
    program.rule(libc::SYS_clone3, Answer::Fail(libc::ENOSYS));
    let refused = Answer::Fail(libc::EPERM);
    program.rule_if(libc::SYS_clone, &[(0, Test::Bits(NEW_NAMESPACES))], refused);
    program.rule_if(libc::SYS_unshare, &[(0, Test::Bits(NEW_NAMESPACES))], refused);
    // Of its own limits a process says what it likes. Those that hold the tree are its user's too,
    // and without descriptors or time they would end.
    program.rule_if(libc::SYS_prlimit64, &[(0, Test::Is(0))], Answer::Allow);
    program.rule_if(libc::SYS_prlimit64, &[(2, Test::Null)], Answer::Allow);
    program.rule(libc::SYS_prlimit64, refused);
    // Whoever has a lease on a file makes those wait who open it.
    for request in [libc::F_SETLEASE as u32, F_SETDELEG] {
        program.rule_if(libc::SYS_fcntl, &[(1, Test::Is(request))], refused);
    }
    // Two of them differ by one bit. The last has the kernel load modules that take over a terminal.
    let typed = Test::Is(libc::TIOCSTI as u32);
    let pasted = Test::Masked(!1, libc::TIOCLINUX as u32 & libc::TIOCCONS as u32);
    for request in [typed, pasted, Test::Is(TIOCSETD)] {
        program.rule_if(libc::SYS_ioctl, &[(1, request)], refused);
    }
}
