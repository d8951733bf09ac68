//! Standard streams, which were opened outside and are lent.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use super::attempt::{BROKEN, words};
use super::{Attempt, Fence, World, user};

/// As a stream is lent: `$O/secret` for reading, outside and inside.
#[test]
fn attempts() {
    user::as_everyone("given::attempts", |user| {
        let mut failures = Vec::new();
        for attempt in ATTEMPTS {
            failures.extend(failed_outside(attempt));
            for fence in [Fence::Trees, Fence::Changes, Fence::Hiding, Fence::Openings] {
                for hidden in [false, true] {
                    failures.extend(succeeded_inside(attempt, fence, hidden));
                }
            }
        }
        println!("given::attempts: {} attempts in 6 fences as {user}", ATTEMPTS.len());
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

/// The words of an attempt, whose standard input stays what it is.
fn lent(attempt: &Attempt, world: &World) -> Vec<String> {
    let mut words = words(attempt, world);
    words[2] = "exec > said 2>&1; exec \"$@\"".to_owned();
    words
}

fn secret(world: &World) -> File {
    File::open(world.outside().join("secret")).unwrap()
}

fn failed_outside(attempt: &Attempt) -> Option<String> {
    let world = World::new();
    let words = lent(attempt, &world);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).envs(world.variables()).current_dir(world.project());
    let succeeded = command.stdin(Stdio::from(secret(&world))).status().unwrap().success();
    let said = fs::read_to_string(world.said()).unwrap_or_default();
    (!succeeded).then(|| format!("{}: failed outside: {said}", attempt.name))
}

/// Once as a file that can be named inside, and once as one whose directory is another there.
fn succeeded_inside(attempt: &Attempt, fence: Fence, hidden: bool) -> Option<String> {
    let mut world = World::new();
    if hidden {
        let own = Path::new(world.outside()).to_owned();
        world.fixture.plan.files.private.push(own);
    }
    let words = lent(attempt, &world);
    let stdin = secret(&world);
    let (said, status) = world.inside_with(fence, &words, Some(stdin.into()));
    let is_broken = BROKEN.iter().any(|sign| said.contains(sign));
    let is_refused = status != Some(0) && said.starts_with("begun") && !is_broken;
    (!is_refused).then(|| format!("{}: SUCCEEDED INSIDE ({fence:?}): {said}", attempt.name))
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::python("chmod", "os.fchmod(0,0o777)"),
    Attempt::python("chmod by its name in /proc", "os.chmod('/proc/self/fd/0',0o777)"),
    Attempt::python("chmod by its name in /dev", "os.chmod('/dev/stdin',0o777)"),
    Attempt::python("chmod by an empty name", "call(452,0,b'',0o777,0x1000)"),
    Attempt::python("chown", "os.fchown(0,os.getuid(),os.getgid())"),
    Attempt::python("chown by an empty name", "call(260,0,b'',os.getuid(),os.getgid(),0x1000)"),
    Attempt::python("times", "os.utime(0,(1,1))"),
    Attempt::python("times by its name", "os.utime('/proc/self/fd/0',(1,1))"),
    Attempt::python("an attribute", "os.setxattr(0,'user.x',b'1')"),
    Attempt::python("an attribute by its name", "os.setxattr('/proc/self/fd/0','user.x',b'1')"),
    Attempt::python("no attribute", "os.removexattr(0,'user.mark')"),
    Attempt::python(
        "flags",
        "
a=bytearray(8); fcntl.ioctl(0,0x80086601,a); fcntl.ioctl(0,0x40086602,bytes(a))",
    ),
    Attempt::python("writing", "os.write(os.open('/proc/self/fd/0',os.O_WRONLY),b'x')"),
    Attempt::python("cutting", "os.truncate('/proc/self/fd/0',0)"),
    Attempt::python("another name", "call(265,-100,b'/proc/self/fd/0',-100,b'got',0x400)"),
];
