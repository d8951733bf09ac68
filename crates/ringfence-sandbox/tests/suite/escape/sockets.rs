//! Sockets with names, one of which is granted.

use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::{Attempt, Fence, World, check_in};

#[test]
fn attempts() {
    check_in("sockets::attempts", &[Fence::Trees, Fence::Changes, Fence::Hiding], ATTEMPTS, grant);
}

/// The socket that is granted, in the project.
pub(super) fn grant(world: &mut World) {
    let listener = UnixListener::bind(world.project().join("granted.sock")).unwrap();
    world.held.push(listener.into());
    let name = world.outside().join("granted.sock");
    let directory = File::open(world.outside()).unwrap();
    hand_out(UnixListener::bind(&name).unwrap(), directory.into(), name);
}

/// Hands a descriptor to whoever connects, until the name of the socket is gone.
fn hand_out(listener: UnixListener, what: OwnedFd, name: PathBuf) {
    listener.set_nonblocking(true).unwrap();
    thread::spawn(move || {
        while name.exists() {
            match listener.accept() {
                Ok((stream, _)) => send(&stream, &what),
                Err(_) => thread::sleep(Duration::from_millis(1)),
            }
        }
    });
}

#[repr(C)]
struct Handed {
    header: libc::cmsghdr,
    fd: i32,
    padding: i32,
}

fn send(stream: &UnixStream, what: &OwnedFd) {
    let length = size_of::<libc::cmsghdr>() + size_of::<i32>();
    let header = libc::cmsghdr {
        cmsg_len: length,
        cmsg_level: libc::SOL_SOCKET,
        cmsg_type: libc::SCM_RIGHTS,
    };
    let mut handed = Handed { header, fd: what.as_raw_fd(), padding: 0 };
    let mut part = libc::iovec { iov_base: c"x".as_ptr().cast_mut().cast(), iov_len: 1 };
    // SAFETY: all zeros is a message without parts.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = (&raw mut handed).cast();
    message.msg_controllen = size_of::<Handed>();
    // SAFETY: the message points at what outlives the call. Whoever went away misses nothing.
    unsafe { libc::sendmsg(stream.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL) };
}

