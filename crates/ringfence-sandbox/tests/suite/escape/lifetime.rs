//! Nothing outlives the run.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::attempt::{self, outside};
use super::user;
use super::{Attempt, Fence, World};

/// How long it is waited for someone who would come within half a second.
const PATIENCE: Duration = Duration::from_millis(900);

#[test]
fn attempts() {
    user::as_everyone("lifetime::attempts", |user| {
        let mut failures = Vec::new();
        for attempt in ATTEMPTS {
            let world = World::new();
            let (said, _) = outside(attempt, &world);
            if !appears_again(&world, Duration::from_secs(9)) {
                failures.push(format!("{}: failed outside: {said}", attempt.name));
            }
            for fence in [Fence::Trees, Fence::Changes] {
                let world = World::new();
                let (said, _) = world.inside(fence, &attempt::words(attempt, &world));
                if !said.starts_with("begun") || appears_again(&world, PATIENCE) {
                    failures
                        .push(format!("{}: SUCCEEDED INSIDE ({fence:?}): {said}", attempt.name));
                }
            }
        }
        println!("lifetime::attempts: {} attempts in 2 fences as {user}", ATTEMPTS.len());
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

/// Whether the file is made after the end.
fn appears_again(world: &World, patience: Duration) -> bool {
    let _ = fs::remove_file(world.project().join("late"));
    let end = Instant::now() + patience;
    while Instant::now() < end {
        if world.project().join("late").exists() {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Each leaves a process behind that makes a file again and again, for some seconds.
pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::sh(
        "in the background",
        "(for i in $(seq 50); do touch late; sleep 0.1; done) & exit 0",
    ),
    Attempt::sh(
        "nohup",
        "nohup sh -c 'for i in $(seq 50); do touch late; sleep 0.1; done' > /dev/null 2>&1 & exit 0",
    ),
    Attempt::sh(
        "a session of its own",
        "setsid sh -c 'for i in $(seq 50); do touch late; sleep 0.1; done' & sleep 0.05",
    ),
    Attempt::sh(
        "forked twice",
        "(setsid sh -c '(for i in $(seq 50); do touch late; sleep 0.1; done) &' &) ; sleep 0.05",
    ),
    Attempt::sh(
        "deaf",
        "(trap '' HUP INT TERM; for i in $(seq 50); do touch late; sleep 0.1; done) & exit 0",
    ),
    Attempt::python(
        "a daemon",
        "
if os.fork()==0:
    os.setsid()
    if os.fork()==0:
        for s in range(1,65):
            try: signal.signal(s,signal.SIG_IGN)
            except (OSError,ValueError): pass
        os.closerange(0,99)
        for _ in range(50): open('late','w').close(); time.sleep(.1)
    os._exit(0)
os.wait()",
    ),
    Attempt::python(
        "a daemon that starts daemons",
        "
if os.fork()==0:
    for _ in range(200):
        if os.getsid(0)!=os.getpid(): os.setsid()
        if os.fork(): os._exit(0)
        open('late','w').close(); time.sleep(.02)
    os._exit(0)",
    ),
    Attempt::python(
        "one that stopped itself",
        "
p=os.fork()
if p==0:
    os.kill(os.getpid(),signal.SIGSTOP)
    for _ in range(50): open('late','w').close(); time.sleep(.1)
    os._exit(0)
if os.fork()==0:
    time.sleep(.3); os.kill(p,signal.SIGCONT); os._exit(0)",
    ),
    Attempt::python(
        "a child of its parent",
        "
p=call(56,0x8000|17,0,0,0,0)
if p==0:
    for _ in range(50): open('late','w').close(); time.sleep(.1)
    os._exit(0)",
    ),
    Attempt::python(
        "one that nobody's end reaches",
        "
if os.fork()==0:
    libc.prctl(1,0,0,0,0); libc.prctl(36,1,0,0,0); signal.pthread_sigmask(signal.SIG_BLOCK,range(1,65)); os.setsid()
    if os.fork()==0:
        for _ in range(50): open('late','w').close(); time.sleep(.1)
        os._exit(0)
    time.sleep(6); os._exit(0)",
    ),
    Attempt::c(
        "one that shares its memory",
        r#"
static char stack[65536];
static int child(void *x) { setsid(); for (int i = 0; i < 50; i++) { close(open("late", O_CREAT | O_WRONLY, 0600)); usleep(100000); } _exit(0); }
int attempt(void) { return clone(child, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_FILES | CLONE_FS, NULL) < 0; }"#,
    ),
];

#[test]
fn the_tree_dies_with_its_supervisor() {
    user::as_everyone("lifetime::the_tree_dies_with_its_supervisor", |_| {
        let directory = tempfile::tempdir().unwrap();
        let beat = directory.path().join("beat");
        let mut supervisor = user::alone_command(directory.path(), "lifetime::supervisor", false)
            .env("BEAT", directory.path())
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while !beat.exists() {
            assert!(Instant::now() < end, "it never began");
            thread::sleep(Duration::from_millis(20));
        }
        supervisor.kill().unwrap();
        supervisor.wait().unwrap();
        thread::sleep(Duration::from_millis(300));
        fs::remove_file(&beat).unwrap();
        thread::sleep(PATIENCE);
        assert!(!beat.exists(), "the tree goes on without its supervisor");
    });
}

/// A supervisor that is killed: what it runs shows every tenth of a second that it lives. The test
/// above starts it, and says where; by itself it has nothing to do.
#[test]
fn supervisor() {
    let Some(directory) = std::env::var_os("BEAT") else { return };
    let mut world = World::new();
    let rights = ringfence_sandbox::plan::Rights::READ | ringfence_sandbox::plan::Rights::WRITE;
    let path = std::path::PathBuf::from(&directory);
    world.fixture.plan.files.trees.push(ringfence_sandbox::plan::Tree { path, rights });
    let line = format!(
        "cd {}; trap '' HUP TERM; (setsid sh -c 'while :; do touch beat; sleep 0.1; done' &); sleep 60",
        directory.display()
    );
    let words = ["/bin/sh".to_owned(), "-c".to_owned(), line];
    world.inside(Fence::Changes, &words);
}
