//! Other processes and settings of the system, through `/proc`.

use super::{Attempt, Fence, check};

#[test]
fn attempts() {
    check(
        "procfs::attempts",
        &[Fence::Trees, Fence::Changes, Fence::Hiding, Fence::Openings],
        ATTEMPTS,
    );
}

/// Looks at every process but this one.
macro_rules! of_others {
    ($body:literal) => {
        concat!(
            "
def look(p):
",
            $body,
            "
others=[VICTIM] if os.path.exists(f'/proc/{VICTIM}') else [p for p in range(1,200) if p!=os.getpid()]
for p in others:
    try: look(p)
    except (OSError,AssertionError) as e: pass
    else: sys.exit(0)
sys.exit(1)"
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("variables of others", of_others!("    assert b'VICTIM' in open(f'/proc/{p}/environ','rb').read() or p<200")),
    Attempt::python("memory of others", of_others!("
    m=open(f'/proc/{p}/maps').read(); a=[l for l in m.split('\\n') if '[stack]' in l][0]
    f=os.open(f'/proc/{p}/mem',0); assert os.pread(f,64,int(a.split('-')[1].split()[0],16)-4096)")),
    Attempt::python("writing the memory of others", of_others!("    os.open(f'/proc/{p}/mem',os.O_RDWR)")),
    Attempt::python("maps of others", of_others!("    assert open(f'/proc/{p}/maps').read()")),
    Attempt::python("auxiliary values of others", of_others!("    assert open(f'/proc/{p}/auxv','rb').read()")),
    Attempt::python("words of others", of_others!("    assert open(f'/proc/{p}/cmdline').read()")),
    Attempt::python("status of others", of_others!("    assert open(f'/proc/{p}/status').read()")),
    Attempt::python("the stack of others", of_others!("    assert open(f'/proc/{p}/stack').read()")).by_root(),
    Attempt::python("the root of others", of_others!("    os.listdir(f'/proc/{p}/root/'+O)")),
    Attempt::python("the directory of others", of_others!("    os.listdir(f'/proc/{p}/cwd/')")),
    Attempt::python("the program of others", of_others!("    os.open(f'/proc/{p}/exe',0)")),
    Attempt::python("descriptors of others", of_others!("    os.listdir(f'/proc/{p}/fd')")),
    Attempt::python("what others have open", of_others!("    os.open(f'/proc/{p}/fd/0',0)")),
    Attempt::python("namespaces of others", of_others!("    os.open(f'/proc/{p}/ns/net',0)")),
    Attempt::python("mounts of others", of_others!("    assert open(f'/proc/{p}/mountinfo').read()")),
    Attempt::python("limits of others", of_others!("    assert open(f'/proc/{p}/limits').read() and p>200 or open(f'/proc/{p}/comm').read()")),
    Attempt::python("killing others sooner", of_others!("    open(f'/proc/{p}/oom_score_adj','w').write('500')")),
    Attempt::python("own memory", "
b=ctypes.create_string_buffer(b'before'); f=os.open('/proc/self/mem',os.O_RDWR)
os.pwrite(f,b'after!',ctypes.addressof(b)); assert b.value==b'after!'"),
    Attempt::python("own memory by thread", "os.open('/proc/thread-self/mem',os.O_RDWR)"),
    Attempt::sh("own weight when memory is short", "echo 500 > /proc/self/oom_score_adj"),
    Attempt::python("the root of the file system", "secret(open('/proc/self/root'+S,'rb').read())"),
    Attempt::python("the root, from a task", "secret(open(f'/proc/self/task/{os.getpid()}/root'+S,'rb').read())"),
    Attempt::python("keys of the system", "os.open('/proc/sysrq-trigger' if os.path.exists('/proc/sysrq-trigger') else '/proc/sys/kernel/panic',os.O_WRONLY)").by_root(),
    Attempt::python("what runs after a crash", "os.open('/proc/sys/kernel/core_pattern',os.O_WRONLY)").by_root(),
    Attempt::python("the name of the host", "os.open('/proc/sys/kernel/hostname',os.O_WRONLY)").by_root(),
    Attempt::python("caches", "os.open('/proc/sys/vm/drop_caches',os.O_WRONLY)").by_root(),
    Attempt::python("the loader of modules", "os.open('/proc/sys/kernel/modprobe' if os.path.exists('/proc/sys/kernel/modprobe') else '/proc/sys/kernel/poweroff_cmd',os.O_WRONLY)").by_root(),
    Attempt::python("forwarding", "os.open('/proc/sys/net/ipv4/ip_forward',os.O_WRONLY)").by_root(),
    Attempt::python("events of devices", "os.open('/sys/kernel/uevent_helper' if os.path.exists('/sys/kernel/uevent_helper') else '/sys/power/state',os.O_WRONLY)").by_root(),
    Attempt::python("control groups", "
import glob; os.mkdir(glob.glob('/sys/fs/cgroup/*/cgroup.procs')[0][:-12]+f'escape{os.getpid()}')").by_root(),
    Attempt::python("through the directory of a child", "
r,w=os.pipe(); p=os.fork()
if p==0:
    try: os.chdir(O)
    except OSError: os._exit(1)
    os.write(w,b'x'); time.sleep(5); os._exit(0)
os.close(w); os.read(r,1); secret(open(f'/proc/{p}/cwd/secret','rb').read())"),
    Attempt::python("what a child has open as a place", "
r,w=os.pipe(); p=os.fork()
if p==0:
    d=os.open(S,os.O_PATH); os.dup2(d,77); os.write(w,b'x'); time.sleep(5); os._exit(0)
os.close(w); os.read(r,1); secret(open(f'/proc/{p}/fd/77','rb').read())"),
    Attempt::python("a masked file by a thread's directory", "secret(open(f'/proc/self/task/{os.getpid()}/cwd/.env','rb').read())"),
    Attempt::python("own mapping, for writing", "
f=os.open(R+'/secret',0); m=mmap.mmap(f,0,prot=mmap.PROT_READ); l=[l.split()[0] for l in open('/proc/self/maps') if R in l][0]
os.write(os.open('/proc/self/map_files/'+l,os.O_RDWR),b'x')").by_root(),
    Attempt::python("addresses of the kernel", "assert any(int(l.split()[0],16) for l in open('/proc/kallsyms'))").by_root(),
    Attempt::python("physical addresses", "
b=ctypes.create_string_buffer(b'x',4096); f=os.open('/proc/self/pagemap',0)
assert struct.unpack('Q',os.pread(f,8,ctypes.addressof(b)//4096*8))[0]&0x7fffffffffffff").by_root(),
    Attempt::python("pages of the machine", "assert os.read(os.open('/proc/kpagecount',0),64)").by_root(),
    Attempt::python("what drivers have of the memory", "assert any(int(l.split('-')[0],16) for l in open('/proc/iomem'))").by_root(),
    Attempt::python("memory of the kernel, by its users", "assert open('/proc/slabinfo').read() and open('/proc/vmallocinfo').read()").by_root(),
    Attempt::python("timers of everybody", "assert open('/proc/timer_list').read()").by_root(),
    Attempt::python("mounts by another's eyes", "assert open(f'/proc/{os.getppid()}/mountinfo').read()"),
];
