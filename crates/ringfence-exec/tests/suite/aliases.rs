//! Files that are bind-mounted at several paths: a rule on one path protects the file under all of
//! them. Each attempt succeeds outside the run and fails inside, where the same mounts exist.

use std::fs;
use std::path::Path;
use std::process::Command as Outside;
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;
use ringfence_sandbox::plan::Judged;

use super::everyone;
use super::place::Place;

/// Mounts parts of the home directory a second time in `srv`.
const MOUNTS: &str = r#"
mkdir -p home/.ssh/old home/.config/app home/proj/keys/deep home/proj/deploy/prod home/proj/plain
mkdir -p home/proj/.git/hooks home/proj/h home/tools srv/tree/hooks srv/second
mkdir -p srv/home srv/proj srv/ssh srv/old srv/keys srv/again srv/nested 'srv/a b' srv/tools srv/deploy
for file in home/.ssh/id home/.ssh/old/id home/proj/keys/one home/proj/keys/deep/two; do echo secret > $file; done
echo secret > home/.bashrc; echo secret > home/proj/.env; echo plain > home/proj/plain/file; touch srv/file srv/env
mount --bind home srv/home
mount --bind home/proj srv/proj
mount --bind home/.ssh srv/ssh
mount --bind home/.ssh/old srv/old
mount --bind home/.ssh/id srv/file
mount --bind home/proj/.env srv/env
mount --bind home/proj/keys srv/keys
mount --bind home/proj/.git/hooks home/proj/h
mount --bind srv/home srv/again
mount --bind home/proj srv/home/tools
mount --rbind srv/home srv/nested
mount --bind home/.ssh 'srv/a b'
mount --bind home/proj/deploy srv/deploy
mount --bind srv/tree srv/second
"#;

