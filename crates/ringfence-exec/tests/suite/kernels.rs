//! Files below `/dev`, `/proc` and `/sys`. A rule about them is enforced like any other rule, or
//! the plan reports that it is not.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence_exec::Finished;
use ringfence_manifest::Format;
use ringfence_sandbox::Ended;

use super::everyone;
use super::place::{Place, write};

/// Mounts a `/dev` and a `/tmp` for the test only.
pub(super) const MOUNTS: &str = r#"
cd "$WORK"; mkdir dev; mount -t tmpfs -o mode=1777 dev dev; cd dev; mkdir pts shm
for device in null zero full random urandom tty; do touch $device; mount --bind /dev/$device $device; done
mount --bind /dev/pts pts; mount -t tmpfs -o mode=1777 shm shm
ln -s pts/ptmx ptmx; ln -s /proc/self/fd fd; ln -s fd/0 stdin; ln -s fd/1 stdout; ln -s fd/2 stderr
cd ..; mount --move dev /dev; cd /; mount -t tmpfs -o mode=1777 tmp /tmp
"#;

/// The start of each Python program.
const PRELUDE: &str = "import os, socket
from os import *
own = str(getpid())
def read(name):
    d = open(name, O_RDONLY)
    assert os.read(d, 1)
def write(name): assert os.write(open(name, O_WRONLY | O_CREAT, 0o644), b'x')
def connect(name):
    s = socket.socket(socket.AF_UNIX)
    s.connect(name)
def bind(name):
    s = socket.socket(socket.AF_UNIX)
    s.bind(name)
";

/// What every run can do, and rules that forbid it.
const DENIED: &[(&str, &[&str])] = &[
    (
        "read('/proc/meminfo')",
        &[
            "fs:r:/proc/meminfo",
            "fs:r:**/meminfo",
            "fs:r:/proc/*info",
            "fs:r:/proc/**",
            "fs:r:/**/meminfo",
        ],
    ),
    (
        "read('/proc/sys/kernel/ostype')",
        &["fs:r:/proc/sys/**", "fs:r:/proc/*/kernel/*", "fs:r:**/ostype"],
    ),
    (
        "read('/proc/self/status')",
        &[
            "fs:r:/proc/*/status",
            "fs:r:/proc/self/status",
            "fs:r:**/status",
            "fs:r:/proc/**",
            "fs:r:/proc/self/**",
        ],
    ),
    (
        "read(f'/proc/{own}/environ')",
        &["fs:r:/proc/self/environ", "fs:r:/proc/*/environ", "fs:r:**/environ"],
    ),
    (
        "read(f'/proc/self/task/{own}/environ')",
        &[
            "fs:r:/proc/self/environ",
            "fs:r:/proc/*/task/*/environ",
            "fs:r:/proc/thread-self/environ",
        ],
    ),
    ("chdir('/proc/self'); read('maps')", &["fs:r:**/maps", "fs:r:/proc/*/maps"]),
    (
        "read('/sys/devices/system/cpu/online')",
        &["fs:r:/sys/devices/system/cpu/online", "fs:r:/sys/**", "fs:r:**/online"],
    ),
    ("read('/dev/urandom')", &["fs:r:/dev/urandom", "fs:rw:/dev/**", "fs:r:/dev/*random"]),
    ("write('/dev/urandom')", &["fs:w:/dev/urandom", "fs:rw:/dev/**", "fs:w:/dev/*random"]),
    ("openpty()", &["fs:w:/dev/ptmx", "fs:w:/dev/pts/**", "fs:r:/dev/pts/*", "fs:rw:/dev/**"]),
];

/// Paths that are granted, and parts of them that are denied.
const GRANTED: &[(&str, &str)] = &[
    ("read('/dev/shm/keep/file')", "fs:r:/dev/shm/keep/**"),
    ("read('/dev/shm/.env')", "fs:r:/dev/shm/.env"),
    ("write('/dev/shm/keep/file')", "fs:w:/dev/shm/keep/file"),
    ("write('/dev/shm/keep/new')", "fs:w:/dev/shm/keep/**"),
    ("write('/dev/shm/x'); rename('/dev/shm/x', '/dev/shm/keep/y')", "fs:w:/dev/shm/keep/**"),
    ("mkdir('/dev/shm/keep/d')", "fs:w:/dev/shm/keep/**"),
    ("unlink('/dev/shm/keep/gone')", "fs:d:/dev/shm/keep/**"),
    ("bind('/dev/shm/keep/s')", "fs:w:/dev/shm/keep/**"),
    ("chmod('/dev/shm/keep/file', 0o600)", "fs:w:/dev/shm/keep/**"),
    ("connect('/dev/shm/s')", "sock:/dev/shm/s"),
    ("connect('/dev/log')", "sock:/dev/log"),
    ("write('/dev/new')", "fs:w:/dev/new"),
    ("write('/dev/urandom')", "fs:w:/dev/urandom"),
    ("chmod('/dev/keep', 0o600)", "fs:w:/dev/keep"),
    ("write('/tmp/keep/new')", "fs:w:/tmp/keep/**"),
    ("read('/tmp/keep/file')", "fs:r:/tmp/keep/**"),
];

