//! What is denied and not covered: where starts and openings are judged, nothing that a rule hides is
//! read, listed, started, loaded or changed, by any of its names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command as Process;

use ringfence_sandbox::gate::Deed;
use ringfence_sandbox::plan::Judged;

use super::coming_off::{SECRET, run, secret};
use super::user;
use crate::suite::fixture::{Fixture, Rules};

/// Tries everything that a covered file would withstand. `WAYS` says what came of it: what is found is
/// a failure.
const TRIES: &str = r#"
import ctypes,shutil,subprocess
def attempt(name,do):
    global tries
    tries+=1
    try: did=do()
    except OSError: return
    if did: found.add(name)
def read(path,flags=os.O_RDONLY):
    fd=os.open(path,flags)
    try: return b'outside-secret' in os.read(fd,99)
    finally: os.close(fd)
def opened(path,flags): os.close(os.open(path,flags)); return True
def by_descriptor(path):
    child=os.fork()
    if not child:
        try: os.execve(os.open(path,os.O_PATH),['x'],{})
        finally: os._exit(9)
    return os.waitstatus_to_exitcode(os.waitpid(child,0)[1])==0
def renamed(path):
    os.rename(path,'renamed')
    try: return path!='link' and read('renamed')
    finally: os.rename('renamed',path)
def linked(path):
    os.link(path,'other')
    try: return read('other')
    finally: os.unlink('other')
def starts(*argv): return subprocess.run(argv,stdout=subprocess.DEVNULL).returncode==0
for path in ('.env','plain/one','sub/.env','keys/one','plain/two','link','plain/../.env'):
    attempt('read '+path,lambda: read(path))
    attempt('place '+path,lambda: read('/proc/self/fd/%d'%os.open(path,os.O_PATH)))
    attempt('copy '+path,lambda: shutil.copyfile(path,'copy'))
    attempt('rename '+path,lambda: renamed(path))
    attempt('link '+path,lambda: linked(path))
    attempt('both '+path,lambda: read(path,os.O_RDWR))
for path in ('plain/one','plain/two'):
    attempt('write '+path,lambda: opened(path,os.O_WRONLY))
    attempt('append '+path,lambda: opened(path,os.O_WRONLY|os.O_APPEND))
    attempt('empty '+path,lambda: opened(path,os.O_WRONLY|os.O_TRUNC))
    attempt('cut '+path,lambda: os.truncate(path,0) or True)
def taken(do): do(); return read('plain/one')
open('new','w').close()
attempt('remove',lambda: taken(lambda: os.unlink('.env')))
attempt('replace',lambda: taken(lambda: os.rename('new','.env')))
attempt('remove directory',lambda: taken(lambda: shutil.rmtree('keys')))
attempt('list keys',lambda: 'one' in os.listdir('keys'))
attempt('list deep',lambda: 'three' in os.listdir('a/.anthropic/deep'))
libc=ctypes.CDLL(None,use_errno=True); watcher=libc.inotify_init()
assert libc.inotify_add_watch(watcher,b'plain',2)>0
attempt('watch keys',lambda: libc.inotify_add_watch(watcher,b'keys',2)>0)
attempt('watch deep',lambda: libc.inotify_add_watch(watcher,b'a/.anthropic',2)>0)
attempt('start',lambda: starts('./keys/tool'))
attempt('start by a link',lambda: starts('./plain/tool'))
attempt('start by a descriptor',lambda: by_descriptor('keys/tool'))
attempt('script',lambda: starts('./keys/script'))
attempt('interpreter',lambda: starts('./script'))
attempt('loader',lambda: starts('./loaded'))
attempt('loader by a link',lambda: starts('./loaded2'))
attempt('loader by itself',lambda: starts('./keys/loader','./program'))
assert starts('./program') and starts('/bin/true')
assert open('plain/read').read()=='mine' and os.listdir('plain')
ready()
"#;

#[test]
fn what_is_hidden_by_no_cover_is_hidden_all_the_same() {
    user::as_everyone("uncovered::what_is_hidden_by_no_cover_is_hidden_all_the_same", |user| {
        let mut fixture = Fixture::new();
        let root = fixture.root().to_owned();
        prepare(&root);
        fixture.plan.files.judged = Judged::Hiding;
        // Rules stand against reading alone: what the run may write it may remove.
        let is_hidden = |path: &Path| {
            let text = path.to_string_lossy();
            text.contains("/keys/") || text.ends_with("/.env")
        };
        let change = Box::new(move |deed, path: &Path| deed != Deed::Read || !is_hidden(path));
        let rules = Rules { change, ..Rules::all() };
        let said = run(&fixture, TRIES, rules);
        let tries = said.lines().find_map(|line| line.strip_prefix("tries ")?.parse().ok());
        assert!(tries.is_some_and(|tries: u32| tries > 60), "as {user}: {said}");
        assert!(!said.contains("found"), "as {user}: {said}");
        for own in [".env", "plain/one", "keys/one", "plain/two"] {
            assert_eq!(fs::read_to_string(root.join(own)).unwrap(), SECRET, "{own} as {user}");
        }
    });
}

/// Hidden files with other names, hidden programs, and programs that have hidden loaders.
fn prepare(root: &Path) {
    for own in ["sub", "keys", "plain", "a/.anthropic/deep"] {
        fs::create_dir_all(root.join(own)).unwrap();
    }
    for own in [".env", "sub/.env", "keys/one", "a/.anthropic/deep/three"] {
        secret(&root.join(own));
    }
    fs::hard_link(root.join(".env"), root.join("plain/one")).unwrap();
    fs::hard_link(root.join("keys/one"), root.join("plain/two")).unwrap();
    fs::write(root.join("plain/mine"), "mine").unwrap();
    fs::hard_link(root.join("plain/mine"), root.join("plain/read")).unwrap();
    std::os::unix::fs::symlink(".env", root.join("link")).unwrap();
    let program = |name: &str, text: &str| {
        fs::write(root.join(name), text).unwrap();
        fs::set_permissions(root.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    fs::copy("/bin/true", root.join("keys/tool")).unwrap();
    fs::hard_link(root.join("keys/tool"), root.join("plain/tool")).unwrap();
    program("keys/script", "#!/bin/sh\nexit 0\n");
    program("script", "#!keys/tool\n");
    let loader = loader();
    fs::copy(&loader, root.join("keys/loader")).unwrap();
    fs::hard_link(root.join("keys/loader"), root.join("plain/loader")).unwrap();
    compile(root, "program", &loader);
    compile(root, "loaded", "keys/loader");
    compile(root, "loaded2", "plain/loader");
}

/// The loader of this machine's programs.
fn loader() -> String {
    let all = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
    let found = all.iter().find(|path| Path::new(path).exists());
    found.expect("a loader").to_string()
}

/// A program that ends at once, with this loader.
fn compile(root: &Path, name: &str, loader: &str) {
    fs::write(root.join("program.c"), "int main(void) { return 0; }").unwrap();
    let mut compiler = Process::new("cc");
    compiler.args(["program.c", "-o", name, &format!("-Wl,--dynamic-linker={loader}")]);
    assert!(compiler.current_dir(root).status().unwrap().success());
}