/// Gets what a granted socket hands out: a directory outside.
macro_rules! handed {
    ($body:literal) => {
        concat!(
            "s=socket.socket(1); s.connect(O+'/granted.sock'); _,f,_,_=socket.recv_fds(s,9,1); assert os.fstat(f[0]); print('handed',flush=True)\n",
            $body
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("through a link", "os.symlink(O+'/stream','l'); s=socket.socket(1); s.connect('l'); secret(s.recv(99))"),
    Attempt::python("through a link to its directory", "os.symlink(O,'l'); s=socket.socket(1); s.connect('l/stream'); secret(s.recv(99))"),
    Attempt::python("through a link that has the granted name", "
os.unlink('granted.sock'); os.symlink(O+'/stream','granted.sock'); s=socket.socket(1); s.connect('granted.sock'); secret(s.recv(99))"),
    Attempt::python("a second name", "os.link(O+'/stream','l'); s=socket.socket(1); s.connect('l'); secret(s.recv(99))"),
    Attempt::python("through /proc", "s=socket.socket(1); s.connect('/proc/self/root'+O+'/stream'); secret(s.recv(99))"),
    Attempt::python("from a descriptor", "
d=os.open(O,os.O_PATH); s=socket.socket(1); s.connect(f'/proc/self/fd/{d}/stream'); secret(s.recv(99))"),
    Attempt::python("as a descriptor", "
d=os.open(O+'/stream',os.O_PATH); s=socket.socket(1); s.connect(f'/proc/self/fd/{d}'); secret(s.recv(99))"),
    Attempt::python("after cd", "os.chdir(O); s=socket.socket(1); s.connect('stream'); secret(s.recv(99))"),
    Attempt::python("without waiting", "
s=socket.socket(1); s.setblocking(False); s.connect(O+'/stream'); s.setblocking(True); secret(s.recv(99))"),
    Attempt::python("without a NUL at its end", "
s=socket.socket(1); n=(O+'/stream').encode(); call(42,s.fileno(),struct.pack('H',1)+n,2+len(n)); secret(s.recv(99))"),
    Attempt::python("with a length that is too long", "
s=socket.socket(1); n=(O+'/stream').encode(); b=(struct.pack('H',1)+n).ljust(110,b'\\0'); call(42,s.fileno(),b,110); secret(s.recv(99))"),
    Attempt::python("bind outside", "socket.socket(1).bind(O+'/new')"),
    Attempt::python("bind through a link", "os.symlink(O,'l'); socket.socket(1).bind('l/new')"),
    Attempt::python("bind from a descriptor", "d=os.open(O,os.O_PATH); socket.socket(1).bind(f'/proc/self/fd/{d}/new')"),
    Attempt::python("a directory that a granted socket hands in", handed!("secret(os.read(os.open('secret',0,dir_fd=f[0]),99))")),
    Attempt::python("the way up from it", handed!("secret(os.read(os.open('../'+os.path.basename(O)+'/secret',0,dir_fd=f[0]),99))")),
    Attempt::python("it as the working directory", handed!("os.fchdir(f[0]); secret(open('secret','rb').read())")),
    Attempt::python("through its number", handed!("secret(open(f'/proc/self/fd/{f[0]}/secret','rb').read())")),
    Attempt::python("making something in it", handed!("os.open('new',os.O_CREAT|os.O_WRONLY,0o600,dir_fd=f[0])")),
    Attempt::python("handing it on", handed!("
a,b=socket.socketpair(); socket.send_fds(a,[b'x'],f)
if os.fork()==0: g=socket.recv_fds(b,9,1)[1]; secret(os.read(os.open('secret',0,dir_fd=g[0]),99)); os._exit(0)
assert os.wait()[1]==0")),
    Attempt::c("a name that changes", r#"
static struct sockaddr_un to = { AF_UNIX };
static char *one, two[108]; static int stop;
static void *flip(void *x) { apart(); while (!stop) { strcpy(to.sun_path, "granted.sock"); strcpy(to.sun_path, two); } return 0; }
int attempt(void) { snprintf(two, sizeof two, "%s/stream", getenv("O")); pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 3000; i++) { int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0); char b[64] = "";
  if (connect(s, (void *)&to, sizeof to) == 0) { usleep(i > 20 ? 0 : 2000); if (read(s, b, 63) > 0 && strstr(b, "outside")) return 0; } close(s); }
 return 1; }"#),
    Attempt::c("a link that changes", r#"
static void *flip(void *x) { apart(); char n[200]; snprintf(n, 200, "%s/stream", getenv("O")); link("granted.sock", "kept");
 for (;;) { symlink(n, "a"); rename("a", "granted.sock"); link("kept", "b"); rename("b", "granted.sock"); } }
int attempt(void) { struct sockaddr_un to = { AF_UNIX, "granted.sock" }; pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 2000; i++) { int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0); char b[64] = "";
  if (connect(s, (void *)&to, sizeof to) == 0) { usleep(i > 20 ? 0 : 2000); if (read(s, b, 63) > 0 && strstr(b, "outside")) return 0; } close(s); }
 return 1; }"#),
    Attempt::python("the process behind it", "
s=socket.socket(1); s.connect(O+'/granted.sock'); f=s.getsockopt(1,77); call(424,f,0,None,0)"),
    Attempt::python("facts about the process behind it", "
s=socket.socket(1); s.connect(O+'/granted.sock'); f=s.getsockopt(1,77); b=ctypes.create_string_buffer(struct.pack('Q',1).ljust(64,b'\\0')); call(16,f,0xc040ff0b,b)
assert struct.unpack_from('I',b.raw,20)[0]"),
    Attempt::python("the number of the process behind it", "
s=socket.socket(1); s.connect(O+'/granted.sock'); assert struct.unpack('3i',s.getsockopt(1,17,12))[0]"),
];
