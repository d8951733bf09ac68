//! Other names for what is not granted.

use super::{Attempt, Fence, check};

#[test]
fn attempts() {
    check(
        "links::attempts",
        &[Fence::Trees, Fence::Changes, Fence::Hiding, Fence::Openings],
        ATTEMPTS,
    );
}

#[test]
fn judged() {
    check("links::judged", &[Fence::Changes], JUDGED);
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::sh("read through a link", "ln -s $S l; cat l"),
    Attempt::sh("write through a link", "ln -s $S l; echo x > l"),
    Attempt::sh("make a file through a link to nothing", "ln -s $O/new l; echo x > l; test -s $O/new"),
    Attempt::sh("read through a link to a directory", "ln -s $O l; cat l/secret"),
    Attempt::sh("a chain of links", "ln -s $O a; ln -s a b; ln -s b/secret c; cat c"),
    Attempt::sh("a link with dots", "ln -s ../$(basename $O)/secret l; cat l"),
    Attempt::sh("dots", "cat plain/../../$(basename $O)/secret"),
    Attempt::sh("dots and slashes", "cat .//./..///$(basename $O)/./secret"),
    Attempt::sh("the root through /proc", "cat /proc/self/root$S"),
    Attempt::sh("the directory through /proc", "cat /proc/self/cwd/../$(basename $O)/secret"),
    Attempt::sh("a link into /proc", "ln -s /proc/self/root l; cat l$S"),
    Attempt::sh("a hard link", "ln $S l && cat l"),
    Attempt::sh("a hard link to a masked file", "ln .env l && cat l"),
    Attempt::sh("a hard link to what only can be read", "ln $R/secret l && echo x > l"),
    Attempt::sh("rename a masked file", "mv .env e; grep outside e"),
    Attempt::sh("rename the directory of a masked file", "mv sub s; grep outside s/.env"),
    Attempt::sh("rename a masked directory", "mv keys k; grep outside k/one"),
    Attempt::sh("rename over a masked file", "cp plain/file x; mv -f x .env; grep plain .env"),
    Attempt::sh("remove a masked file", "rm -f .env; test ! -e .env"),
    Attempt::sh("remove a masked directory", "rm -rf keys; test ! -e keys"),
    Attempt::sh("copy a masked file", "cp .env e && grep outside e"),
    Attempt::sh("a masked file through a link", "ln -s .env l; grep outside l"),
    Attempt::sh("a masked file through the directory", "cd sub; grep outside ../sub/../.env"),
    Attempt::python("exchange a masked file", "call(316,-100,b'plain/file',-100,b'.env',2); secret(open('plain/file','rb').read())"),
    Attempt::python("exchange the directory of a masked file", "call(316,-100,b'plain',-100,b'sub',2); secret(open('plain/.env','rb').read())"),
    Attempt::python("a masked file from a descriptor of its directory", "
d=os.open('sub',os.O_PATH); secret(os.read(os.open('.env',0,dir_fd=d),99))"),
    Attempt::python("a masked file through a descriptor in /proc", "
d=os.open('sub',0); secret(open(f'/proc/self/fd/{d}/.env','rb').read())"),
    Attempt::python("out of a descriptor in /proc", "
d=os.open('.',0); secret(open(f'/proc/self/fd/{d}/../{os.path.basename(O)}/secret','rb').read())"),
    Attempt::python("a link that leads to a descriptor", "
d=os.open(S,os.O_PATH); os.symlink(f'/proc/self/fd/{d}','l'); secret(open('l','rb').read())"),
    Attempt::python("the directory that was left", "
os.mkdir('a'); os.mkdir('a/b'); os.chdir('a/b'); os.rename(P+'/a/b',O+'/b'); secret(open('../secret','rb').read())"),
    Attempt::python("a link that changes while it is read", "
def swap():
    while True:
        try: os.symlink(S,'n'); os.rename('n','l'); os.symlink('plain/file','n'); os.rename('n','l')
        except OSError: pass
threading.Thread(target=swap,daemon=True).start()
for _ in range(3000):
    try:
        if b'outside' in open('l','rb').read(): os._exit(0)
    except OSError: pass
os._exit(1)"),
];

/// Hooks must not be made, whatever the way to their names.
pub(super) const JUDGED: &[Attempt] = &[
    Attempt::sh("by name", "echo x > .git/hooks/new"),
    Attempt::sh("after cd", "cd .git/hooks && echo x > new"),
    Attempt::sh("through a link", "ln -s .git/hooks l; echo x > l/new"),
    Attempt::sh("through a link to nothing", "ln -s .git/hooks/new l; echo x > l"),
    Attempt::sh("through links and dots", "ln -s .git g; echo x > plain/../g/./hooks/new"),
    Attempt::sh("through /proc", "echo x > /proc/self/cwd/.git/hooks/new"),
    Attempt::sh("by renaming a file", "mv plain/file .git/hooks/new"),
    Attempt::sh("by linking a file", "ln plain/file .git/hooks/new"),
    Attempt::sh("by making a link", "ln -s x .git/hooks/new"),
    Attempt::sh("by making a directory", "mkdir .git/hooks/new"),
    Attempt::sh("by making a pipe", "mkfifo .git/hooks/new"),
    Attempt::sh("by renaming away what holds them", "mv .git g && mkdir -p .git/hooks"),
    Attempt::sh("by replacing them", "mv .git/hooks x"),
    Attempt::sh("by making a nested repository", "mkdir -p n/.git/hooks"),
    Attempt::sh("by renaming a directory to a repository", "mkdir -p n/g/hooks && mv n/g n/.git"),
    Attempt::sh("by renaming a directory to hooks", "mkdir -p n/.git x && mv x n/.git/hooks"),
    Attempt::sh("by a link for the directory", "mkdir -p n/.git x && ln -s ../x n/.git/hooks"),
    Attempt::python("by exchange", "os.mkdir('x'); call(316,-100,b'x',-100,b'.git/hooks',2)"),
    Attempt::python("from a descriptor", "d=os.open('.git/hooks',os.O_PATH); os.open('new',os.O_CREAT|os.O_WRONLY,dir_fd=d)"),
    Attempt::python("from a directory that moves", "
os.makedirs('n/g'); os.chdir('n/g'); os.rename(P+'/n/g',P+'/n/.git'); os.mkdir('hooks')"),
    Attempt::python("from a descriptor of a directory that moves", "
os.makedirs('n/g'); d=os.open('n/g',os.O_PATH); os.rename(P+'/n/g',P+'/n/.git'); os.mkdir('hooks',dir_fd=d)"),
    Attempt::python("by binding a socket", "socket.socket(1).bind('.git/hooks/new')"),
    Attempt::python("by openat2", "call(437,-100,b'.git/hooks/new',struct.pack('QQQ',0o101,0o600,0),24)"),
    Attempt::python("by a name that is no text", "
os.mkdir(b'\\xff\\xfe'); os.symlink(P.encode()+b'/.git/hooks',b'\\xff\\xfe/\\xfd'); open(b'\\xff\\xfe/\\xfd/new','w')"),
    Attempt::python("as a thread that is not the first", "
r=[]
def f(): r.append(os.open('/proc/self/cwd/.git/hooks/new',os.O_CREAT|os.O_WRONLY))
t=threading.Thread(target=f); t.start(); t.join(); assert r"),
    Attempt::python("as a thread with a working directory of its own", "
r=[]
def f(): call(272,0x200); os.chdir('.git/hooks'); r.append(os.open('new',os.O_CREAT|os.O_WRONLY))
t=threading.Thread(target=f); t.start(); t.join(); assert r"),
    Attempt::python("as a thread with descriptors of its own", "
r=[]; d=os.open('plain',os.O_PATH)
def f(): call(272,0x400); os.dup2(os.open('.git/hooks',os.O_PATH),d); r.append(os.open('new',os.O_CREAT|os.O_WRONLY,dir_fd=d))
t=threading.Thread(target=f); t.start(); t.join(); assert r"),
    Attempt::python("through a task's directory", "open(f'/proc/self/task/{os.getpid()}/cwd/.git/hooks/new','w')"),
    Attempt::python("through its root, twice", "open('/proc/self/root/proc/self/cwd/.git/hooks/new','w')"),
    Attempt::python("up from a descriptor", "d=os.open('plain',0); open(f'/dev/fd/{d}/../.git/hooks/new','w')"),
    Attempt::python("through a link to a descriptor that leads nowhere yet", "
d=os.open('.git/hooks',os.O_PATH); os.symlink(f'/proc/self/fd/{d}/new','l'); open('l','w')"),
    Attempt::python("through the directory of a child", "
r,w=os.pipe(); p=os.fork()
if p==0: os.chdir('.git/hooks'); os.write(w,b'x'); time.sleep(5); os._exit(0)
os.read(r,1); open(f'/proc/{p}/cwd/new','w')"),
    Attempt::python("through a descriptor of a child", "
r,w=os.pipe(); p=os.fork()
if p==0: os.dup2(os.open('.git/hooks',os.O_PATH),77); os.write(w,b'x'); time.sleep(5); os._exit(0)
os.read(r,1); open(f'/proc/{p}/fd/77/new','w')"),
    Attempt::python("deeper than a name can say", "
for _ in range(45):
    os.mkdir('d'*99); os.chdir('d'*99)
open('.env','w').write('x')"),
    Attempt::python("a long name", "open('./'*2030+'.git/hooks/new','w')"),
    Attempt::c("from a child that shares everything", r#"
static char stack[65536]; static int child(void *x) { return open(".git/hooks/new", O_CREAT | O_WRONLY, 0600) >= 0 ? 0 : 1; }
int attempt(void) { pid_t p = clone(child, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | SIGCHLD, NULL);
 int s; waitpid(p, &s, __WALL); return s != 0; }"#),
    Attempt::c("through a link that is a chain of forty", r#"
int attempt(void) { char a[9], b[9]; symlink(".git/hooks/new", "l0"); for (int i = 1; i < 39; i++) { sprintf(a, "l%d", i - 1); sprintf(b, "l%d", i); symlink(a, b); }
 // The kernel counts links anew only from call to call: one that it began again has counted some of them twice.
 for (int i = 0; i < 50; i++) if (open("l38", O_CREAT | O_WRONLY, 0600) >= 0) return 0;
 return 1; }"#),
];