const GRANTS: &str = "\"fs:rw:/dev/**\", \"fs:d:/dev/**\", \"fs:rw:/tmp/**\", \"sock:/dev/**\"";

/// What works as it does outside, whatever is granted.
const USUAL: &[&str] = &[
    "write('/dev/null'); read('/dev/zero'); read('/dev/urandom'); read('/dev/random')",
    "open('/dev/full', O_WRONLY); read('/dev/stdin') if False else None; listdir('/dev/fd'); listdir('/proc/self')",
    "read('/proc/self/status'); read('/proc/cpuinfo'); read('/proc/meminfo'); read('/proc/self/maps')",
    "read('/sys/devices/system/cpu/online'); assert cpu_count()",
    "m, s = openpty(); d = open(ttyname(s), O_RDWR); os.write(m, b'a\\n'); os.read(d, 1)",
    "write('/dev/shm/own'); read('/dev/shm/own'); write('/tmp/own'); unlink('/tmp/own')",
    "assert listdir('/dev/shm') in ([], ['own']), listdir('/dev/shm')",
    "from multiprocessing import Lock; Lock()",
    "r, w = pipe(); os.write(w, b'a'); read(f'/dev/fd/{r}')",
];

fn run(work: &Path, policy: &str, line: &str) -> Result<Finished, String> {
    let place = Place::new(work);
    let guard = Arc::new(place.guard(Format::Toml, policy)?);
    let home = place.home.to_str().unwrap();
    let variables = [("PATH", "/usr/bin:/bin"), ("HOME", home)];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let fence = place.fence(&guard, Path::new("/usr/bin/python3"), &variables);
    let gaps = &fence.plan().gaps;
    if !gaps.is_empty() {
        return Err(format!("{gaps:?}"));
    }
    let argv = ["python3", "-c", &format!("{PRELUDE}{line}")].map(Into::into).to_vec();
    Ok(fence.run(guard.permit_typed_command("/usr/bin/python3", argv), false))
}

fn policy(allow: &str, deny: &str) -> String {
    format!(
        "schema = 1\nextends = [\"@workspace\"]\nallow = [\"cmd:*\", \"env:*\"{allow}]\ndeny = [{deny}]\n"
    )
}

/// Runs a line. Returns an error unless the line succeeds, or fails like a refused line.
fn wrong(work: &Path, policy: &str, line: &str, succeeds: bool) -> Option<String> {
    let ended = run(work, policy, line).map(|finished| finished.ended);
    let is_right = matches!(
        (&ended, succeeds),
        (Ok(Ok(Ended::Exited(0))), true) | (Ok(Ok(Ended::Exited(1))), false)
    );
    (!is_right).then(|| format!("{line}\n{policy}is to succeed: {succeeds}, but {ended:?}"))
}

/// Creates a home directory with a project, and other users' files in `/dev` and `/tmp`.
fn prepare(work: &Path) -> Vec<UnixListener> {
    write(&work.join("home/proj/a.txt"), "a");
    for name in
        ["/dev/shm/keep/file", "/dev/shm/keep/gone", "/dev/shm/.env", "/dev/keep", "/tmp/keep/file"]
    {
        write(Path::new(name), "x");
    }
    let sockets = ["/dev/shm/s", "/dev/log"];
    sockets.map(|path| UnixListener::bind(path).unwrap()).into_iter().collect()
}

