//! Files that are not granted, by every call that reads or changes them.

use super::{Attempt, Fence, check};

#[test]
fn reading() {
    check(
        "files::reading",
        &[Fence::Trees, Fence::Changes, Fence::Hiding, Fence::Openings],
        READING,
    );
}

#[test]
fn changing() {
    check("files::changing", &[Fence::Trees, Fence::Changes, Fence::Hiding], CHANGING);
}

#[test]
fn changing_what_is_known_about_them() {
    check(
        "files::changing_what_is_known_about_them",
        &[Fence::Trees, Fence::Changes, Fence::Hiding],
        ABOUT,
    );
}

#[test]
fn changing_what_only_the_judge_protects() {
    check("files::changing_what_only_the_judge_protects", &[Fence::Changes], PROTECTED);
}

pub(super) const READING: &[Attempt] = &[
    Attempt::sh("open", "cat $S"),
    Attempt::sh("list a directory", "ls $O"),
    Attempt::sh("relative after cd", "cd $O && cat secret"),
    Attempt::sh("a masked file", "cat .env"),
    Attempt::sh("a file in a masked directory", "cat keys/one"),
    Attempt::sh("list a masked directory", "ls keys | grep one"),
    Attempt::sh("a nested masked file", "cat sub/.env"),
    Attempt::python("the size of a masked file", "assert os.stat('.env').st_size==14"),
    Attempt::python("the size of a masked file, by statx", "
b=ctypes.create_string_buffer(256); call(332,-100,b'sub/.env',0,0xfff,b); assert struct.unpack_from('Q',b.raw,40)[0]==14"),
    Attempt::python("what is in memory of a masked file", "
f=os.open('.env',0); b=ctypes.create_string_buffer(40); call(451,f,struct.pack('QQ',0,0),b,0)"),
    Attempt::python("a watch on a masked file", "
d=libc.inotify_init(); assert libc.inotify_add_watch(d,b'keys/one',0xfff)>=0"),
    Attempt::python("a place by open_tree", "
d=call(428,-100,S.encode(),0); secret(os.read(os.open(f'/proc/self/fd/{d}',0),99))"),
    Attempt::python("Landlock rules of one's own that grant it", "
r=call(444,struct.pack('Q',4),8,0); d=os.open(O,os.O_PATH); call(445,r,1,struct.pack('<Qi',4,d),0)
libc.prctl(38,1,0,0,0); call(446,r,0); secret(open(S,'rb').read())"),
    Attempt::python("mmap", "f=os.open(S,0); secret(mmap.mmap(f,0,prot=mmap.PROT_READ)[:])"),
    Attempt::python(
        "sendfile",
        "os.sendfile(os.open('out',os.O_CREAT|os.O_RDWR),os.open(S,0),0,99); secret(open('out','rb').read())",
    ),
    Attempt::python(
        "copy_file_range",
        "os.copy_file_range(os.open(S,0),os.open('out',os.O_CREAT|os.O_RDWR),99); secret(open('out','rb').read())",
    ),
    Attempt::python("splice", "r,w=os.pipe(); os.splice(os.open(S,0),w,99); secret(os.read(r,99))"),
    Attempt::python(
        "openat2",
        "secret(os.read(call(437,-100,S.encode(),struct.pack('QQQ',0,0,0),24),99))",
    ),
    Attempt::python(
        "openat on a directory",
        "d=os.open(O,os.O_PATH); secret(os.read(os.open('secret',0,dir_fd=d),99))",
    ),
    Attempt::python(
        "open what was opened as a path",
        "d=os.open(S,os.O_PATH); secret(os.read(os.open(f'/proc/self/fd/{d}',0),99))",
    ),
    Attempt::python(
        "open a masked file through its path",
        "d=os.open('.env',os.O_PATH); secret(os.read(os.open(f'/proc/self/fd/{d}',0),99))",
    ),
    Attempt::python(
        "a file handle",
        "
h=ctypes.create_string_buffer(struct.pack('Ii',128,0)+bytes(128)); m=ctypes.c_int()
call(303,-100,S.encode(),h,ctypes.byref(m),0); d=os.open(O,0)
secret(os.read(call(304,d,h,0),99))",
    )
    .by_root(),
    Attempt::python(
        "a file handle of a masked file",
        "
h=ctypes.create_string_buffer(struct.pack('Ii',128,0)+bytes(128)); m=ctypes.c_int()
call(303,-100,b'plain/file',h,ctypes.byref(m),0); d=os.open(P,0)
assert os.read(call(304,d,h,0),99)",
    )
    .by_root(),
    Attempt::python(
        "a snapshot by btrfs, in which nothing is masked",
        "reached(16,os.open(P,0),0x50009417,ctypes.create_string_buffer(4096))",
    ),
    Attempt::python(
        "a snapshot by btrfs, with high bits",
        "reached(16,os.open(P,0),0x7000000050009401,ctypes.create_string_buffer(4096))",
    ),
    Attempt::python(
        "a snapshot by bcachefs",
        "reached(16,os.open(P,0),0x4020bc10,ctypes.create_string_buffer(32))",
    ),
    Attempt::python(
        "a copy by ocfs2, by names",
        "reached(16,os.open(P,0),0x40186f04,ctypes.create_string_buffer(24))",
    ),
    Attempt::python(
        "names by inotify",
        "
d=libc.inotify_init(); assert libc.inotify_add_watch(d,O.encode(),0xfff)>=0
try: os.listdir(O)
except OSError: os.stat(S)",
    ),
    Attempt::python("a device that is not granted", "assert os.read(os.open('/dev/zero',0),1)"),
    Attempt::python(
        "a device through a node of one's own",
        "os.mknod('zero',0o20600,os.makedev(1,5)); assert os.read(os.open('zero',0),1)",
    )
    .by_root(),
    Attempt::python("the messages of the kernel", "os.open('/dev/kmsg',os.O_NONBLOCK)").by_root(),
    Attempt::python(
        "the memory of the console",
        "os.open('/dev/vcs' if os.path.exists('/dev/vcs') else '/dev/full',0)",
    )
    .by_root(),
    Attempt::python("a masked file by a long name", "secret(open('./'*2000+'.env','rb').read())"),
    Attempt::python("asynchronously", "
c=ctypes.c_ulong(); call(206,4,ctypes.byref(c)); f=os.open(S,0); b=ctypes.create_string_buffer(99)
i=ctypes.create_string_buffer(struct.pack('QIIHHIQQqQII',1,0,0,0,0,f,ctypes.addressof(b),99,0,0,0,0)); a=(ctypes.c_void_p*1)(ctypes.addressof(i))
call(209,c,1,a); e=ctypes.create_string_buffer(32); call(208,c,1,1,e,None); secret(b.raw)"),
];

pub(super) const CHANGING: &[Attempt] = &[
    Attempt::sh("write", "echo x > $S"),
    Attempt::sh("append", "echo x >> $S"),
    Attempt::sh("remove", "rm $S"),
    Attempt::sh("move in", "mv $S got"),
    Attempt::sh("move out", "mv plain/file $O/file"),
    Attempt::sh("copy out", "cp plain/file $O/file"),
    Attempt::sh("make a directory", "mkdir $O/d"),
    Attempt::sh("remove a directory", "rmdir $O/empty"),
    Attempt::sh("make a pipe", "mkfifo $O/p"),
    Attempt::sh("make a link", "ln -s x $O/l"),
    Attempt::sh("write where only reading is granted", "echo x > $R/secret"),
    Attempt::sh("make a file where only reading is granted", "echo x > $R/new"),
    Attempt::sh("remove where only reading is granted", "rm $R/secret"),
    Attempt::sh("rename where only reading is granted", "mv $R/secret $R/other"),
    Attempt::python("cut by name", "os.truncate(S,0)"),
    Attempt::python(
        "cut while reading",
        "os.open(R+'/secret',os.O_RDONLY|os.O_TRUNC); assert os.path.getsize(R+'/secret')==0",
    ),
    Attempt::python("creat", "call(85,(O+'/new').encode(),0o600)"),
    Attempt::python(
        "openat2",
        "os.write(call(437,-100,S.encode(),struct.pack('QQQ',2,0,0),24),b'x')",
    ),
    Attempt::python(
        "a shared mapping",
        "f=os.open(S,os.O_RDWR); m=mmap.mmap(f,0); m[0]=1; m.flush()",
    ),
    Attempt::python(
        "a nameless file that is given a name",
        "
f=os.open(O,os.O_TMPFILE|os.O_RDWR); os.write(f,b'x')
call(265,-100,f'/proc/self/fd/{f}'.encode(),-100,(O+'/named').encode(),0x400)",
    ),
    Attempt::python(
        "a nameless file of the project that is given a name outside",
        "
f=os.open('.',os.O_TMPFILE|os.O_RDWR); os.write(f,b'x')
call(265,-100,f'/proc/self/fd/{f}'.encode(),-100,(O+'/named').encode(),0x400)",
    ),
    Attempt::python("fallocate", "os.posix_fallocate(os.open(S,os.O_RDWR),0,9999)"),
    Attempt::python(
        "write what was opened for reading",
        "
f=os.open(R+'/secret',0); os.write(os.open(f'/proc/self/fd/{f}',os.O_RDWR),b'x')",
    ),
    Attempt::python(
        "rename by descriptors",
        "
a,b=os.open(P,os.O_PATH),os.open(O,os.O_PATH); call(316,a,b'plain/file',b,b'x',0)",
    ),
    Attempt::python("exchange", "call(316,-100,b'plain/file',-100,S.encode(),2)"),
    Attempt::python("a device node", "os.mknod('node',0o20600,os.makedev(1,3)); os.open('node',0)")
        .by_root(),
];

pub(super) const ABOUT: &[Attempt] = &[
    Attempt::sh("chmod", "chmod 777 $S"),
    Attempt::sh("chmod where only reading is granted", "chmod 777 $R/secret"),
    Attempt::sh("touch where only reading is granted", "touch -d @5 $R/secret"),
    Attempt::python("chmod by descriptor", "os.fchmod(os.open(R+'/secret',0),0o777)"),
    Attempt::python("chmod through a path descriptor", "d=os.open(S,os.O_PATH); os.chmod(f'/proc/self/fd/{d}',0o777)"),
    Attempt::python("fchmodat2", "d=os.open(S,os.O_PATH); call(452,d,b'',0o777,0x1000)"),
    Attempt::python("chown", "os.chown(R+'/secret',os.getuid(),os.getgid())"),
    Attempt::python("lchown", "os.lchown(S,os.getuid(),os.getgid())"),
    Attempt::python("fchown", "os.fchown(os.open(R+'/secret',0),os.getuid(),os.getgid())"),
    Attempt::python("fchownat", "d=os.open(S,os.O_PATH); call(260,d,b'',os.getuid(),os.getgid(),0x1000)"),
    Attempt::python("utime", "call(132,S.encode(),struct.pack('qq',1,1))"),
    Attempt::python("utimes", "call(235,S.encode(),struct.pack('qqqq',1,1,1,1))"),
    Attempt::python("futimesat", "call(261,-100,S.encode(),struct.pack('qqqq',1,1,1,1))"),
    Attempt::python("utimensat", "os.utime(S,(1,1))"),
    Attempt::python("utimensat by descriptor", "os.utime(os.open(R+'/secret',0),(1,1))"),
    Attempt::python("setxattr", "os.setxattr(S,'user.x',b'1')"),
    Attempt::python("lsetxattr", "os.setxattr(R+'/secret','user.x',b'1',follow_symlinks=False)"),
    Attempt::python("fsetxattr", "os.setxattr(os.open(R+'/secret',0),'user.x',b'1')"),
    Attempt::python("setxattrat", "
v=ctypes.create_string_buffer(b'1'); call(463,-100,S.encode(),0,b'user.x',struct.pack('QII',ctypes.addressof(v),1,0),16)"),
    Attempt::python("removexattr", "os.removexattr(S,'user.mark')"),
    Attempt::python("removexattrat", "call(466,-100,S.encode(),0,b'user.mark')"),
    Attempt::python("file_setattr", "
a=ctypes.create_string_buffer(24); call(468,-100,S.encode(),a,24,0); call(469,-100,S.encode(),a,24,0)"),
    Attempt::python("flags", "
f=os.open(R+'/secret',0); a=bytearray(8); fcntl.ioctl(f,0x80086601,a); fcntl.ioctl(f,0x40086602,bytes(a))"),
    Attempt::python("a program that runs as its owner", "open('s','w').close(); os.chmod('s',0o4755); assert os.stat('s').st_mode&0o4000"),
    Attempt::python("a program that runs as its owner, from the start", "os.open('s',os.O_CREAT|os.O_WRONLY,0o4755); assert os.stat('s').st_mode&0o4000"),
    Attempt::python("a program that runs as its owner, by mknod", "os.mknod('s',0o104755); assert os.stat('s').st_mode&0o4000"),
    Attempt::python("a program that runs as its owner, by descriptor", "f=os.open('s',os.O_CREAT|os.O_WRONLY); os.fchmod(f,0o4755); assert os.stat('s').st_mode&0o4000"),
    Attempt::python("capabilities of a file", "
os.chmod('plain/file',0o755); os.setxattr('plain/file','security.capability',struct.pack('<IIIII',0x2000001,0xffffffff,0,0xffffffff,0))").by_root(),
    Attempt::python("a file for another user", "os.chown('plain/file',64999,64999)").by_root(),
    Attempt::python("a file for another user, by descriptor", "os.fchown(os.open('plain/file',0),64999,64999)").by_root(),
];

pub(super) const PROTECTED: &[Attempt] = &[
    Attempt::sh("write", "echo x > protected"),
    Attempt::sh("append", "echo x >> protected"),
    Attempt::sh("remove", "rm protected"),
    Attempt::sh("replace", "mv plain/file protected"),
    Attempt::sh("link", "ln protected l && echo x > l"),
    Attempt::sh("chmod", "chmod 777 protected"),
    Attempt::sh("touch", "touch -d @5 protected"),
    Attempt::python("cut", "os.truncate('protected',0)"),
    Attempt::python("chmod by descriptor", "os.fchmod(os.open('protected',0),0o777)"),
    Attempt::python("chmod by a descriptor that is another one for the first thread", "
r=[]; d=os.open('plain/file',0)
def f(): call(272,0x400); os.dup2(os.open('protected',0),d); r.append(os.fchmod(d,0o777))
t=threading.Thread(target=f); t.start(); t.join(); assert r"),
    Attempt::python("xattr by descriptor", "os.setxattr(os.open('protected',0),'user.x',b'1')"),
    Attempt::python("removexattrat", "call(466,-100,b'protected',0,b'user.mark')"),
    Attempt::python("setxattrat", "
v=ctypes.create_string_buffer(b'1'); call(463,-100,b'protected',0,b'user.x',struct.pack('QII',ctypes.addressof(v),1,0),16)"),
    Attempt::python("file_setattr", "
a=ctypes.create_string_buffer(24); call(468,-100,b'protected',a,24,0); call(469,-100,b'protected',a,24,0)"),
    Attempt::python("flags", "
f=os.open('protected',0); a=bytearray(8); fcntl.ioctl(f,0x80086601,a); fcntl.ioctl(f,0x40086602,bytes(a))"),
    Attempt::python("unchangeable for good", "reached(16,os.open('protected',0),0x40806685,ctypes.create_string_buffer(128))"),
    Attempt::python("encrypted", "reached(16,os.open('plain',0),0x800c6613,ctypes.create_string_buffer(12))"),
    Attempt::python("a delegation of a directory", "reached(72,os.open('.',0),1040,ctypes.create_string_buffer(8))"),
    Attempt::python("write what was opened for reading", "
f=os.open('protected',0); os.write(os.open(f'/proc/self/fd/{f}',os.O_RDWR),b'x')"),
    Attempt::python("write what a thread opened", "
f=os.open('protected',0); os.write(os.open(f'/proc/thread-self/fd/{f}',os.O_RDWR),b'x')"),
    Attempt::python("exchange", "call(316,-100,b'plain/file',-100,b'protected',2)"),
    Attempt::python("name a nameless file", "
f=os.open('.',os.O_TMPFILE|os.O_RDWR); call(265,-100,f'/proc/self/fd/{f}'.encode(),-100,b'.git/hooks/new',0x400)"),
    Attempt::python("a program that runs as its group", "open('s','w').close(); os.chmod('s',0o2755); assert os.stat('s').st_mode&0o2000"),
    Attempt::python("name a nameless file by its descriptor", "
f=os.open('.',os.O_TMPFILE|os.O_RDWR); call(265,f,b'',-100,b'.git/hooks/new',0x1000)"),
    Attempt::python("leave nothing behind", "call(316,-100,b'protected',-100,b'x',4)"),
    Attempt::python("take a place that is free", "call(316,-100,b'plain/file',-100,b'.git/hooks/new',1)"),
    Attempt::python("through a task of its own", "
f=os.open('protected',0); os.write(os.open(f'/proc/self/task/{os.getpid()}/fd/{f}',os.O_RDWR),b'x')"),
    Attempt::python("rights for others on what is protected", "
os.setxattr('protected','system.posix_acl_access',struct.pack('<I',2)+b''.join(struct.pack('<HHI',t,p,i) for t,p,i in [(1,6,0xffffffff),(2,7,64999),(4,4,0xffffffff),(16,7,0xffffffff),(32,4,0xffffffff)]))"),
    Attempt::python("as one whom nobody may look at", "libc.prctl(4,0,0,0,0); os.open('.git/hooks/new',os.O_CREAT|os.O_WRONLY)"),
    Attempt::c("a name at the end of memory", r#"
int attempt(void) { char *p = mmap(0, 8192, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); munmap(p + 4096, 4096); char *s = p + 4096 - 15; memcpy(s, ".git/hooks/new", 15);
 return open(s, O_CREAT | O_WRONLY, 0600) >= 0 ? 0 : 1; }"#),
];
