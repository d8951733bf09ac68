//! Sockets with names, one of which is granted.

use std::os::unix::net::UnixListener;

use super::{Attempt, Fence, World, check_in};

#[test]
fn attempts() {
    check_in("sockets::attempts", &[Fence::Trees, Fence::Changes], ATTEMPTS, grant);
}

/// The socket that is granted, in the project.
pub(super) fn grant(world: &mut World) {
    let listener = UnixListener::bind(world.project().join("granted.sock")).unwrap();
    world.held.push(listener.into());
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
    Attempt::c("a name that changes", r#"
static struct sockaddr_un to = { AF_UNIX };
static char *one, two[108]; static int stop;
static void *flip(void *x) { while (!stop) { strcpy(to.sun_path, "granted.sock"); strcpy(to.sun_path, two); } return 0; }
int attempt(void) { snprintf(two, sizeof two, "%s/stream", getenv("O")); pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 3000; i++) { int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0); char b[64] = "";
  if (connect(s, (void *)&to, sizeof to) == 0) { usleep(i > 20 ? 0 : 2000); if (read(s, b, 63) > 0 && strstr(b, "outside")) return 0; } close(s); }
 return 1; }"#),
    Attempt::c("a link that changes", r#"
static void *flip(void *x) { char n[200]; snprintf(n, 200, "%s/stream", getenv("O")); link("granted.sock", "kept");
 for (;;) { symlink(n, "a"); rename("a", "granted.sock"); link("kept", "b"); rename("b", "granted.sock"); } }
int attempt(void) { struct sockaddr_un to = { AF_UNIX, "granted.sock" }; pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 2000; i++) { int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0); char b[64] = "";
  if (connect(s, (void *)&to, sizeof to) == 0) { usleep(i > 20 ? 0 : 2000); if (read(s, b, 63) > 0 && strstr(b, "outside")) return 0; } close(s); }
 return 1; }"#),
];
