use std::fs;
use std::sync::Arc;

use ringfence_sandbox::Ended;
use ringfence_sandbox::gate::Deed;

use super::fixture::{Fixture, Rules};

#[test]
fn a_command_runs_and_its_status_is_kept() {
    let fixture = Fixture::new();
    let (said, ended) =
        fixture.sh("echo hello; id -u > /dev/null; exit 7", &Arc::new(Rules::all()));
    assert_eq!((said.as_str(), ended), ("hello\n", Ended::Exited(7)));
}

#[test]
fn files_are_made_changed_and_removed_inside() {
    let fixture = Fixture::new();
    let line = "set -e; mkdir -p a/b; echo x > a/b/f; chmod 600 a/b/f; mv a/b/f a/g; \
                ln a/g h; ln -s a/g s; cat s; touch -d @5 h; stat -c '%a %Y' h; \
                truncate -s 1 a/g; cat h; echo; cp -r a c; rm -r a; ls; mkfifo p; \
                (cat p &) ; echo through > p; sleep 0.1; echo done";
    let (said, ended) = fixture.sh(line, &Arc::new(Rules::all()));
    let expected = "x\n600 5\nx\nc\nh\ns\nsaid\nthrough\ndone\n";
    assert_eq!((said.as_str(), ended), (expected, Ended::Exited(0)));
}

#[test]
fn what_is_refused_fails() {
    let fixture = Fixture::new();
    fs::write(fixture.root().join("kept"), "1").unwrap();
    let mut rules = Rules::all();
    rules.change = Box::new(|deed, path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name != "never" && (name != "kept" || deed == Deed::Read)
    });
    let line = "echo > never; mkdir never; ln -s x never; mknod never p; mkdir d; touch d/never; \
                mv kept x; rm kept; echo 2 > kept; echo 2 >> kept; chmod 777 kept; ln kept l; \
                touch kept; truncate -s 0 kept; mkdir e; touch e/f; mv e never; cat kept; ls";
    let (said, _) = fixture.sh(line, &Arc::new(rules));
    let refused = said.lines().filter(|line| line.contains("Permission denied")).count();
    assert_eq!(refused, 14, "{said}");
    assert!(said.ends_with("1d\ne\nkept\nsaid\n"), "{said}");
}

/// A whiteout is a device, made where the file was.
#[test]
fn what_may_only_be_deleted_leaves_nothing_behind() {
    for may_write in [false, true] {
        let fixture = Fixture::new();
        let gone = fixture.root().join("gone");
        fs::write(&gone, "1").unwrap();
        let mut rules = Rules::all();
        rules.change =
            Box::new(move |deed, path| deed != Deed::Write || may_write || !path.ends_with("gone"));
        let line = "python3 -S -c 'import ctypes, sys; \
                    sys.exit(ctypes.CDLL(None).renameat2(-100, b\"gone\", -100, b\"new\", 4) != 0)'";
        let (said, ended) = fixture.sh(line, &Arc::new(rules));
        assert_eq!(ended, Ended::Exited(i32::from(!may_write)), "{said}");
        assert_eq!(fs::symlink_metadata(&gone).unwrap().is_file(), !may_write);
    }
}

/// What the kernel would answer whoever asks is nobody's decision, and no noise in a report.
#[test]
fn what_is_in_vain_is_not_asked_about() {
    let mut fixture = Fixture::new();
    fixture.plan.files.judged = ringfence_sandbox::plan::Judged::Openings;
    let rules = Arc::new(Rules::all());
    let line = "mkdir full; touch full/x; rmdir full; cat none; mkdir empty; rmdir empty";
    let (said, _) = fixture.sh(line, &rules);
    assert!(said.contains("not empty") && said.contains("No such file"), "{said}");
    let seen = rules.seen.lock().unwrap().join("\n");
    let asked = |deed: &str, name: &str| {
        seen.contains(&format!("({deed}, {:?})", fixture.root().join(name)))
    };
    assert!(asked("Delete", "empty") && asked("MakeDirectory", "full"), "{seen}");
    assert!(!asked("Delete", "full") && !asked("Read", "none"), "{seen}");
}

#[test]
fn programs_that_are_refused_do_not_run() {
    let fixture = Fixture::new();
    fs::copy("/usr/bin/id", fixture.root().join("copy")).unwrap();
    fs::write(fixture.root().join("script"), "#!/usr/bin/id\n").unwrap();
    let mut rules = Rules::all();
    rules.start = Box::new(|started| {
        let is_id = |path: &std::path::Path| path.ends_with("id") || path.ends_with("copy");
        !is_id(&started.file) && !started.interpreter.as_deref().is_some_and(is_id)
    });
    let line = "chmod +x script; ln -s /usr/bin/id name; for i in id /usr/bin/id ./copy ./script ./name; \
                do $i && echo ran; done; ls script";
    let (said, _) = fixture.sh(line, &Arc::new(rules));
    assert_eq!(said.matches("Permission denied").count(), 5, "{said}");
    assert!(!said.contains("ran") && said.ends_with("script\n"), "{said}");
}