fn policy(work: &Path, judged: Judged) -> String {
    // If files with a name pattern can be read and created, every open is judged.
    let shape = match judged {
        Judged::Openings => format!(", \"fs:rw:{}/*.txt\"", work.parent().unwrap().display()),
        _ => String::new(),
    };
    let work = work.display();
    format!(
        "schema = 1\nextends = [\"@workspace\"]\nallow = [\"cmd:*\", \"env:*\", \"fs:rw:{work}/**\"{shape}]
deny = [\"fs:rw:~/.ssh/**\", \"fs:r:@root/keys/**\", \"fs:w:@root/deploy/prod/**\", \"fs:r:@root/plain/*-secret\"]\n"
    )
}

/// The start of each Python program. `secret` succeeds if the file was read.
const PRELUDE: &str = "import ctypes, io, os\nfrom os import *\nchdir(environ['WORK'])
def secret(name): assert io.open(name).read() == 'secret\\n'
def write(name): io.open(name, 'w').write('x')
def exchange(one, two): assert ctypes.CDLL(None).renameat2(-100, one, -100, two, 2) == 0
";

/// Attempts to read a file.
const READING: &[&str] = &[
    "secret('home/.ssh/id')",
    "secret('srv/home/.ssh/id')",
    "secret('srv/ssh/id')",
    "secret('srv/ssh/old/id')",
    "secret('srv/old/id')",
    "secret('srv/file')",
    "secret('srv/env')",
    "secret('srv/again/.ssh/old/id')",
    "secret('srv/nested/.ssh/id')",
    "secret('srv/a b/id')",
    "secret('srv/keys/one')",
    "secret('srv/keys/deep/two')",
    "secret('srv/proj/keys/one')",
    "secret('srv/home/proj/keys/deep/two')",
    "secret('srv/home/tools/keys/one')",
    "secret('srv/nested/tools/keys/one')",
    "secret('srv/proj/.env')",
    "chdir('srv/proj/plain'); secret('../keys/one')",
    "d = open('srv/proj', O_PATH); secret(f'/proc/self/fd/{d}/keys/one')",
];

/// Attempts to read a file after moving something.
const MOVING: &[&str] = &[
    "symlink('../srv/keys/one', 'home/l'); secret('home/l')",
    "link('srv/proj/keys/one', 'srv/proj/plain/two'); secret('srv/proj/plain/two')",
    "rename('srv/keys/deep', 'srv/keys/d'); secret('srv/keys/d/two')",
];

/// Attempts to write a file, each with the protected path that must not exist afterwards, relative
/// to the home directory.
const WRITING: &[(&str, &str)] = &[
    ("write('home/proj/h/pre-commit')", "proj/.git/hooks/pre-commit"),
    ("write('home/proj/h/x'); rename('home/proj/h/x', 'home/proj/h/post')", "proj/.git/hooks/post"),
    ("chdir('home/proj/h'); write('by-cwd')", "proj/.git/hooks/by-cwd"),
    ("symlink('h', 'home/proj/k'); write('home/proj/k/by-link')", "proj/.git/hooks/by-link"),
    ("write('home/proj/h/y'); link('home/proj/h/y', 'home/proj/h/hard')", "proj/.git/hooks/hard"),
    ("symlink('plain', 'home/proj/h/soft')", "proj/.git/hooks/soft"),
    ("mkfifo('home/proj/h/pipe')", "proj/.git/hooks/pipe"),
    (
        "d = open('home/proj/h', O_PATH); open('at', O_CREAT | O_WRONLY, dir_fd=d)",
        "proj/.git/hooks/at",
    ),
    ("write('srv/proj/deploy/prod/a')", "proj/deploy/prod/a"),
    ("write('srv/deploy/prod/b')", "proj/deploy/prod/b"),
    ("write('srv/home/proj/deploy/prod/c')", "proj/deploy/prod/c"),
    ("write('srv/again/proj/deploy/prod/d')", "proj/deploy/prod/d"),
    ("write('srv/nested/proj/deploy/prod/e')", "proj/deploy/prod/e"),
    (
        "mkdir('srv/deploy/x'); write('srv/deploy/x/f'); exchange(b'srv/deploy/x', b'srv/deploy/prod')",
        "proj/deploy/prod/f",
    ),
    (
        "rename('srv/deploy/prod', 'srv/deploy/p'); mkdir('srv/deploy/prod'); write('srv/deploy/prod/g')",
        "proj/deploy/prod/g",
    ),
    ("write('srv/ssh/new')", ".ssh/new"),
    ("write('srv/home/.ssh/new2')", ".ssh/new2"),
    (
        "makedirs('home/.config/ringfence'); write('srv/home/.config/ringfence/policy.toml')",
        ".config/ringfence/policy.toml",
    ),
    (
        "makedirs('c2/ringfence'); write('c2/ringfence/policy.toml'); rename('srv/home/.config', 'srv/home/c3'); symlink('../c2', 'srv/home/.config')",
        ".config/ringfence/policy.toml",
    ),
    // A directory that is also mounted elsewhere gets a protected name.
    (
        "mkdir('home/n'); rename('srv/tree', 'home/n/.git'); write('srv/second/hooks/x')",
        "n/.git/hooks/x",
    ),
];

/// Ordinary work that succeeds inside as it does outside.
const USUAL: &[&str] = &[
    "write('srv/proj/plain/new'); assert io.open('home/proj/plain/new').read() == 'x'",
    "assert io.open('srv/proj/plain/file').read() == 'plain\\n'",
    "write('srv/home/tools/plain/other')",
    "mkdir('srv/deploy/staging'); write('srv/deploy/staging/a'); rename('srv/deploy/staging', 'srv/deploy/s'); write('home/proj/deploy/s/b'); remove('srv/deploy/s/b'); remove('srv/deploy/s/a'); rmdir('srv/deploy/s')",
    "assert listdir('srv/home/proj/plain')",
];

fn words(line: &str) -> [String; 3] {
    ["python3".to_owned(), "-c".to_owned(), format!("{PRELUDE}{line}")]
}

fn outside(work: &Path, line: &str) -> bool {
    let [program, words @ ..] = words(line);
    Outside::new(program).args(words).env("WORK", work).output().unwrap().status.success()
}

fn inside(work: &Path, line: &str, judged: Judged) -> Finished {
    let place = Place::new(work);
    let policy = policy(&work.canonicalize().unwrap(), judged);
    let guard = Arc::new(place.guard(Format::Toml, &policy).unwrap());
    let work = work.to_str().unwrap();
    let home = place.home.to_str().unwrap();
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", home), ("WORK", work)];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/usr/bin/python3"), &variables);
    assert_eq!(fence.plan().files.judged, judged);
    let argv = words(line).map(Into::into).to_vec();
    fence.run(guard.permit_typed_command("/usr/bin/python3", argv), false)
}

