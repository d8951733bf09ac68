//! More than the limits allow.

use ringfence_sandbox::plan::Limits;

use super::attempt;
use super::user;
use super::{Attempt, Fence, World, check_in};

#[test]
fn attempts() {
    check_in("limits::attempts", &[Fence::Trees, Fence::Changes], ATTEMPTS, limit);
}

fn limit(world: &mut World) {
    world.fixture.plan.limits = Limits {
        seconds: Some(30),
        memory: Some(768 << 20),
        processes: Some(100),
        file_size: Some(1 << 20),
        open_files: Some(64),
        output: None,
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("processes", "
n=0
for _ in range(600):
    if os.fork()==0: time.sleep(60); os._exit(0)
    n+=1
os._exit(n!=600)"),
    Attempt::python("threads", "
t=[threading.Thread(target=time.sleep,args=(3,),daemon=True) for _ in range(600)]
threading.stack_size(65536)
for x in t: x.start()
os._exit(0)"),
    Attempt::python("memory", "m=mmap.mmap(-1,1<<30); m[0]=1"),
    Attempt::python("a large file", "
signal.signal(signal.SIGXFSZ,signal.SIG_IGN); f=open('big','wb'); f.write(bytes(4<<20)); f.flush()"),
    Attempt::python("a large file by cutting", "
signal.signal(signal.SIGXFSZ,signal.SIG_IGN); open('big','w').close(); os.truncate('big',4<<20)"),
    Attempt::python("a large file by cutting its descriptor", "
signal.signal(signal.SIGXFSZ,signal.SIG_IGN); os.ftruncate(os.open('big',os.O_CREAT|os.O_RDWR),4<<20)"),
    Attempt::python("open files", "f=[os.open('/dev/null',0) for _ in range(200)]"),
    Attempt::python("higher limits", "
import resource
for r in (resource.RLIMIT_AS,resource.RLIMIT_NOFILE,resource.RLIMIT_FSIZE):
    h=resource.getrlimit(r)[1]; resource.setrlimit(r,(h,h))
f=[os.open('/dev/null',0) for _ in range(200)]"),
    Attempt::python("what a crash leaves behind", "
import resource; assert resource.getrlimit(resource.RLIMIT_CORE)[1] not in (0,1)"),
];

#[test]
fn time() {
    user::as_everyone("limits::time", |user| {
        const SLEEPS: Attempt = Attempt::sh("time", "trap '' TERM HUP INT; sleep 4; sleep 0.1");
        let mut world = World::new();
        world.fixture.plan.limits.seconds = Some(1);
        let (said, status) = world.inside(Fence::Changes, &attempt::words(&SLEEPS, &world));
        assert!(status.is_none() && said.ends_with("[TimedOut]"), "as {user}: {said}");
        let world = World::new();
        assert!(attempt::outside(&SLEEPS, &world).1);
    });
}

/// A socket of the tree's is the broker's too while it is connected: a thread that takes back that
/// it must not wait would have everyone wait, the limit on time included.
#[test]
fn time_of_whoever_lets_others_wait() {
    const WEDGES: Attempt = Attempt::c(
        "waiting",
        r#"
static int s; static void *flip(void *x) { for (;;) fcntl(s, F_SETFL, 0); }
int attempt(void) {
 struct sockaddr_un n = { AF_UNIX, "granted.sock" }; int l = socket(AF_UNIX, SOCK_STREAM, 0);
 if (bind(l, (struct sockaddr *)&n, sizeof n)) return 1; listen(l, 0);
 for (int i = 0; i < 2; i++) connect(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), (struct sockaddr *)&n, sizeof n);
 for (int i = 0; i < 200; i++) { pid_t p = fork();
  if (p == 0) { s = socket(AF_UNIX, SOCK_STREAM, 0); pthread_t t; for (int k = 0; k < 3; k++) pthread_create(&t, 0, flip, 0);
   connect(s, (struct sockaddr *)&n, sizeof n); _exit(0); }
  usleep(5000); kill(p, SIGKILL); waitpid(p, 0, 0); }
 for (;;) { close(open("still", O_CREAT | O_WRONLY, 0600)); usleep(1000); } }"#,
    );
    user::as_everyone("limits::time_of_whoever_lets_others_wait", |user| {
        let mut world = World::new();
        world.fixture.plan.limits.seconds = Some(6);
        let began = std::time::Instant::now();
        let (said, status) = world.inside(Fence::Changes, &attempt::words(&WEDGES, &world));
        assert!(status.is_none() && said.ends_with("[TimedOut]"), "as {user}: {said}");
        assert!(began.elapsed().as_secs() < 40, "as {user}: {:?}", began.elapsed());
    });
}

/// A tree that has started all that its user may start leaves no thread for the supervisor: what
/// needs one fails, and everything else goes on. The kernel does not count what root starts.
#[test]
fn processes_of_everybody() {
    const MOST: u32 = 150;
    if user::is_root() {
        let most = format!("--nproc={MOST}");
        let words = ["--reuid=64124", "--regid=64124", "--clear-groups", "prlimit", &most];
        user::alone("limits::all_processes_used", &[&["setpriv"], &words[..]].concat());
    } else {
        let most = format!("--nproc={}", user::tasks().saturating_add(MOST));
        user::alone("limits::all_processes_used", &["prlimit", &most]);
    }
}

#[test]
fn all_processes_used() {
    const USES_ALL: Attempt = Attempt::c(
        "all processes",
        r#"
int attempt(void) {
 mkfifo("pipe", 0600); int first = 0, last = 0, many = 0;
 for (; many < 5000; many++) { pid_t p = fork(); if (p == 0) { for (;;) pause(); } if (p < 0) break; if (!first) first = p; last = p; }
 if (many == 5000) { puts("there was no end"); return 2; }
 int waits = open("pipe", O_WRONLY); int why = errno;
 printf("%d processes, then %d %s\n", many, waits, strerror(why)); fflush(stdout);
 close(open("still", O_CREAT | O_WRONLY, 0600));
 for (pid_t p = first; p <= last; p++) kill(p, SIGKILL);
 while (wait(0) > 0);
 pid_t p = fork(); if (p == 0) { int r = open("pipe", O_RDONLY); _exit(r < 0); }
 int again = open("pipe", O_WRONLY); int status; waitpid(p, &status, 0);
 return waits < 0 && why == EAGAIN && again >= 0 && status == 0 && access("still", F_OK) == 0 ? 0 : 1; }"#,
    );
    if !user::is_alone() {
        return;
    }
    let world = World::new();
    let (said, status) = world.inside(Fence::Changes, &attempt::words(&USES_ALL, &world));
    assert_eq!(status, Some(0), "{said}");
}