#[test]
fn an_orphan_has_the_variables_of_the_run() {
    let fixture = Fixture::new();
    let mut rules = Rules::all();
    let is_of_the_shell =
        |own: &str| ["PWD=", "OLDPWD=", "_="].iter().any(|name| own.starts_with(name));
    rules.start = Box::new(move |started| {
        started.changed.iter().all(|own| own.to_str().is_some_and(is_of_the_shell))
    });
    let line =
        "sh -c '(sleep 0.2; /bin/echo ran > got; B=1 /bin/echo b > b) &'; sleep 0.6; cat got b";
    let (said, _) = fixture.sh(line, &Arc::new(rules));
    assert!(said.contains("ran") && said.contains("Permission denied"), "{said}");
    assert_eq!(fs::read_to_string(fixture.root().join("b")).unwrap(), "");
}

#[test]
fn a_process_lowers_its_own_limits_and_reads_those_of_others() {
    let code = "import os, resource as r; n = r.RLIMIT_NOFILE; r.setrlimit(n, (99, 99)); \
                r.prlimit(0, n, (98, 98)); print(r.prlimit(os.getpid(), n), r.prlimit(1, n)[0] > 0)";
    let line =
        format!("ulimit -n 100; python3 -S -c '{code}'; prlimit --nofile=97 sh -c 'ulimit -n'");
    let (said, _) = Fixture::new().sh(&line, &Arc::new(Rules::all()));
    assert_eq!(said, "(98, 98) True\n97\n");
}

#[test]
fn what_is_not_granted_cannot_be_read_or_written() {
    let fixture = Fixture::new();
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), "secret").unwrap();
    let path = outside.path().display();
    let line = format!(
        "cat {path}; echo 1 > {path}; rm {path}; touch /usr/x; touch /etc/x; chmod 777 {path}; \
         ls /home /root /tmp; cat /proc/1/environ; kill -0 1; echo end"
    );
    let (said, _) = fixture.sh(&line, &Arc::new(Rules::all()));
    assert!(!said.contains("secret") && said.ends_with("end\n"), "{said}");
    assert_eq!(fs::read_to_string(outside.path()).unwrap(), "secret", "{said}");
    assert!(said.lines().count() >= 11, "{said}");
}

#[test]
fn what_is_hidden_cannot_be_opened() {
    let mut fixture = Fixture::new();
    let root = fixture.root().to_owned();
    fs::create_dir(root.join("keys")).unwrap();
    fs::write(root.join("keys/one"), "secret").unwrap();
    fs::write(root.join(".env"), "secret").unwrap();
    fixture.plan.files.masks = vec![root.join("keys"), root.join(".env")];
    let line = "cat .env; cat keys/one; ls keys; mv .env e; mv keys k; rm .env; cp .env f; ln .env g; \
                chmod 777 .env keys; mkdir d; mv d e; echo end";
    let (said, _) = fixture.sh(line, &Arc::new(Rules::all()));
    assert!(!said.contains("secret") && said.ends_with("end\n"), "{said}");
    assert_eq!(fs::read_to_string(root.join(".env")).unwrap(), "secret");
}

#[test]
fn a_command_has_no_children_that_it_did_not_make() {
    let fixture = Fixture::new();
    let line =
        "python3 -S -c 'import os\ntry: os.wait()\nexcept ChildProcessError: print(\"none\")'";
    let (said, ended) = fixture.sh(&format!("exec {line}"), &Arc::new(Rules::all()));
    assert_eq!((said.as_str(), ended), ("none\n", Ended::Exited(0)));
}

#[test]
fn a_limit_on_processes_counts_those_that_live() {
    let mut fixture = Fixture::new();
    fixture.plan.exec = ringfence_sandbox::plan::ExecPlan::Free;
    fixture.plan.limits.processes = Some(20);
    let line = "for i in $(seq 900); do (:) & wait $! || exit 1; done; echo all";
    let (said, ended) = fixture.sh(line, &Arc::new(Rules::all()));
    assert_eq!((said.as_str(), ended), ("all\n", Ended::Exited(0)));
}

