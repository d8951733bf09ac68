//! Processes outside, and those that hold the tree.

use super::{Attempt, Fence, check};

#[test]
fn attempts() {
    check("signals::attempts", &[Fence::Trees, Fence::Changes], ATTEMPTS);
}

macro_rules! on_others {
    ($act:literal) => {
        concat!(
            "
def act(p): ",
            $act,
            "
# The keeper and the launcher of a session are in it: commands reach them as they reach one another.
own={os.getpid()}
above=os.getppid() if 'SESSION' in os.environ else 1
while above>1:
    own|={int(task) for task in os.listdir(f'/proc/{above}/task')}
    above=int(open(f'/proc/{above}/stat').read().rsplit(')',1)[1].split()[1])
others=[VICTIM] if os.path.exists(f'/proc/{VICTIM}') else [p for p in range(1,300) if p not in own]
done=0
for p in others:
    try: act(p); done+=1
    except OSError: pass
assert done"
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("kill", on_others!("os.kill(p,signal.SIGKILL)")),
    Attempt::python("stop", on_others!("os.kill(p,signal.SIGSTOP)")),
    Attempt::python("ask whether it is there", on_others!("os.kill(p,0)")),
    Attempt::python("tkill", on_others!("call(200,p,15)")),
    Attempt::python("tgkill", on_others!("call(234,p,p,15)")),
    Attempt::python("sigqueue", on_others!("libc.sigqueue(p,15,None) and call(-1)")),
    Attempt::python(
        "rt_sigqueueinfo",
        on_others!(
            "call(129,p,15,struct.pack('iiiiii',15,0,-1,0,os.getpid(),os.getuid())+bytes(104))"
        ),
    ),
    Attempt::python("pidfd", on_others!("call(424,call(434,p,0),15,None,0)")),
    Attempt::python("the outside one by its number", "os.kill(VICTIM,15)"),
    Attempt::python("the outside one by pidfd", "call(424,call(434,VICTIM,0),15,None,0)"),
    Attempt::python("its group", "os.killpg(os.getpgid(VICTIM),0)"),
    // In a session the parent is one of its own processes; the init is above.
    Attempt::python("the parent", "os.kill(1 if 'SESSION' in os.environ else os.getppid(),0)"),
    Attempt::python(
        "by a descriptor's owner",
        "
r,w=os.pipe(); fcntl.fcntl(r,fcntl.F_SETOWN,VICTIM); assert fcntl.fcntl(r,fcntl.F_GETOWN)==VICTIM
fcntl.fcntl(r,fcntl.F_SETFL,os.O_ASYNC|os.O_NONBLOCK); os.write(w,b'x')",
    ),
    Attempt::python("priority", "os.setpriority(os.PRIO_PROCESS,VICTIM,19)"),
    Attempt::python("processors", "os.sched_setaffinity(VICTIM,{0})"),
    Attempt::python(
        "limits",
        "import resource; resource.prlimit(VICTIM,resource.RLIMIT_NOFILE,(1,1))",
    ),
    Attempt::python(
        "limits of those that hold the tree",
        on_others!("import resource; resource.prlimit(p,resource.RLIMIT_NOFILE,(64,64))"),
    ),
    Attempt::python(
        "limits that lie at an address with a round number",
        on_others!(
            "m=0x7f00000000; libc.mmap.restype=ctypes.c_void_p; libc.mmap.argtypes=[ctypes.c_void_p]+[ctypes.c_long]*5; assert libc.mmap(m,4096,3,0x32,-1,0)==m; ctypes.memmove(m,struct.pack('QQ',64,64),16); call(302,p,7,ctypes.c_void_p(m),None)"
        ),
    ),
    Attempt::python("schedule", "os.sched_setscheduler(VICTIM,os.SCHED_BATCH,os.sched_param(0))"),
    Attempt::python(
        "rt_tgsigqueueinfo",
        on_others!(
            "call(297,p,p,15,struct.pack('iiiiii',15,0,-1,0,os.getpid(),os.getuid())+bytes(104))"
        ),
    ),
    Attempt::python("its turn at the disk", "call(251,1,VICTIM,0x6000)"),
    Attempt::python(
        "its list of locks",
        "a,b=ctypes.c_void_p(),ctypes.c_size_t(); call(274,VICTIM,ctypes.byref(a),ctypes.byref(b))",
    ),
    Attempt::python(
        "its pace",
        "b=ctypes.create_string_buffer(56); call(315,VICTIM,b,56,0); call(314,VICTIM,b,0)",
    ),
];
