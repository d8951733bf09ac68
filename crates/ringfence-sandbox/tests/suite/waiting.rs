//! Calls that wait do not make others wait.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ringfence_sandbox::gate::{Answer, Change, Deed, Judge, Started};
use ringfence_sandbox::plan::Judged;
use ringfence_sandbox::{Command, Ended, Terms};

use super::fixture::{Fixture, Rules};

fn check(fixture: &Fixture, line: &str, expected: &str) {
    let (said, ended) = fixture.sh(line, &Arc::new(Rules::all()));
    assert_eq!((said.as_str(), ended), (expected, Ended::Exited(0)));
}

fn fences() -> impl Iterator<Item = Fixture> {
    [Judged::Nothing, Judged::Changes, Judged::Openings].into_iter().map(|judged| {
        let mut fixture = Fixture::new();
        fixture.plan.files.judged = judged;
        fixture.plan.limits.seconds = Some(60);
        fixture
    })
}

#[test]
fn a_reader_waits_for_a_writer() {
    let line = "mkfifo p; (sleep 0.2; echo through > p) & cat p; wait";
    fences().for_each(|fixture| check(&fixture, line, "through\n"));
}

#[test]
fn a_writer_waits_for_a_reader() {
    let line = "mkfifo p; (sleep 0.2; cat p) & echo through > p; wait";
    fences().for_each(|fixture| check(&fixture, line, "through\n"));
}

#[test]
fn pipes_in_both_directions() {
    let line = "mkfifo a b; (exec 3< a 4> b; read x <&3; echo got $x >&4) & \
                exec 3> a 4< b; echo this >&3; cat <&4; wait";
    fences().for_each(|fixture| check(&fixture, line, "got this\n"));
}

#[test]
fn one_that_opens_a_pipe_can_be_killed() {
    let line =
        "mkfifo p; echo x > p & sleep 0.2; kill $!; wait; timeout 0.2 cat p; mkdir d; ls -d d";
    fences().for_each(|fixture| check(&fixture, line, "d\n"));
}

/// Each opening that waits takes something of the supervisor's: there is enough left for others.
#[test]
fn hundreds_that_wait_at_pipes_leave_something_for_others() {
    let line = "mkfifo p; ulimit -n 4096 2>/dev/null; python3 -c '
import os,threading,time
failed=[]
def wait():
    try: os.open(\"p\",os.O_WRONLY)
    except OSError as error: failed.append(error.errno)
for _ in range(1500): threading.Thread(target=wait,daemon=True).start()
time.sleep(1); os.mkdir(\"d\"); os.open(\"f\",os.O_CREAT|os.O_WRONLY)
print(len(failed)>0, set(failed)<={23}, flush=True); os._exit(0)'";
    let mut fixture = Fixture::new();
    fixture.plan.limits.seconds = Some(120);
    check(&fixture, line, "True True\n");
}

#[test]
fn what_becomes_a_pipe_holds_nobody_up() {
    let program = r#"
import os,threading
def swap():
    while True:
        try:
            os.mkfifo('a'); os.rename('a','f'); open('b','w').close(); os.rename('b','f')
        except OSError: pass
def write():
    while True:
        try: os.close(os.open('f',os.O_WRONLY|os.O_CREAT))
        except OSError: pass
for f in (swap,write,write): threading.Thread(target=f,daemon=True).start()
for i in range(400): os.mkdir('d'); os.rmdir('d')
print('done',flush=True); os._exit(0)"#;
    let line = format!("python3 -S -c \"{program}\"");
    fences().for_each(|fixture| check(&fixture, &line, "done\n"));
}

#[test]
fn connections_that_nobody_takes_hold_nobody_up() {
    let program = r#"
import os,socket,threading,time
def full(family,address):
    l=socket.socket(family); l.bind(address); l.listen(0)
    if family!=socket.AF_UNIX: address=l.getsockname()
    took=[]
    def connect(): s=socket.socket(family); s.connect(address); took.append(s)
    for _ in range(8): threading.Thread(target=connect,daemon=True).start()
    time.sleep(.3); before=len(took)
    for i in range(20): os.mkdir('d'); os.rmdir('d')
    if family==socket.AF_UNIX:
        kept=[l.accept() for _ in range(8)]
        while len(took)<8: time.sleep(.01)
    return before<8
print(full(socket.AF_UNIX,'own.sock'),full(socket.AF_INET,('127.0.0.1',0)),flush=True); os._exit(0)"#;
    let line = format!("python3 -S -c \"{program}\"");
    for fixture in fences() {
        let mut rules = Rules::all();
        rules.socket = Box::new(|path| path.ends_with("own.sock"));
        let (said, ended) = fixture.sh(&line, &Arc::new(rules));
        assert_eq!((said.as_str(), ended), ("True True\n", Ended::Exited(0)));
    }
}

#[test]
fn what_is_granted_is_watched() {
    let program = r#"
import os,ctypes
c=ctypes.CDLL(None); f=c.inotify_init(); w=c.inotify_add_watch(f,b'.',0x100)
open('new','w').close(); print(w,b'new' in os.read(f,999))"#;
    let line = format!("python3 -S -c \"{program}\"");
    fences().for_each(|fixture| check(&fixture, &line, "1 True\n"));
}

/// Somebody who is asked about renaming, and takes his time.
struct Slow;

impl Judge for Slow {
    fn start(&self, _: &Started) -> Answer {
        Answer::Allow
    }

    fn change(&self, change: &Change) -> Answer {
        let deletes = change.deeds.iter().any(|(deed, _)| *deed == Deed::Delete);
        let is_hook = change.deeds.iter().any(|(_, path)| path.ends_with(".git/hooks"));
        match (deletes, is_hook) {
            (_, true) => Answer::Refuse,
            (true, _) => Answer::Later(Box::new(|_| {
                thread::sleep(Duration::from_millis(600));
                true
            })),
            _ => Answer::Allow,
        }
    }

    fn socket(&self, _: &Path, _: &[PathBuf]) -> Answer {
        Answer::Refuse
    }
}

#[test]
fn what_was_allowed_late_is_still_what_was_asked() {
    for (between, expected) in [("mkdir n/g/hooks", "hooks\n"), ("mkdir n/g/other", "other\n")] {
        let fixture = Fixture::new();
        let line = format!(
            "exec > said 2> errors; mkdir -p n/g; (sleep 0.1; {between}) & mv n/g n/.git; wait; \
             mv n/g n/x; ls n/x n/.git"
        );
        let argv = ["sh", "-c", &line].map(Into::into).to_vec();
        let command = Command { program: "/bin/sh".into(), argv };
        let terms = Terms::new(Arc::new(Slow));
        ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
        let said = std::fs::read_to_string(fixture.root().join("said")).unwrap();
        // What was renamed is not what was asked about, so it was refused, and asked once more.
        assert_eq!(said, format!("n/x:\n{expected}"), "{between}");
    }
}
