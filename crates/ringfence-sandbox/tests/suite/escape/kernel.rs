//! Parts of the kernel that a confined tree has no business with.

use super::{Attempt, Fence, check};

#[test]
fn calls() {
    check("kernel::calls", &[Fence::Trees, Fence::Changes, Fence::Hiding], CALLS);
}

#[test]
fn rings() {
    check("kernel::rings", &[Fence::Trees, Fence::Changes, Fence::Hiding], RINGS);
}

pub(super) const RINGS: &[Attempt] = &[
    Attempt::python("a ring", "call(425,4,ctypes.create_string_buffer(120))"),
    Attempt::python("entering a ring", "reached(426,-1,0,0,0,None,0)"),
    Attempt::python("registering with a ring", "reached(427,-1,0,None,0)"),
    Attempt::python("opening a file with a ring", "
p=ctypes.create_string_buffer(120); f=call(425,4,p); v=struct.unpack('30I',p.raw)
so,co=v[10:20],v[20:30]
sq=mmap.mmap(f,so[6]+4*v[0],mmap.MAP_SHARED,mmap.PROT_READ|mmap.PROT_WRITE,offset=0)
cq=mmap.mmap(f,co[5]+16*v[1],mmap.MAP_SHARED,mmap.PROT_READ|mmap.PROT_WRITE,offset=0x8000000) if False else sq
e=mmap.mmap(f,64*v[0],mmap.MAP_SHARED,mmap.PROT_READ|mmap.PROT_WRITE,offset=0x10000000)
n=ctypes.create_string_buffer(S.encode())
e[0:64]=struct.pack('BBHiQQIIQHHIQQ',18,0,0,-100,0,ctypes.addressof(n),0,0,7,0,0,0,0,0)
sq[so[6]:so[6]+4]=struct.pack('I',0); sq[so[1]:so[1]+4]=struct.pack('I',1)
assert call(426,f,1,1,1,None,0)==1"),
];

pub(super) const CALLS: &[Attempt] = &[
    Attempt::python("ptrace", "call(101,16,VICTIM,0,0)"),
    Attempt::python("ptrace a child", "
p=os.fork()
if p==0: time.sleep(9)
call(101,0x4206,p,0,0)"),
    Attempt::python("be traced", "call(101,0,0,0,0)"),
    Attempt::python("read memory of another", "
p=os.fork()
if p==0: time.sleep(9)
b=ctypes.create_string_buffer(b'before'); v=struct.pack('QQ',ctypes.addressof(b),6); call(310,p,v,1,v,1,0)"),
    Attempt::python("write memory of another", "
p=os.fork()
if p==0: time.sleep(9)
b=ctypes.create_string_buffer(b'before'); v=struct.pack('QQ',ctypes.addressof(b),6); call(311,p,v,1,v,1,0)"),
    Attempt::python("take a descriptor of another", "
p=os.fork()
if p==0: time.sleep(9)
call(438,call(434,p,0),1,0)"),
    Attempt::python("compare with another", "call(312,os.getpid(),os.getpid(),0,0,0)"),
    Attempt::python("advise another", "
m=ctypes.create_string_buffer(9999); v=struct.pack('QQ',ctypes.addressof(m)+4095&~4095,4096); reached(440,call(434,os.getpid(),0),v,1,20,0)"),
    Attempt::python("perf", "
a=ctypes.create_string_buffer(128); struct.pack_into('IIQ',a,0,1,128,0); struct.pack_into('Q',a,40,0x60); call(298,a,0,-1,-1,0)"),
    Attempt::python("bpf", "b=ctypes.create_string_buffer(128); struct.pack_into('IIII',b,0,2,4,4,1); call(321,0,b,72)").by_root(),
    Attempt::python("userfaultfd", "call(323,1)"),
    Attempt::python("add a key", "call(248,b'user',b'x',b'y',1,-2)"),
    Attempt::python("the keyring of the session", "call(250,0,-4,1)"),
    Attempt::python("ask for a key", "reached(249,b'user',b'x',None,-2)"),
    Attempt::python("mount", "os.mkdir('m'); call(165,b'x',b'm',b'tmpfs',0,None); call(166,b'm',0)").by_root(),
    Attempt::python("mount a tree once more", "os.mkdir('m'); call(165,O.encode(),b'm',None,0x1000,None); call(166,b'm',0)").by_root(),
    Attempt::python("remove a cover", "reached(166,b'.env',2)").by_root(),
    Attempt::python("change a mount", "reached(442,-100,b'/',0,struct.pack('4Q',0,1,0,0),32)").by_root(),
    Attempt::python("open a file system", "call(430,b'tmpfs',0)").by_root(),
    Attempt::python("pick a file system", "call(433,-100,b'/',0)").by_root(),
    Attempt::python("copy a tree of mounts", "call(428,-100,b'/',1)").by_root(),
    Attempt::python("copy a tree of mounts with attributes", "call(467,-100,b'/',1,struct.pack('4Q',0,0,0,0),32)").by_root(),
    Attempt::python("move a mount", "reached(429,-1,b'',-100,b'/',4)").by_root(),
    Attempt::python("change the root", "reached(155,b'/nowhere',b'/nowhere')").by_root(),
    Attempt::python("fanotify", "call(300,0x200,0)"),
    Attempt::python("account", "call(163,None)").by_root(),
    Attempt::python("swap", "reached(167,b'/nowhere',0)").by_root(),
    Attempt::python("quotas", "call(179,0x80000100,None,0,None)"),
    Attempt::python("the log of the kernel", "call(103,10,0,0)").by_root(),
    Attempt::python("the clock", "reached(227,0,struct.pack('qq',-1,-1))").by_root(),
    Attempt::python("the pace of the clock", "call(305,0,ctypes.create_string_buffer(300))"),
    Attempt::python("the host's name", "n=os.uname().nodename.encode(); call(170,n,len(n))").by_root(),
    Attempt::python("the domain's name", "call(171,b'(none)',6)").by_root(),
    Attempt::python("restart", "reached(169,1,2,3,None)").by_root(),
    Attempt::python("descriptors of segments", "call(154,0,ctypes.create_string_buffer(16),16)"),
    Attempt::c("calls of the other word size", "int attempt(void){ long r; asm volatile(\"int $0x80\":\"=a\"(r):\"a\"(20):\"memory\"); return r==getpid()?0:1; }"),
    Attempt::c("opening a file with the other word size", "
int attempt(void){ char *p=mmap((void*)0x10000000,4096,3,MAP_PRIVATE|MAP_ANONYMOUS|MAP_FIXED,-1,0);
 snprintf(p,4096,\"%s/secret\",getenv(\"O\")); long r; asm volatile(\"int $0x80\":\"=a\"(r):\"a\"(5),\"b\"(p),\"c\"(0),\"d\"(0):\"memory\");
 return r>=0?0:1; }"),
    Attempt::python("configure a file system", "reached(431,-1,6,None,None,0)"),
    Attempt::python("mount what was opened", "reached(432,-1,0,0)").by_root(),
    Attempt::python("quotas by descriptor", "
try: call(443,os.open('.',0),0x80000100,0,None)
except OSError as e: assert e.errno not in (errno.EPERM,errno.EACCES),e"),
    Attempt::python("a process by its handle", "
h=ctypes.create_string_buffer(struct.pack('Ii',128,0)+bytes(128)); m=ctypes.c_int()
call(303,call(434,os.getpid(),0),b'',h,ctypes.byref(m),0x1000); call(304,-10002,h,0)"),
    Attempt::python("marking what fanotify tells", "reached(301,-1,1,1,-100,None)"),
    Attempt::python("the time of day", "reached(164,struct.pack('qq',-1,-1),None)").by_root(),
    Attempt::python("a capability that is not bounded", "assert libc.prctl(23,21,0,0,0)==1"),
    Attempt::python("securebits", "assert libc.prctl(28,0,0,0,0)==0").by_root(),
    Attempt::python("shared memory of the host", "
libc.shmat.restype=ctypes.c_void_p; a=libc.shmat(int(os.environ['SHARED']),None,0o10000); assert a!=2**64-1,ctypes.get_errno(); secret(ctypes.string_at(a,14))"),
];
