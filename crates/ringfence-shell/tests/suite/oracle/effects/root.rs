//! A root in which a line runs: recorders for programs, a home for each line.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::super::super::skip::skip;
use super::super::bash::{Patience, fresh_directory};
use super::super::mutate::{commands_of, corpus};
use super::home::{self, START, VARIABLES, open_to_all};
use super::watch::{Touched, Watch};

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

/// Programs that really run, behind a recorder.
const REAL: &[&str] = &[
    "bash", "sh", "dash", "env", "timeout", "nice", "nohup", "stdbuf", "setsid", "xargs", "find",
    "ionice", "taskset", "chrt", "flock", "cat", "head", "tail", "tee", "wc", "sort", "grep",
    "sed", "cp", "mv", "ln", "touch", "mkdir", "rm", "rmdir", "ls", "cut", "tr", "uniq", "dd",
    "install", "cmp", "truncate", "realpath", "basename", "dirname", "seq", "mawk", "awk", "split",
    "comm", "paste", "tac", "nl", "shuf", "unlink", "link",
];

/// Writes down directory, arguments and variables, then becomes the real program if there is one.
const RECORDER: &str = r#"#!/o/host/bash -p
n=${0##*/}
mapfile -d '' -t e < /proc/self/environ
p=$PWD
cd -P .
printf '%s\0' "$PWD" $(($# + 1)) "$n" "$@" "${e[@]}" end > "/o/rec/$EPOCHREALTIME-$$"
PWD=$p
if [[ $n = sh || $n = dash ]]; then exec -a sh /o/host/bash "$@"; fi
if [[ -e /o/real/$n ]]; then exec -a "$n" "/o/host/$n" "$@"; fi
read -r s < /o/rec/status
echo p q
exit "$s"
"#;

/// How a program was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Called {
    pub(super) cwd: String,
    pub(super) argv: Vec<String>,
    pub(super) env: Vec<String>,
}

/// What a line did.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) called: Vec<Called>,
    pub(super) touched: Vec<Touched>,
    /// Whether its time was over before its end.
    pub(super) cut: bool,
}

/// The root.
pub(super) struct Root {
    base: PathBuf,
    next: AtomicUsize,
    as_nobody: bool,
    patience: Patience,
}

impl Root {
    /// The root, if lines can be run in one here; the test is skipped where they cannot.
    pub(super) fn find(patience: Patience) -> Option<Root> {
        let found = Root::build(patience);
        if let Err(missing) = &found {
            skip(format!("no effects are compared here: {missing}"));
        }
        found.ok()
    }

    fn build(patience: Patience) -> Result<Root, &'static str> {
        let version = Command::new("/bin/bash").arg("--version").output();
        let version = version.map_err(|_| "there is no bash")?;
        if !String::from_utf8_lossy(&version.stdout).contains("version 5.2.") {
            return Err("bash is not version 5.2");
        }
        if Command::new("bwrap").arg("--version").output().is_err() {
            return Err("there is no bubblewrap");
        }
        let base = fresh_directory("effects");
        build(&base.join("root"));
        home::build(&base.join("template"));
        let as_nobody = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        let root = Root { base, next: AtomicUsize::new(0), as_nobody, patience };
        // A process that another test starts may hold the recorder open for a moment, and no
        // file that is open for writing can be run.
        for _ in 0..5 {
            let seen = root.run("c1 works > made", 0);
            if seen.called.len() == 1 && !seen.touched.is_empty() {
                return Ok(root);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err("no line runs in a root of its own (no namespaces for users, no inotify?)")
    }

    /// Runs the line; recorders answer with the status.
    pub(super) fn run(&self, line: &str, status: u8) -> Seen {
        let place = self.base.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
        let record = place.join("rec");
        self.make_home(&place);
        fs::create_dir(&record).unwrap();
        open_to_all(&record);
        fs::write(record.join("status"), format!("{status}\n")).unwrap();
        let Some(watch) = Watch::new(&place) else { return Seen::default() };
        let ended = self.command(&place, line).status();
        let cut = ended.is_ok_and(|ended| ended.signal().is_some() || ended.code() == Some(137));
        let seen = Seen { called: read_records(&record), touched: watch.touched(), cut };
        remove(&place);
        seen
    }

    /// Files as every line finds them.
    ///
    /// Another process copies them: one that this process starts meanwhile would keep those open
    /// that are just being made, and would seem to write them when it closes them.
    fn make_home(&self, place: &Path) {
        let template = self.base.join("template");
        let copied = Command::new("/usr/bin/cp").arg("-a").arg(template).arg(place).status();
        assert!(copied.unwrap().success(), "no home was made");
    }

    fn command(&self, place: &Path, line: &str) -> Command {
        let mut command = Command::new("/usr/bin/prlimit");
        let processes = if self.as_nobody { "--nproc=400" } else { "--nproc=4000" };
        command.args([processes, "--fsize=1000000", "--core=0", "--as=2000000000", "--cpu=2"]);
        let seconds = match self.patience {
            Patience::Short => "5",
            Patience::Long => "30",
        };
        command.args(["/usr/bin/timeout", "-s", "KILL", seconds, "bwrap", "--unshare-user"]);
        command.args(["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]);
        command.args(["--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000"]);
        command.arg("--ro-bind").arg(self.base.join("root")).arg("/");
        command.args(["--ro-bind", "/usr/lib", "/usr/lib"]);
        command.args(["--ro-bind-try", "/usr/lib64", "/usr/lib64"]);
        command.args(["--ro-bind", "/usr/bin", "/o/host", "--dev", "/dev", "--proc", "/proc"]);
        for (from, to) in [("home", "/home"), ("tmp", "/tmp"), ("rec", "/o/rec")] {
            command.arg("--bind").arg(place.join(from)).arg(to);
        }
        command.args(["--chdir", START, "/o/host/bash", "--norc", "--noprofile", "-c", "--"]);
        command.arg(line).env_clear().envs(VARIABLES);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if self.as_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        remove(&self.base);
    }
}

/// Removes a directory. The processes of a line that was cut short end a little later.
fn remove(directory: &Path) {
    for _ in 0..50 {
        if fs::remove_dir_all(directory).is_ok() || !directory.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn build(root: &Path) {
    let directories = ["home", "tmp", "dev", "proc", "etc", "usr/lib", "usr/lib64", "usr/bin"];
    for directory in directories.into_iter().chain(["o/rec", "o/host", "o/real"]) {
        fs::create_dir_all(root.join(directory)).unwrap();
    }
    for name in ["bin", "lib", "lib64"] {
        symlink(format!("usr/{name}"), root.join(name)).unwrap();
    }
    fs::write(root.join("o/recorder"), RECORDER).unwrap();
    open_to_all(&root.join("o/recorder"));
    for name in REAL.iter().filter(|name| Path::new("/usr/bin").join(name).exists()) {
        fs::write(root.join("o/real").join(name), "").unwrap();
    }
    let known = corpus().into_iter().chain(commands_of("attacks")).chain(commands_of("benign"));
    let text = known.collect::<Vec<_>>().join(" ");
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.+-".contains(c);
    let words = text.split(|c| !is_part(c)).filter(|word| {
        word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.len() < 40 && *word != "time"
    });
    // Where there is a choice of programs, the name leads to it by way of `/etc`.
    fs::create_dir(root.join("etc/alternatives")).unwrap();
    symlink("/o/host/mawk", root.join("etc/alternatives/awk")).unwrap();
    fs::write(root.join("etc/passwd"), "u:x:1000:1000::/home/u:/bin/bash\n").unwrap();
    for name in words.chain(REAL.iter().copied()).chain(super::grammar::PROGRAMS.iter().copied()) {
        // A word that occurs twice is there already.
        let _ = symlink("/o/recorder", root.join("usr/bin").join(name));
    }
}

/// The records in the order of their names.
fn read_records(directory: &Path) -> Vec<Called> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("status"))
        .collect();
    names.sort();
    let record = |path: &PathBuf| {
        let bytes = fs::read(path).ok()?;
        // What a killed program did not finish is no record.
        let text = String::from_utf8_lossy(bytes.strip_suffix(b"\0end\0")?).into_owned();
        let mut parts = text.split('\0').map(str::to_owned);
        let (cwd, count) = (parts.next()?, parts.next()?.parse().ok()?);
        let argv: Vec<String> = parts.by_ref().take(count).collect();
        Some(Called { cwd, argv, env: parts.collect() })
    };
    names.iter().filter_map(record).collect()
}
