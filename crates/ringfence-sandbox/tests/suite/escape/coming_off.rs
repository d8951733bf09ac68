//! Covers come off when others replace what they lie on: what is denied is not read all the same.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use ringfence_sandbox::plan::Judged;
use ringfence_sandbox::{Command, Ended, Terms};

use super::user;
use crate::suite::fixture::{Fixture, Rules, hiding};

/// What lies in files that must not be read.
pub(super) const SECRET: &str = "outside-secret";
/// What no rule lets be read.
pub(super) const DENIED: [&str; 3] = ["**/.env", "**/.anthropic/**", "@root/keys/**"];

/// What every reader begins and ends with: `look` opens something and says what is in it.
pub(super) const READER: &str = r#"
import array,os,socket,sys,time
tries=0; found=set()
def ready(): open('ready','w').close()
def going():
    global tries; tries+=1
    return not os.path.exists('stop')
def look(what,**more):
    try: fd=os.open(what,os.O_RDONLY,**more)
    except OSError: return
    try:
        if b'outside-secret' in os.read(fd,99): found.add(str(what))
    except OSError: pass
    os.close(fd)
def end():
    print('tries',tries)
    for what in sorted(found): print('found',what)
"#;

/// Something that others do while a program inside looks for it.
struct Window {
    name: &'static str,
    /// What the program does; in Python.
    inside: &'static str,
    /// What is there at the start and covered.
    covered: &'static [&'static str],
    outside: fn(&Path),
}

const WINDOWS: &[Window] = &[
    Window {
        name: "a covered file is removed",
        inside: "ready()\nwhile going(): look('.env')",
        covered: &[".env"],
        outside: |root| {
            again(30, || {
                fs::remove_file(root.join(".env")).unwrap();
                secret(&root.join(".env"));
            })
        },
    },
    Window {
        name: "a covered file is replaced",
        inside: "ready()\nwhile going(): look('.env'); look('sub/../.env')",
        covered: &[".env"],
        outside: |root| again(30, || save(root, ".env")),
    },
    Window {
        name: "an editor saves a covered file",
        inside: "ready()\nwhile going(): look('keys/one')",
        covered: &["keys/one"],
        outside: |root| {
            again(30, || {
                fs::rename(root.join("keys/one"), root.join("keys/one~")).unwrap();
                secret(&root.join("keys/one"));
                fs::remove_file(root.join("keys/one~")).unwrap();
            })
        },
    },
    Window {
        name: "a covered file is replaced behind a link of the run's own",
        inside: "os.symlink('.env','link'); ready()\nwhile going(): look('link')",
        covered: &[".env"],
        outside: |root| again(30, || save(root, ".env")),
    },
    Window {
        name: "a place in a covered file outlives its name",
        inside: "fds=[]; ready()\nwhile going():\n    \
                 try: fds.append(os.open('.env',os.O_PATH))\n    except OSError: pass\n    \
                 for fd in fds[-20:]: look(f'/proc/self/fd/{fd}')\n    \
                 if len(fds)>200: [os.close(fd) for fd in fds[:100]]; del fds[:100]",
        covered: &[".env"],
        outside: |root| {
            again(30, || {
                fs::remove_file(root.join(".env")).unwrap();
                secret(&root.join(".env"));
            })
        },
    },
    Window {
        name: "a directory is open when it gets a denied name",
        inside: "os.mkdir('d'); fd=os.open('d',os.O_RDONLY); os.rename('d','.anthropic'); ready()\n\
                 while going(): look('key',dir_fd=fd); look(f'/proc/self/fd/{fd}/key')",
        covered: &[],
        outside: |root| again(10, || save(root, ".anthropic/key")),
    },
    Window {
        name: "a directory is entered when it gets a denied name",
        inside: "os.mkdir('d'); os.chdir('d'); os.rename('../d','../.anthropic'); os.chdir('..'); ready()\n\
                 os.chdir('.anthropic')\nopen=None\n\
                 while tries<4000 and not os.path.exists('../stop'): tries+=1; look('key'); look('/proc/self/cwd/key')\n\
                 os.chdir('..')",
        covered: &[],
        outside: |root| again(10, || save(root, ".anthropic/key")),
    },
    Window {
        name: "a directory is handed to another process before it gets a denied name",
        inside: "os.mkdir('d'); fd=os.open('d',os.O_RDONLY); one,two=socket.socketpair()\n\
                 socket.send_fds(one,[b'x'],[fd])\n\
                 if os.fork(): os.wait(); os._exit(0)\n\
                 fd=socket.recv_fds(two,1,1)[1][0]; os.rename('d','.anthropic'); ready()\n\
                 while going(): look('key',dir_fd=fd)",
        covered: &[],
        outside: |root| again(10, || save(root, ".anthropic/key")),
    },
    Window {
        name: "a new name comes in a flood of others",
        inside: "ready()\nwhile going(): look('flood/.env'); look('flood/x/.env')",
        covered: &[],
        outside: |root| {
            fs::create_dir_all(root.join("flood/x")).unwrap();
            for number in 0..20_000 {
                fs::write(root.join(format!("flood/{number}")), "").unwrap();
                if number == 10_000 {
                    secret(&root.join("flood/.env"));
                    secret(&root.join("flood/x/.env"));
                }
            }
        },
    },
    Window {
        name: "a directory is moved in with what is denied",
        inside: "ready()\nwhile going(): look('in/.env')",
        covered: &[],
        outside: |root| {
            again(10, || {
                let new = root.with_extension("new");
                fs::create_dir_all(&new).unwrap();
                secret(&new.join(".env"));
                fs::rename(&new, root.join("in")).unwrap();
                thread::sleep(Duration::from_millis(5));
                fs::remove_dir_all(root.join("in")).unwrap();
            })
        },
    },
    Window {
        name: "a covered file gets another name",
        inside: "ready()\nwhile going(): look('plain/other')",
        covered: &[".env"],
        outside: |root| {
            again(10, || {
                fs::hard_link(root.join(".env"), root.join("plain/other")).unwrap();
                thread::sleep(Duration::from_millis(5));
                fs::remove_file(root.join("plain/other")).unwrap();
            })
        },
    },
    Window {
        name: "another name of a covered file is removed",
        inside: "ready()\nwhile going(): look('plain/second')",
        covered: &[".env", "plain/second"],
        outside: |root| {
            fs::write(root.join("new"), "nothing").unwrap();
            fs::rename(root.join("new"), root.join("plain/second")).unwrap();
        },
    },
];

