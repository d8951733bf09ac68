//! What is judged is what happens, however fast it changes.

use super::{Attempt, Fence, World, check, check_in};

#[test]
fn attempts() {
    check("races::attempts", &[Fence::Changes, Fence::Hiding], ATTEMPTS);
}

/// The gate changes the file that it judged, whatever the tree puts under its number meanwhile.
#[test]
fn swapped_descriptors() {
    check("races::swapped_descriptors", &[Fence::Changes, Fence::Hiding], SWAPS);
}

/// So many starts for each user; `RINGFENCE_STARTS=500000` makes a million, by hand.
#[test]
fn starts() {
    check_in("races::starts", &[Fence::Changes], STARTS, |world| {
        let wanted = std::env::var("RINGFENCE_STARTS").ok().and_then(|text| text.parse().ok());
        tries(world, wanted.unwrap_or(10_000));
    });
}

/// How often a start is tried, by each user.
fn tries(world: &mut World, tries: u32) {
    world.fixture.plan.limits.seconds = Some(86_400);
    world.told.push(("TRIES".to_owned(), tries.to_string()));
}

/// A thread writes one text, then another, over and over.
macro_rules! flipping {
    ($body:literal) => {
        concat!(
            r#"
static volatile char text[256]; static char safe[256], unsafe_[256];
static void copy(const char *from) { for (int i = 0; ; i++) { text[i] = from[i]; if (!from[i]) return; } }
static void *flip(void *x) { apart(); for (;;) { copy(safe); for (volatile int i = 0; i < 300; i++); copy(unsafe_); for (volatile int i = 0; i < 300; i++); } }
static void begin(const char *one, const char *two) { strcpy(safe, one); strcpy(unsafe_, two); copy(safe); pthread_t t; pthread_create(&t, 0, flip, 0); }
static int made(void) { return access(".git/hooks/x", F_OK) == 0; }
"#,
            $body
        )
    };
}

