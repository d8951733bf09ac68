//! A program that must not run, by every way of starting one.

use super::attempt;
use super::user;
use super::{Attempt, Fence, World, check};

#[test]
fn attempts() {
    check("exec::attempts", &[Fence::Changes], ATTEMPTS);
}

#[test]
fn what_is_allowed_starts_from_any_thread() {
    user::as_everyone("exec::what_is_allowed_starts_from_any_thread", |user| {
        let world = World::new();
        let (said, status) = world.inside(Fence::Changes, &attempt::words(&ALLOWED, &world));
        assert_eq!(status, Some(0), "as {user}: {said}");
        assert_eq!(said.matches("ran").count(), 20, "as {user}: {said}");
    });
}

/// Twenty processes whose second thread becomes a program, the first one ended or busy.
const ALLOWED: Attempt = Attempt::c(
    "allowed from a second thread",
    r#"
static void *start(void *is_last) {
    if (is_last) usleep(1000);
    execl("/bin/echo", "echo", "ran", NULL);
    _exit(9);
}
int attempt(void) {
    for (int i = 0; i < 20; i++) {
        pid_t p = fork();
        if (p == 0) {
            pthread_t t;
            pthread_create(&t, NULL, start, (void *)(long)(i % 2));
            if (i % 2) pthread_exit(NULL);
            for (;;) pause();
        }
        int status;
        waitpid(p, &status, 0);
        if (status) return 1;
    }
    return 0;
}"#,
);

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::sh("by name", "id"),
    Attempt::sh("by path", "exec /usr/bin/id"),
    Attempt::sh("by a path with dots", "/usr/../usr/./bin//id"),
    Attempt::sh("through /proc", "/proc/self/root/usr/bin/id"),
    Attempt::sh("a copy", "cp /usr/bin/id ls; ./ls"),
    Attempt::sh("a copy found first", "mkdir b; cp /usr/bin/id b/ls; PATH=$P/b:$PATH ls | grep uid="),
    Attempt::sh("a link", "ln -s /usr/bin/id ls; ./ls"),
    Attempt::sh("a link to a link", "ln -s /usr/bin a; ln -s a/id b; ./b"),
    Attempt::sh("another first word", "exec bash -c 'exec -a ls /usr/bin/id'"),
    Attempt::sh("a script's interpreter", "printf '#!/usr/bin/id\\n' > s; chmod +x s; ./s || ./s | grep uid= || exec /usr/bin/id"),
    Attempt::sh("a script of a script", "printf '#!/usr/bin/env id\\n' > a; chmod +x a; ./a 2>&1 | grep -q 'id:\\|uid=' && exec id"),
    Attempt::sh("the loader", "/lib64/ld-linux-x86-64.so.2 /usr/bin/id"),
    Attempt::sh("a copy of the loader", "cp /lib64/ld-linux-x86-64.so.2 ls; ./ls /usr/bin/id"),
    Attempt::sh("env", "env id"),
    Attempt::sh("xargs", "echo | xargs id"),
    Attempt::sh("find", "find plain -maxdepth 0 -exec id ';' | grep uid="),
    Attempt::sh("nice", "nice id"),
    Attempt::sh("setsid", "setsid -w id"),
    Attempt::sh("timeout", "timeout 9 id"),
    Attempt::sh("a shell in a shell", "sh -c \"sh -c 'exec id'\""),
    Attempt::sh("in the background", "id > got & wait; grep uid= got"),
    Attempt::sh("in the background of one that ended", "(setsid sh -c 'sleep 0.1; id > got' &); sleep 0.6; grep uid= got"),
    Attempt::sh("a word that is refused", "/bin/echo denied"),
    Attempt::sh("a library before all others", "LD_PRELOAD=x.so /bin/echo a"),
    Attempt::sh("a library before all others, by env", "env LD_LIBRARY_PATH=/x /bin/echo a"),
    Attempt::c("a variable that seems to have been there", r#"
extern char **environ;
int attempt(void) { char *argv[] = { "echo", "a", 0 }, *envp[] = { "LD_DEBUG=x", 0 };
 memset(environ[0], 0, strlen(environ[0])); strcpy(environ[0], "LD_DEBUG=x");
 execve("/bin/echo", argv, envp); return 1; }"#),
    Attempt::c("a variable that an orphan seems to have had", r#"
extern char **environ;
int attempt(void) { char *argv[] = { "echo", "a", 0 }, *envp[] = { "LD_DEBUG=x", 0 }; int p[2], q[2]; pipe(p); pipe(q);
 if (fork() == 0) { if (fork() == 0) { char c; setsid(); close(q[1]); read(q[0], &c, 1); usleep(100000); dup2(p[1], 1);
   memset(environ[0], 0, strlen(environ[0])); strcpy(environ[0], "LD_DEBUG=x"); execve("/bin/echo", argv, envp); } _exit(1); }
 close(p[1]); close(q[1]); char b[9]; return read(p[0], b, 9) > 0 ? 0 : 1; }"#),
    Attempt::c("a variable that the child of one that became another seems to have had", r#"
extern char **environ;
int attempt(void) { char *argv[] = { "echo", "a", 0 }, *envp[] = { "LD_DEBUG=x", 0 }; int p[2]; pipe(p);
 if (fork() == 0) { if (fork()) { execl("/bin/sleep", "sleep", "1", NULL); _exit(1); } usleep(400000); dup2(p[1], 1);
   memset(environ[0], 0, strlen(environ[0])); strcpy(environ[0], "LD_DEBUG=x"); execve("/bin/echo", argv, envp); _exit(1); }
 close(p[1]); char b[9]; int n = read(p[0], b, 9), s; wait(&s); return n > 0 ? 0 : 1; }"#),
    Attempt::python("in memory", "
f=os.memfd_create('x'); os.write(f,open('/usr/bin/id','rb').read()); os.execve(f,['ls'],os.environ)"),
    Attempt::python("in memory, through /proc", "
f=os.memfd_create('x',0); os.write(f,open('/usr/bin/id','rb').read()); os.execv(f'/proc/self/fd/{f}',['ls'])"),
    Attempt::python("in memory, through /dev", "
f=os.memfd_create('x',0); os.write(f,open('/usr/bin/id','rb').read()); os.execv(f'/dev/fd/{f}',['ls'])"),
    Attempt::python("a nameless file", "
f=os.open('.',os.O_TMPFILE|os.O_RDWR,0o700); os.write(f,open('/usr/bin/id','rb').read())
g=os.open(f'/proc/self/fd/{f}',0); os.close(f); os.execve(g,['ls'],os.environ)"),
    Attempt::python("by descriptor", "os.execve(os.open('/usr/bin/id',os.O_PATH),['ls'],os.environ)"),
    Attempt::python("execveat", "
a=(ctypes.c_char_p*2)(b'ls',None); call(322,os.open('/usr/bin',os.O_PATH),b'id',a,a,0)"),
    Attempt::python("execveat of a link", "
os.symlink('/usr/bin/id','l'); a=(ctypes.c_char_p*2)(b'ls',None); call(322,-100,b'l',a,(ctypes.c_char_p*1)(None),0)"),
    Attempt::python("without words", "call(59,b'/usr/bin/id',None,None)"),
    Attempt::python("as a thread that is not the first", "
threading.Thread(target=lambda: os.execv('/usr/bin/id',['ls'])).start(); time.sleep(2); os._exit(1)"),
    Attempt::python("posix_spawn", "
p=os.posix_spawn('/usr/bin/id',['ls'],os.environ); assert os.waitpid(p,0)[1]==0"),
    Attempt::c("vfork", r#"
int attempt(void) { pid_t p = vfork(); if (p == 0) { execl("/usr/bin/id", "ls", NULL); _exit(1); }
 int s; waitpid(p, &s, 0); return s != 0; }"#),
    Attempt::c("clone with shared memory", r#"
static char stack[65536];
static int child(void *x) { execl("/usr/bin/id", "ls", NULL); _exit(1); }
int attempt(void) { pid_t p = clone(child, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
 int s; waitpid(p, &s, 0); return s != 0; }"#),
    Attempt::c("clone with shared descriptors", r#"
static char stack[65536];
static int child(void *x) { execl("/usr/bin/id", "ls", NULL); _exit(1); }
int attempt(void) { pid_t p = clone(child, stack + sizeof stack, CLONE_VM | CLONE_FILES | CLONE_FS | SIGCHLD, NULL);
 int s; waitpid(p, &s, 0); return s != 0; }"#),
    Attempt::c("a child of an orphan", r#"
int attempt(void) { int p[2]; pipe(p);
 if (fork() == 0) { setsid(); if (fork() == 0) { usleep(100000); dup2(p[1], 1); execl("/usr/bin/id", "ls", NULL); _exit(1); } _exit(0); }
 close(p[1]); char b[9]; return read(p[0], b, 9) > 0 ? 0 : 1; }"#),
    Attempt::c("a filter of one's own before", r#"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
int attempt(void) {
 struct sock_filter f[] = { { 6, 0, 0, 0x7fff0000 } };
 struct sock_fprog p = { 1, f };
 prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
 must(syscall(SYS_seccomp, 1, 0, &p));
 execl("/usr/bin/id", "ls", NULL); return 1; }"#),
    Attempt::c("someone else who is asked", r#"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
int attempt(void) {
 struct sock_filter f[] = { { 0x20, 0, 0, 0 }, { 0x15, 0, 1, SYS_execve }, { 6, 0, 0, 0x7fc00000 }, { 6, 0, 0, 0x7fff0000 } };
 struct sock_fprog p = { 4, f };
 prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
 must(syscall(SYS_seccomp, 1, 8, &p));
 return 0; }"#),
    Attempt::sh("an interpreter behind blanks", "printf '#!  \\t /usr/bin/id -u\\n' > s; chmod +x s; ./s 2>&1 | grep 'no such user'"),
    Attempt::sh("a script of a script of a script", "printf '#!/usr/bin/id\\n' > a; printf '#!%s/a\\n' $P > b; printf '#!%s/b\\n' $P > c; chmod +x a b c; ./c 2>&1 | grep 'no such user'"),
    Attempt::python("one that is gone", "
import shutil; shutil.copy('/usr/bin/id','x'); os.chmod('x',0o755); f=os.open('x',os.O_PATH); os.unlink('x'); os.execve(f,['ls'],os.environ)"),
    Attempt::python("one that is gone, by its link", "
import shutil; shutil.copy('/usr/bin/id','x'); os.chmod('x',0o755); f=os.open('x',0); os.unlink('x'); os.execv(f'/proc/self/fd/{f}',['ls'])"),
    Attempt::python("a script in memory", "
f=os.memfd_create('x',0); os.write(f,b'#!/usr/bin/id\\n'); p=os.popen(f'/proc/{os.getpid()}/fd/{f} 2>&1'); assert 'no such user' in p.read()"),
    Attempt::python("as one whom nobody may look at", "libc.prctl(4,0,0,0,0); os.execv('/usr/bin/id',['ls'])"),
    Attempt::python("a program that was looked at before", "
a=(ctypes.c_char_p*2)(b'ls',None); n=(ctypes.c_char_p*1)(None)
libc.syscall(322,-100,b'/usr/bin/true',a,n,0x10000); libc.syscall(322,-100,b'/usr/bin/id',a,n,0x10000); os.execv('/usr/bin/id',['ls'])"),
    Attempt::python("by a name that is not to be followed", "
a=(ctypes.c_char_p*2)(b'ls',None); call(322,-100,b'/usr/bin/id',a,(ctypes.c_char_p*1)(None),0x100)"),
    Attempt::sh("an interpreter without an end of line", "printf '#!/usr/bin/id' > s; chmod +x s; ./s 2>&1 | grep 'no such user'"),
    Attempt::sh("an interpreter by a relative name", "ln -s /usr/bin/id i; printf '#!./i\\n' > s; chmod +x s; ./s 2>&1 | grep 'no such user'"),
    Attempt::python("an interpreter before a zero", "
open('s','wb').write(b'#!/usr/bin/id\\0 x\\n'); os.chmod('s',0o755); assert 'no such user' in os.popen('./s 2>&1').read()"),
    Attempt::python("an interpreter that is a descriptor", "
os.dup2(os.open('/usr/bin/id',0),7); os.set_inheritable(7,True); open('s','w').write('#!/dev/fd/7\\n'); os.chmod('s',0o755)
p=os.fork()
if p==0: os.dup2(os.open('got',os.O_CREAT|os.O_WRONLY,0o600),2); os.execv('./s',['s'])
os.waitpid(p,0); assert 'no such user' in open('got').read()"),
    Attempt::python("a mapping of it", "
m=mmap.mmap(os.open('/usr/bin/id',0),0,prot=mmap.PROT_READ,flags=mmap.MAP_PRIVATE); l=[l.split()[0] for l in open('/proc/self/maps') if l.endswith('/usr/bin/id\\n')][0]
os.execv('/proc/self/map_files/'+l,['ls'])").by_root(),
    Attempt::c("a child that is not to be traced", r#"
static char stack[65536];
static int child(void *x) { execl("/usr/bin/id", "ls", NULL); _exit(1); }
int attempt(void) { pid_t p = clone(child, stack + sizeof stack, CLONE_UNTRACED | CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
 int s; waitpid(p, &s, 0); return s != 0; }"#),
    Attempt::c("from the handler of a signal", r#"
static void on(int n) { execl("/usr/bin/id", "ls", NULL); _exit(1); }
int attempt(void) { signal(SIGALRM, on); alarm(1); for (;;) pause(); }"#),
    Attempt::c("a word in memory that a child shares and changes", r#"
int attempt(void) { char *w = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); strcpy(w, "deniex"); volatile char *last = w + 5; int got = 0;
 pid_t flips = fork(); if (flips == 0) for (;;) { *last = 'd'; *last = 'x'; }
 for (int i = 0; i < 300 && !got; i++) { int p[2]; pipe(p); pid_t c = fork(); if (c == 0) { dup2(p[1], 1); execl("/bin/echo", "echo", w, NULL); _exit(1); }
  close(p[1]); char b[20] = ""; read(p[0], b, 19); close(p[0]); waitpid(c, 0, 0); got = !strcmp(b, "denied\n"); }
 kill(flips, 9); return !got; }"#),
    Attempt::sh("awk", "awk 'BEGIN { exit system(\"id\") }'"),
    Attempt::sh("sed", "echo | sed '1e id' | grep uid="),
    Attempt::sh("perl", "perl -e 'exec(\"id\") || exit 1'"),
    Attempt::sh("tar", "tar -cf x.tar plain --checkpoint=1 --checkpoint-action=exec=id 2>&1 | grep uid="),
    Attempt::sh("a lock", "flock x id"),
    Attempt::sh("processors", "taskset 1 id || taskset 2 id"),
    Attempt::sh("no variables", "env -i /usr/bin/id"),
    Attempt::sh("another buffer", "stdbuf -o0 id"),
    Attempt::sh("a nice disk", "ionice id"),
];