#[test]
fn what_is_denied_is_not_read_when_its_cover_comes_off() {
    user::as_everyone("coming_off::what_is_denied_is_not_read_when_its_cover_comes_off", |user| {
        let both = WINDOWS.iter().flat_map(|window| [(window, true), (window, false)]);
        let failures: Vec<String> = both.filter_map(|(own, covers)| read_in(own, covers)).collect();
        println!(
            "coming_off::what_is_denied_is_not_read_when_its_cover_comes_off: {} windows as {user}, each with covers and without",
            WINDOWS.len()
        );
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

/// What could be read, where what is denied is covered at the start or is not.
fn read_in(window: &Window, covers: bool) -> Option<String> {
    let mut fixture = Fixture::new();
    let root = fixture.root().to_owned();
    for directory in ["sub", "keys", "plain"] {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    secret(&root.join(".env"));
    for covered in window.covered {
        match *covered {
            "plain/second" => fs::hard_link(root.join(".env"), root.join(covered)).unwrap(),
            _ => secret(&root.join(covered)),
        }
        if covers {
            fixture.plan.files.masks.push(root.join(covered));
        }
    }
    if !window.covered.contains(&".env") {
        fs::remove_file(root.join(".env")).unwrap();
    }
    fixture.plan.files.judged = Judged::Hiding;
    let said = thread::scope(|scope| {
        scope.spawn(|| {
            while !root.join("ready").exists() {
                thread::sleep(Duration::from_millis(2));
            }
            (window.outside)(&root);
            thread::sleep(Duration::from_millis(200));
            fs::write(root.join("stop"), "").unwrap();
        });
        run(&fixture, window.inside, Rules::all())
    });
    let tries = said.lines().find_map(|line| line.strip_prefix("tries ")?.parse().ok());
    assert!(tries.is_some_and(|tries: u32| tries > 2), "{}: {said}", window.name);
    said.contains("found").then(|| format!("{}, covers {covers}: {said}", window.name))
}

/// Runs a reader.
pub(super) fn run(fixture: &Fixture, inside: &str, rules: Rules) -> String {
    let script = format!("{READER}\n{inside}\nend()");
    let line = "exec > said 2>&1; exec python3 -S -c \"$0\"";
    let argv = ["sh", "-c", line, &script].map(Into::into).to_vec();
    let command = Command { program: PathBuf::from("/bin/sh"), argv };
    let hiding = Some(hiding(fixture.root(), &DENIED));
    let terms = Terms { hiding, ..Terms::new(Arc::new(rules)) };
    let ended = ringfence_sandbox::run(&fixture.plan, &command, terms).unwrap();
    let said = fs::read_to_string(fixture.root().join("said")).unwrap();
    assert_eq!(ended, Ended::Exited(0), "{said}");
    said
}

pub(super) fn secret(path: &Path) {
    fs::write(path, SECRET).unwrap();
}

/// As programs save a file: a new one takes its name.
fn save(root: &Path, name: &str) {
    let new = root.with_extension("saved");
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&new).unwrap();
    secret(&new.join("file"));
    fs::rename(new.join("file"), root.join(name)).unwrap();
    fs::remove_dir(&new).unwrap();
}

fn again(times: usize, body: impl Fn()) {
    for _ in 0..times {
        body();
        thread::sleep(Duration::from_millis(5));
    }
}