/// A thread has a directory or a descriptor be one thing, then another, over and over.
macro_rules! turning {
    ($turn:literal, $body:literal) => {
        concat!(
            r#"
static int one, two, d;
static void wait_a_little(void) { for (volatile int i = 0; i < 200; i++); }
static void *turn(void *x) { apart(); for (;;) { "#,
            $turn,
            r#" } }
static void begin(void) { pthread_t t; pthread_create(&t, 0, turn, 0); }
"#,
            $body
        )
    };
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::c(
        "openat",
        flipping!(
            r#"
int attempt(void) { begin("plain/aaaaa/x", ".git/hooks/./x"); mkdir("plain/aaaaa", 0755);
 for (int i = 0; i < 8000; i++) { int f = open((char *)text, O_CREAT | O_WRONLY, 0600); if (f >= 0) close(f); if (made()) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "mkdir",
        flipping!(
            r#"
int attempt(void) { begin("plain/aaaaa/x", ".git/hooks/./x"); mkdir("plain/aaaaa", 0755);
 for (int i = 0; i < 5000; i++) { mkdir((char *)text, 0755); rmdir("plain/aaaaa/x"); if (made()) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "rename",
        flipping!(
            r#"
int attempt(void) { begin("plain/aaaaa/x", ".git/hooks/./x"); mkdir("plain/aaaaa", 0755);
 for (int i = 0; i < 5000; i++) { close(open("from", O_CREAT | O_WRONLY, 0600)); rename("from", (char *)text); if (made()) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "link",
        flipping!(
            r#"
int attempt(void) { begin("plain/aaaaa/x", ".git/hooks/./x"); mkdir("plain/aaaaa", 0755);
 for (int i = 0; i < 5000; i++) { link("plain/file", (char *)text); unlink("plain/aaaaa/x"); if (made()) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "symlink",
        flipping!(
            r#"
int attempt(void) { begin("plain/aaaaa/x", ".git/hooks/./x"); mkdir("plain/aaaaa", 0755); struct stat s;
 for (int i = 0; i < 5000; i++) { symlink("y", (char *)text); unlink("plain/aaaaa/x"); if (lstat(".git/hooks/x", &s) == 0) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "chmod",
        flipping!(
            r#"
int attempt(void) { begin("plain/file", "protected\0"); struct stat s; chmod("plain/file", 0600);
 for (int i = 0; i < 5000; i++) { chmod((char *)text, 0707); if (stat("protected", &s) == 0 && (s.st_mode & 07) == 07) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "truncate",
        flipping!(
            r#"
int attempt(void) { begin("plain/file", "protected\0"); struct stat s;
 for (int i = 0; i < 5000; i++) { truncate((char *)text, 0); if (stat("protected", &s) == 0 && s.st_size == 0) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "a link to a directory that changes",
        r#"
static void *flip(void *x) { apart(); for (;;) { symlink("plain", "a"); rename("a", "d"); symlink(".git/hooks", "a"); rename("a", "d"); } }
int attempt(void) { pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 4000; i++) { if (i % 8 == 0) usleep(50); int f = open("d/x", O_CREAT | O_WRONLY, 0600); if (f >= 0) close(f); if (access(".git/hooks/x", F_OK) == 0) return 0; } return 1; }"#,
    ),
    Attempt::c(
        "a socket by a name whose directory changes",
        r#"
static void *flip(void *x) { apart(); for (;;) { symlink("plain", "a"); rename("a", "d"); symlink(".git/hooks", "a"); rename("a", "d"); } }
int attempt(void) { pthread_t t; pthread_create(&t, 0, flip, 0); struct sockaddr_un a = { AF_UNIX, "d/x" };
 for (int i = 0; i < 4000; i++) { if (i % 8 == 0) usleep(50); int s = socket(AF_UNIX, SOCK_STREAM, 0); bind(s, (struct sockaddr *)&a, sizeof a); close(s);
  if (access(".git/hooks/x", F_OK) == 0) return 0; unlink("plain/x"); } return 1; }"#,
    ),
    Attempt::c(
        "a directory that is renamed",
        r#"
static void *flip(void *x) { apart(); mkdir("n", 0755); mkdir("n/g", 0755); for (;;) { rename("n/g", "n/.git"); rename("n/.git", "n/g"); } }
int attempt(void) { pthread_t t; pthread_create(&t, 0, flip, 0); usleep(20000); int d = -1; while (d < 0) d = open("n/g", O_PATH);
 for (int i = 0; i < 4000; i++) { if (i % 8 == 0) usleep(50); mkdirat(d, "hooks", 0755); if (access("n/.git/hooks", F_OK) == 0) return 0; unlinkat(d, "hooks", AT_REMOVEDIR); } return 1; }"#,
    ),
    Attempt::c(
        "a directory that is filled while it is renamed",
        r#"
static void *flip(void *x) { apart(); for (;;) { mkdir("n/g/hooks", 0755); rmdir("n/g/hooks"); } }
int attempt(void) { mkdir("n", 0755); mkdir("n/g", 0755); pthread_t t; pthread_create(&t, 0, flip, 0);
 for (int i = 0; i < 4000; i++) { if (i % 8 == 0) usleep(50); rename("n/g", "n/.git"); if (access("n/.git/hooks", F_OK) == 0) return 0; rename("n/.git", "n/g"); } return 1; }"#,
    ),
    Attempt::c(
        "a working directory that changes",
        turning!(
            "fchdir(one); wait_a_little(); fchdir(two); wait_a_little();",
            r#"
int attempt(void) { one = open("plain", O_PATH); two = open(".git/hooks", O_PATH); begin();
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); int f = open("x", O_CREAT | O_WRONLY, 0600); if (f >= 0) close(f); if (faccessat(two, "x", F_OK, 0) == 0) return 0; unlinkat(one, "x", 0); } return 1; }"#
        ),
    ),
    Attempt::c(
        "a descriptor that changes",
        turning!(
            "dup2(one, d); wait_a_little(); dup2(two, d); wait_a_little();",
            r#"
int attempt(void) { one = open("plain", O_PATH); two = open(".git/hooks", O_PATH); d = dup(one); begin();
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); mkdirat(d, "x", 0700); if (faccessat(two, "x", F_OK, 0) == 0) return 0; unlinkat(one, "x", AT_REMOVEDIR); } return 1; }"#
        ),
    ),
    Attempt::c(
        "a descriptor that changes, its permissions",
        turning!(
            "dup2(one, d); wait_a_little(); dup2(two, d); wait_a_little();",
            r#"
int attempt(void) { struct stat s; one = open("plain/file", O_RDONLY); two = open("protected", O_RDONLY); d = dup(one); begin();
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); fchmod(d, 0707); if (fstat(two, &s) == 0 && (s.st_mode & 07) == 07) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "a descriptor that changes, its target",
        turning!(
            "dup2(one, d); wait_a_little(); dup2(two, d); wait_a_little();",
            r#"
int attempt(void) { close(open("from", O_CREAT | O_WRONLY, 0600)); one = open("plain", O_PATH); two = open(".git/hooks", O_PATH); d = dup(one); begin();
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); linkat(AT_FDCWD, "from", d, "x", 0); if (faccessat(two, "x", F_OK, 0) == 0) return 0; unlinkat(one, "x", 0); } return 1; }"#
        ),
    ),
    Attempt::c(
        "removing by a name that changes",
        flipping!(
            r#"
int attempt(void) { begin("plain/xxx", "protected");
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); close(open("plain/xxx", O_CREAT | O_WRONLY, 0600)); unlink((char *)text); if (access("protected", F_OK)) return 0; } return 1; }"#
        ),
    ),
    Attempt::c(
        "moving away by a name that changes",
        flipping!(
            r#"
int attempt(void) { begin("plain/xxx", "protected");
 for (int i = 0; i < 3000; i++) { if (i % 8 == 0) usleep(50); close(open("plain/xxx", O_CREAT | O_WRONLY, 0600)); rename((char *)text, "away"); if (access("protected", F_OK)) return 0; } return 1; }"#
        ),
    ),
];

/// A thread puts a pipe, a plain file and the protected file under one number, over and over, while
/// another changes whatever has that number. Any change of the protected file shows in its ctime.
macro_rules! swapping {
    ($call:literal) => {
        concat!(
            r#"
#include <sys/xattr.h>
static int one, two, three, d; static char by_path[64];
static void wait_a_little(int pace) { for (volatile int i = 0; i < pace; i++); }
static void *turn(void *x) { apart(); for (int pace = 0; ; pace = (pace + 7) % 400) {
 dup2(two, d); wait_a_little(pace); dup2(one, d); wait_a_little(pace); dup2(two, d); wait_a_little(pace); dup2(three, d); wait_a_little(pace); } }
static long changed(void) { struct stat s; fstat(two, &s); return s.st_ctim.tv_sec * 1000000000L + s.st_ctim.tv_nsec; }
int attempt(void) { int p[2]; pipe(p); one = p[0]; two = open("protected", O_RDONLY); three = open("plain/file", O_RDONLY); d = dup(one);
 sprintf(by_path, "/proc/self/fd/%d", d); long before = changed(); pthread_t t; pthread_create(&t, 0, turn, 0);
 struct timespec times[2] = { { 1, 0 }, { 1, 0 } }; (void)times;
 for (int i = 0; i < 4000; i++) { if (i % 8 == 0) usleep(50); "#,
            $call,
            r#"; if (changed() != before) return 0; } return 1; }"#
        )
    };
}

/// Calls that change a file by a descriptor, or by the path of a descriptor.
pub(super) const SWAPS: &[Attempt] = &[
    Attempt::c("fchmod", swapping!("fchmod(d, 0707)")),
    Attempt::c("fchmod, to nothing", swapping!("fchmod(d, 0)")),
    Attempt::c("fchown", swapping!("fchown(d, -1, getgid())")),
    Attempt::c("fchownat", swapping!("fchownat(d, \"\", -1, getgid(), AT_EMPTY_PATH)")),
    Attempt::c("fchmodat2", swapping!("syscall(452, d, \"\", 0707, AT_EMPTY_PATH)")),
    Attempt::c("futimens", swapping!("futimens(d, times)")),
    Attempt::c("utimensat", swapping!("syscall(SYS_utimensat, d, \"\", times, AT_EMPTY_PATH)")),
    Attempt::c("futimesat", swapping!("syscall(SYS_futimesat, d, 0, 0)")),
    Attempt::c("fsetxattr", swapping!("fsetxattr(d, \"user.x\", \"y\", 1, 0)")),
    Attempt::c("fremovexattr", swapping!("fremovexattr(d, \"user.mark\")")),
    Attempt::c("chmod by the descriptor's path", swapping!("chmod(by_path, 0707)")),
    Attempt::c("utimensat by the descriptor's path", swapping!("utimensat(-1, by_path, times, 0)")),
    Attempt::c(
        "setxattr by the descriptor's path",
        swapping!("setxattr(by_path, \"user.x\", \"y\", 1, 0)"),
    ),
    Attempt::c("truncate by the descriptor's path", swapping!("truncate(by_path, 1)")),
    Attempt::c(
        "opening by the descriptor's path",
        swapping!(
            "int f = open(by_path, O_WRONLY | O_NONBLOCK); struct stat s; fstat(f, &s); if (S_ISREG(s.st_mode)) write(f, \"x\", 1); close(f)"
        ),
    ),
    Attempt::c(
        "linkat",
        swapping!(
            "linkat(AT_FDCWD, by_path, AT_FDCWD, \"plain/second\", AT_SYMLINK_FOLLOW); unlink(\"plain/second\")"
        ),
    ),
    Attempt::c(
        "fchmod, by a thread with descriptors of its own",
        r#"
static int d;
static void *own(void *x) { struct stat s; unshare(CLONE_FILES); int two = open("protected", O_RDONLY); dup2(two, d); fchmod(d, 0707); return 0; }
int attempt(void) { struct stat s; d = open("plain/file", O_RDONLY); pthread_t t; pthread_create(&t, 0, own, 0); pthread_join(t, 0);
 stat("protected", &s); return (s.st_mode & 07) == 07 ? 0 : 1; }"#,
    ),
];

/// A program that must not run, while its name, its words or its variables change.
macro_rules! starting {
    ($body:literal) => {
        concat!(
            r#"
static volatile char text[64]; static char safe[64], unsafe_[64];
static void copy(const char *from) { for (int i = 0; i < 64; i++) text[i] = from[i]; }
static volatile int pace;
static void *flip(void *x) { apart(); for (;;) { copy(safe); for (volatile int i = 0; i < pace; i++); copy(unsafe_); for (volatile int i = 0; i < pace; i++); } }
static int caught;
/* Whether what was started says that it is what must not run. */
static int tried(const char *file, char **argv, char **envp, const char *says) {
 int p[2]; pipe(p); pid_t child = vfork();
 if (child == 0) { dup2(p[1], 1); close(p[0]); close(p[1]); execve(file, argv, envp); _exit(1); }
 close(p[1]); char b[256] = ""; int n = 0, r; while (n < 255 && (r = read(p[0], b + n, 255 - n)) > 0) n += r;
 int status; close(p[0]); waitpid(child, &status, 0); caught += WIFSIGNALED(status); return strstr(b, says) != 0; }
static int many(const char *one, const char *two, const char *file, char **argv, char **envp, const char *says, int part) {
 strcpy(safe, one); strcpy(unsafe_, two); copy(safe); pthread_t t; pthread_create(&t, 0, flip, 0);
 int tries = atoi(getenv("TRIES")) / part;
 for (int i = 0; i < tries; i++) { pace = i % 40 * 25; if (tried(file, argv, envp, says)) return 0; }
 printf("%d tries, %d were caught after the start\n", tries, caught); fflush(stdout); return 1; }
"#,
            $body
        )
    };
}

pub(super) const STARTS: &[Attempt] = &[
    Attempt::c(
        "the program",
        starting!(
            r#"
int attempt(void) { char *argv[] = { "x", 0 }, *envp[] = { 0 };
 return many("/usr/bin/true", "/usr/bin/id", (char *)text, argv, envp, "uid=", 1); }"#
        ),
    ),
    Attempt::c(
        "a word",
        starting!(
            r#"
int attempt(void) { char *argv[] = { "echo", (char *)text, 0 }, *envp[] = { 0 };
 return many("allowd", "denied", "/bin/echo", argv, envp, "denied", 5); }"#
        ),
    ),
    Attempt::c(
        "a variable",
        starting!(
            r#"
int attempt(void) { char *argv[] = { "env", 0 }, *envp[] = { (char *)text, 0 };
 return many("XX_DEBUG=x", "LD_DEBUG=x", "/usr/bin/env", argv, envp, "LD_DEBUG", 5); }"#
        ),
    ),
    Attempt::c(
        "the list of words",
        starting!(
            r#"
static char *argv[] = { "echo", "allowd", 0 };
static void *swap(void *x) { apart(); for (;;) { *(char *volatile *)&argv[1] = "denied"; *(char *volatile *)&argv[1] = "allowd"; } }
int attempt(void) { char *envp[] = { 0 }; pthread_t t; pthread_create(&t, 0, swap, 0);
 return many("", "", "/bin/echo", argv, envp, "denied", 5); }"#
        ),
    ),
    Attempt::c(
        "a link",
        starting!(
            r#"
static void *swap(void *x) { apart(); for (;;) { symlink("/usr/bin/true", "a"); rename("a", "l"); symlink("/usr/bin/id", "a"); rename("a", "l"); } }
int attempt(void) { char *argv[] = { "x", 0 }, *envp[] = { 0 }; pthread_t t; pthread_create(&t, 0, swap, 0);
 return many("", "", "./l", argv, envp, "uid=", 10); }"#
        ),
    ),
    Attempt::c(
        "a descriptor",
        starting!(
            r#"
static int fd; static void *swap(void *x) { apart(); int a = open("/usr/bin/true", O_PATH), b = open("/usr/bin/id", O_PATH); for (;;) { dup2(a, fd); dup2(b, fd); } }
static char stack[65536]; static int out;
static int child(void *x) { char *argv[] = { "x", 0 }, *envp[] = { 0 }; dup3(out, 1, 0); syscall(SYS_execveat, fd, "", argv, envp, AT_EMPTY_PATH); _exit(1); }
int attempt(void) { fd = open("/dev/null", O_RDONLY); pthread_t t; pthread_create(&t, 0, swap, 0);
 for (int i = 0; i < atoi(getenv("TRIES")) / 10; i++) { int p[2]; pipe(p); out = p[1];
  pid_t c = fork(); if (c == 0) { pthread_t u; pthread_create(&u, 0, swap, 0); child(0); }
  close(p[1]); char b[9]; int n = read(p[0], b, 9); close(p[0]); waitpid(c, 0, 0); if (n > 0) return 0; }
 return 1; }"#
        ),
    ),
];