/// Returns shell lines that create `count` copies of the tree.
fn worlds(count: usize) -> String {
    format!(
        "for world in $(seq 1 {count}); do mkdir $WORK/$world; (cd $WORK/$world; {MOUNTS}); done"
    )
}

/// Runs an attempt inside, then outside. `got` says whether it succeeded.
fn check(
    line: &str,
    worlds: [&Path; 2],
    judged: Judged,
    got: impl Fn(&Path, bool) -> bool,
) -> Option<String> {
    let ended = inside(worlds[0], line, judged).ended;
    if got(worlds[0], matches!(ended, Ok(Ended::Exited(0)))) {
        return Some(format!("{line}: SUCCEEDED INSIDE ({judged:?}): {ended:?}"));
    }
    if !matches!(ended, Ok(Ended::Exited(0 | 1))) {
        return Some(format!("{line}: {ended:?}"));
    }
    let succeeded = outside(worlds[1], line);
    (!got(worlds[1], succeeded)).then(|| format!("{line}: failed outside"))
}

#[test]
fn a_hidden_file_cannot_be_read_by_another_name() {
    let name = "suite::aliases::a_hidden_file_cannot_be_read_by_another_name";
    everyone::as_everyone_on(name, &worlds(1 + 2 * MOVING.len()), |work, user| {
        let world = |number: usize| work.join(number.to_string());
        let got = |_: &Path, succeeded| succeeded;
        let same = world(1);
        let mut failures = Vec::new();
        for line in READING {
            failures.extend(check(line, [&same, &same], Judged::Hiding, got));
            failures.extend(check(line, [&same, &same], Judged::Openings, got));
        }
        for (number, line) in MOVING.iter().enumerate() {
            let worlds = [world(2 * number + 2), world(2 * number + 3)];
            failures.extend(check(line, [&worlds[0], &worlds[1]], Judged::Hiding, got));
        }
        println!("{} ways by another name as {user}", READING.len() + MOVING.len());
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

#[test]
fn a_protected_file_cannot_be_written_by_another_name() {
    let name = "suite::aliases::a_protected_file_cannot_be_written_by_another_name";
    everyone::as_everyone_on(name, &worlds(2 * WRITING.len()), |work, user| {
        let mut failures = Vec::new();
        for (number, (line, planted)) in WRITING.iter().enumerate() {
            let worlds = [1, 2].map(|of| work.join((2 * number + of).to_string()));
            let got = |world: &Path, _| world.join("home").join(planted).symlink_metadata().is_ok();
            failures.extend(check(line, [&worlds[0], &worlds[1]], Judged::Hiding, got));
        }
        println!("{} ways by another name as {user}", WRITING.len());
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

#[test]
fn a_grant_applies_to_every_name_of_a_mount() {
    let name = "suite::aliases::a_grant_applies_to_every_name_of_a_mount";
    everyone::as_everyone_on(name, &worlds(1), |work, user| {
        for line in USUAL {
            for judged in [Judged::Hiding, Judged::Openings] {
                let finished = inside(&work.join("1"), line, judged);
                let ended = finished.ended.as_ref().unwrap();
                assert_eq!(*ended, Ended::Exited(0), "{line} as {user}: {:?}", finished.report);
            }
        }
    });
}

/// A protected file that others create during a run cannot be read under any name.
#[test]
fn protected_files_created_later_cannot_be_read_by_any_name() {
    let name = "suite::aliases::protected_files_created_later_cannot_be_read_by_any_name";
    everyone::as_everyone_on(name, &worlds(1), |work, user| {
        let world = work.join("1");
        let file = world.join("home/proj/plain/later-secret");
        let writes = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(1500));
            fs::write(file, "secret\n").unwrap();
        });
        let line = "import time
all = ['home/proj', 'srv/proj', 'srv/home/proj', 'srv/again/proj', 'srv/nested/tools']
while not path.exists('srv/proj/plain/later-secret'): time.sleep(0.01)
def is_read(name):
    try: return io.open(f'{name}/plain/later-secret').read()
    except OSError: return ''
read = [name for name in all if is_read(name)]
exit(f'{read}' if read else 0)";
        let finished = inside(&world, line, Judged::Hiding);
        writes.join().unwrap();
        assert_eq!(finished.ended.unwrap(), Ended::Exited(0), "as {user}");
    });
}
