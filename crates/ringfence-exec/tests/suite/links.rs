//! Links that would make a file elsewhere count as a protected one.

use std::fs;
use std::path::Path;
use std::process::Command as Outside;
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone;
use super::place::Place;

const POLICY: &str = "schema = 1\nextends = [\"@workspace\"]
allow = [\"cmd:*\", \"env:*\", \"fs:rw:~/**\"]\ndeny = [\"fs:w:@root/deploy/prod/**\"]\n";

/// Returns a project with a repository, and a home directory with settings.
fn project(directory: &Path) -> Place {
    let place = Place::new(directory);
    fs::create_dir_all(place.root.join("build/m/hooks")).unwrap();
    fs::create_dir_all(place.home.join(".config/app")).unwrap();
    let made =
        "system('git init -q .'); [makedirs(d) for d in ['.git/modules', 'deploy', 'x/modules']]";
    assert_eq!(outside(&place, &words(made)), Some(0));
    place
}

/// The start of each Python program. It runs as a program because command words would be judged in
/// advance.
const PRELUDE: &str = "import ctypes, io, os\nfrom os import *\nfrom os import link as hard\n
def write(*names):
    for name in names: makedirs(path.dirname(name), exist_ok=True); io.open(name, 'w').close()
def exchange(one, two): ctypes.CDLL(None).renameat2(-100, one, -100, two, 2)
def home(): chdir(environ['HOME'])
";

fn words(line: &str) -> [String; 3] {
    ["python3".to_owned(), "-c".to_owned(), format!("{PRELUDE}{line}")]
}

fn outside(place: &Place, [program, words @ ..]: &[String; 3]) -> Option<i32> {
    let mut command = Outside::new(program);
    command.args(words).env("HOME", &place.home).current_dir(&place.root);
    command.output().unwrap().status.code()
}

fn inside(place: &Place, words: &[String; 3]) -> Finished {
    let guard = Arc::new(place.guard(Format::Toml, POLICY).unwrap());
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", place.home.to_str().unwrap())];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/usr/bin/python3"), &variables);
    let argv = words.iter().map(Into::into).collect();
    fence.run(guard.permit_typed_command("/usr/bin/python3", argv), false)
}

/// Each writes a file elsewhere and makes it appear under the second path, relative to the home
/// directory.
const PLANTED: &[(&str, &str)] = &[
    (
        "home(); rename('.config', 'c2'); write('c2/ringfence/policy.toml'); symlink('c2', '.config')",
        ".config/ringfence/policy.toml",
    ),
    (
        "home(); write('rf/policy.toml'); symlink('../rf', '.config/ringfence')",
        ".config/ringfence/policy.toml",
    ),
    ("write('v/tasks.json'); symlink('v', '.vscode')", "proj/.vscode/tasks.json"),
    ("write('v/tasks.json'); symlink('v', 'l'); rename('l', '.vscode')", "proj/.vscode/tasks.json"),
    (
        "write('v/tasks.json'); symlink('v', 'l'); mkdir('.vscode'); exchange(b'l', b'.vscode')",
        "proj/.vscode/tasks.json",
    ),
    (
        "write('v/tasks.json'); symlink('v', 'l'); mkdir('.vscode'); exchange(b'.vscode', b'l')",
        "proj/.vscode/tasks.json",
    ),
    (
        "write('v/tasks.json'); symlink('v', 'l'); hard('l', '.vscode', follow_symlinks=False)",
        "proj/.vscode/tasks.json",
    ),
    (
        "write('v/tasks.json'); symlink('v', 'l'); f = os.open('l', O_PATH | O_NOFOLLOW)
ctypes.CDLL(None).linkat(-100, b'/proc/self/fd/%d' % f, -100, b'.vscode', 0x400)",
        "proj/.vscode/tasks.json",
    ),
    (
        "write('build/m/hooks/post-checkout'); symlink('../../build/m', '.git/modules/lib')",
        "proj/.git/modules/lib/hooks/post-checkout",
    ),
    (
        "write('build/m/hooks/post-checkout'); symlink('../../build/m', 'x/modules/lib')
rmdir('.git/modules'); rename('x/modules', '.git/modules')",
        "proj/.git/modules/lib/hooks/post-checkout",
    ),
    (
        "write('build/m/config.worktree'); mkdir('.git/worktrees'); symlink('../../build/m', '.git/worktrees/w')",
        "proj/.git/worktrees/w/config.worktree",
    ),
    ("write('v/prod/x'); rmdir('deploy'); symlink('v', 'deploy')", "proj/deploy/prod/x"),
];

#[test]
fn a_link_to_a_parent_directory_plants_nothing() {
    let name = "suite::links::a_link_to_a_parent_directory_plants_nothing";
    everyone::as_everyone(name, |place, user| {
        for (number, (line, planted)) in PLANTED.iter().enumerate() {
            for is_inside in [false, true] {
                let own = place.join(format!("{number}-{is_inside}"));
                fs::create_dir(&own).unwrap();
                let place = project(&own);
                let refused = match is_inside {
                    true => inside(&place, &words(line)).report.refused,
                    false => {
                        outside(&place, &words(line));
                        Vec::new()
                    }
                };
                let is_there = place.home.join(planted).exists();
                assert_eq!(is_there, !is_inside, "as {user}: {line}, inside: {is_inside}");
                assert_eq!(refused.len(), usize::from(is_inside), "as {user}: {line}: {refused:?}");
            }
        }
    });
}

/// Links that people and their programs create.
const EVERYDAY: &[&str] = &[
    "symlink('../a', 'b')",
    "makedirs('node_modules/.bin'); symlink('../x/x.js', 'node_modules/.bin/x')",
    "makedirs('.venv/bin'); symlink('/usr/bin/python3', '.venv/bin/python'); symlink('lib', '.venv/lib64')",
    "for l in ['.env2', 'vscode', 'deploy/staging', 'deploy/prod2']: symlink('/srv/v', l)",
    "symlink('x/y', '.git/modules/t1'); mkdir('.git/modules/lib'); symlink('testing', '.git/modules/lib/tX')",
    "mkdir('w'); symlink('../.git/modules/x', 'w/.git'); symlink('x', '.git/tX'); unlink('.git/tX')",
    "mkdir('d'); symlink('../v', 'd/l'); rename('d', 'e'); rename('e/l', 'm'); hard('m', 'n', follow_symlinks=False)",
    "home(); symlink('proj/v', 'link'); symlink('../proj', '.config/app/link'); symlink('link', '.profile2')",
    "assert not system('git init -q sub && test -z \"$(git -C sub config core.symlinks)\"')",
];

#[test]
fn links_of_every_day_are_made() {
    let directory = tempfile::tempdir().unwrap();
    for (number, line) in EVERYDAY.iter().enumerate() {
        let own = directory.path().join(number.to_string());
        fs::create_dir(&own).unwrap();
        let place = project(&own);
        let done = inside(&place, &words(line));
        let refused = &done.report.refused;
        assert!(matches!(done.ended, Ok(Ended::Exited(0))), "{line}: {refused:?}");
    }
}