#[test]
fn a_program_may_use_every_processor_that_it_could_before() {
    let fixture = Fixture::new();
    fs::write(fixture.root().join("broken"), b"\x7fELF\0\0\0\0\0\0\0\0\0\0\0\0").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(fixture.root().join("broken"), mode).unwrap();
    fs::write(fixture.root().join("processors.py"), PROCESSORS).unwrap();
    let before = own_processors();
    let (said, ended) = fixture.sh("exec python3 -S processors.py", &Arc::new(Rules::all()));
    let expected = format!("{before}\n{before} everywhere\n");
    assert_eq!((said.as_str(), ended), (expected.as_str(), Ended::Exited(0)));
    assert_eq!(own_processors(), before);
}

/// On how many processors this thread may run.
fn own_processors() -> u32 {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed:")).unwrap();
    line.chars().filter_map(|sign| sign.to_digit(16)).map(u32::count_ones).sum()
}

/// Starts that succeed, in a row and at once, from the first thread and from another; and one that
/// fails.
const PROCESSORS: &str = r#"
import os,subprocess,threading
own=len(os.sched_getaffinity(0))
def seen(): return int(subprocess.check_output(['nproc','--all'])) >= own and int(subprocess.check_output(['nproc'])) == own
for _ in range(50): assert seen()
found=[]
several=[threading.Thread(target=lambda: found.append(seen())) for _ in range(20)]
for t in several: t.start()
for t in several: t.join()
assert found==[True]*20,found
try: os.execv('./broken',['broken'])
except OSError: pass
assert len(os.sched_getaffinity(0))==own
r=os.fork()
if r==0: threading.Thread(target=lambda: os.execv('/usr/bin/nproc',['nproc'])).start(); threading.Event().wait()
assert os.waitpid(r,0)[1]==0
os.sched_setaffinity(0,{min(os.sched_getaffinity(0))})
assert subprocess.check_output(['nproc'])==b'1\n'
print(own,'everywhere')"#;

#[test]
fn descriptors_are_handed_from_one_process_to_another() {
    let fixture = Fixture::new();
    fs::write(fixture.root().join("hands.py"), HANDS).unwrap();
    let mut rules = Rules::all();
    rules.socket = Box::new(|path| path.ends_with("own.sock"));
    let (said, ended) = fixture.sh("exec python3 -S hands.py", &Arc::new(rules));
    assert_eq!((said.as_str(), ended), ("handed\nhanded\n", Ended::Exited(0)));
}

#[test]
fn a_socket_says_the_name_that_it_was_given() {
    let fixture = Fixture::new();
    fs::write(fixture.root().join("names.py"), NAMES).unwrap();
    let mut rules = Rules::all();
    rules.socket = Box::new(|_| true);
    let (said, ended) = fixture.sh("exec python3 -S names.py", &Arc::new(rules));
    assert_eq!((said.as_str(), ended), ("6 as given\n", Ended::Exited(0)));
}

/// Binds sockets by names of every shape; each is found again by the name that it says.
const NAMES: &str = r#"
import os,socket
os.makedirs('a/b'); os.symlink('a','l'); here=os.getcwd()
names=['one','./two','a/three','a/b/../four','l/b/five',here+'/six']
for n in names:
    s=socket.socket(socket.AF_UNIX); s.bind(n); s.listen(); assert s.getsockname()==n,s.getsockname()
    c=socket.socket(socket.AF_UNIX); c.connect(n); assert c.getpeername()==n
    try: socket.socket(socket.AF_UNIX).bind(n)
    except OSError as e: assert e.errno==98,e
    else: assert 0,n
f=os.open('a',os.O_PATH)
for n in ('/proc/self/cwd/seven',f'/proc/self/fd/{f}/eight',f'/dev/fd/{f}/nine'):
    s=socket.socket(socket.AF_UNIX); s.bind(n); s.listen(); socket.socket(socket.AF_UNIX).connect(n)
for n in ('one','two','a/three','a/four','a/b/five','six','seven','a/eight','a/nine'): assert os.path.exists(n),n
try: socket.socket(socket.AF_UNIX).bind('nowhere/x')
except FileNotFoundError: pass
else: assert 0
print(len(names),'as given')"#;

/// Hands a file to a child through a pair, and through a socket with a name.
const HANDS: &str = r#"
import os,socket
open('f','w').write('handed')
l=socket.socket(socket.AF_UNIX); l.bind('own.sock'); l.listen()
a,b=socket.socketpair()
if os.fork()==0:
    c=socket.socket(socket.AF_UNIX); c.connect('own.sock')
    for s in (b,c):
        f=socket.recv_fds(s,9,1)[1][0]; print(os.read(f,99).decode(),flush=True)
    os._exit(0)
for s in (a,l.accept()[0]):
    f=os.open('f',os.O_RDONLY); socket.send_fds(s,[b'x'],[f]); os.close(f)
os.wait()"#;