#[test]
fn rules_on_default_kernel_files_are_enforced() {
    let name = "suite::kernels::rules_on_default_kernel_files_are_enforced";
    everyone::as_everyone_on(name, MOUNTS, |work, user| {
        let _sockets = prepare(work);
        let mut failures = Vec::new();
        for (line, rules) in DENIED {
            failures.extend(wrong(work, &policy("", ""), line, true));
            for rule in *rules {
                failures.extend(wrong(work, &policy("", &format!("\"{rule}\"")), line, false));
            }
        }
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

#[test]
fn rules_on_grants_below_dev_are_enforced() {
    let name = "suite::kernels::rules_on_grants_below_dev_are_enforced";
    everyone::as_everyone_on(name, MOUNTS, |work, user| {
        let mut failures = Vec::new();
        for (line, rule) in GRANTED {
            for (deny, succeeds) in [(format!("\"{rule}\""), false), (String::new(), true)] {
                for left in ["/dev/shm", "/tmp"] {
                    let left = std::fs::read_dir(left).unwrap().flatten();
                    left.for_each(|own| {
                        drop(std::process::Command::new("rm").arg("-rf").arg(own.path()).status())
                    });
                }
                for path in ["/dev/log", "/dev/new", "/dev/keep"] {
                    let _ = std::fs::remove_file(path);
                }
                let _sockets = prepare(work);
                let opts_in = "\ndanger = [\"fs:r:**/.env\"]\n";
                let policy = policy(&format!(", {GRANTS}"), &deny) + opts_in;
                failures.extend(wrong(work, &policy, line, succeeds));
            }
        }
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

#[test]
fn sockets_below_dev_need_a_grant() {
    let name = "suite::kernels::sockets_below_dev_need_a_grant";
    everyone::as_everyone_on(name, MOUNTS, |work, user| {
        let _sockets = prepare(work);
        let mut failures = Vec::new();
        for path in ["/dev/log", "/dev/shm/s"] {
            let line = format!("connect('{path}')");
            let files = ", \"fs:rw:/dev/shm/**\"";
            failures.extend(wrong(work, &policy(files, ""), &line, false));
            let granted = format!("{files}, \"sock:{path}\"");
            failures.extend(wrong(work, &policy(&granted, ""), &line, true));
        }
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

#[test]
fn essential_kernel_files_are_available() {
    let name = "suite::kernels::essential_kernel_files_are_available";
    everyone::as_everyone_on(name, MOUNTS, |work, user| {
        let _sockets = prepare(work);
        let mut failures = Vec::new();
        for line in USUAL {
            // Broad rules exclude devices that store nothing.
            failures.extend(wrong(work, &policy("", ""), line, true));
        }
        let line = "write('/dev/null'); read('/dev/zero')";
        failures.extend(wrong(work, &policy("", "\"fs:rw:/dev/**\""), line, true));
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

/// A project below `/dev/shm` is protected like any other.
#[test]
fn a_project_below_dev_is_protected() {
    let name = "suite::kernels::a_project_below_dev_is_protected";
    everyone::as_everyone_on(name, MOUNTS, |_, user| {
        let work = PathBuf::from("/dev/shm/work");
        let root = work.join("home/proj");
        for (name, text) in
            [(".env", "secret"), ("a.txt", "a"), (".git/config", ""), ("src/.env", "b")]
        {
            write(&root.join(name), text);
        }
        let refused = [
            "read('.env')",
            "read('src/.env')",
            "rename('.env', 'e'); read('e')",
            "write('ringfence.toml')",
            "makedirs('.git/hooks', exist_ok=True); write('.git/hooks/pre-commit')",
            "symlink('x', '.git/hooks')",
            "write('/dev/shm/beside')",
            "write('.git/config')",
        ];
        let granted = [
            "write('new'); read('new'); mkdir('d'); rename('new', 'd/new'); unlink('d/new'); rmdir('d')",
            "read('a.txt'); write('a.txt'); chmod('a.txt', 0o600); bind('s'); unlink('s')",
        ];
        let mut failures = Vec::new();
        for line in refused {
            failures.extend(wrong(&work, &policy("", ""), line, false));
        }
        for line in granted {
            failures.extend(wrong(&work, &policy("", ""), line, true));
        }
        assert!(failures.is_empty(), "as {user}:\n{}", failures.join("\n"));
    });
}

/// A rule that nothing can enforce stops the run; one that is partly enforced is reported.
#[test]
fn unenforceable_rules_are_reported() {
    let name = "suite::kernels::unenforceable_rules_are_reported";
    everyone::as_everyone_on(name, MOUNTS, |work, user| {
        let _sockets = prepare(work);
        for rule in [
            "fs:w:/dev/null",
            "fs:r:/dev/fd/**",
            "fs:r:/proc/self/fd/*",
            "fs:rw:/dev/stdin",
            "fs:w:/dev/pts/0",
        ] {
            let ran = run(work, &policy("", &format!("\"{rule}\"")), "pass");
            assert!(ran.is_err(), "{rule} as {user}: {ran:?}");
        }
        let place = Place::new(work);
        let text = policy(", \"fs:rw:/proc/**\"", "\"fs:rw:/dev/**\"");
        let guard = Arc::new(place.guard(Format::Toml, &text).unwrap());
        let fence = place.fence(&guard, Path::new("/usr/bin/python3"), &[]);
        let note = |rule: &str| {
            let held = fence.plan().held.iter().find(|own| own.rule == rule);
            held.and_then(|own| own.note.clone()).unwrap_or_default()
        };
        assert!(note("fs:rw:/dev/**").contains("/dev/null"), "{:?}", fence.plan().held);
        assert!(note("fs:rw:/proc/**").contains("nothing is written"), "{:?}", fence.plan().held);
    });
}
