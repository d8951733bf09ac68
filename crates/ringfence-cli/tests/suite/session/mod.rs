//! Sessions through the command, as root and as an ordinary user.

mod apart;
mod ending;
mod entering;
mod terminal;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::suite::person::Person;
use crate::suite::{ringfence, stderr, stdout};

const PATIENCE: Duration = Duration::from_secs(60);
const RULES: &str = "extends = [\"@workspace\"]\ndefault = \"deny\"\n\
    allow = [\"fs:rw:@root/**\", \"env:SHOWN\", \"cmd:{sh,bash,cat,sleep,echo,touch,ls,true,python3,env,ps,pwd,seq,umask,trap,mkdir,ulimit}:*\"]\n";

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Someone with a project and a session of a name that no other test has.
struct Scene {
    person: Option<Person>,
    folder: tempfile::TempDir,
    name: String,
    ended: std::cell::RefCell<Vec<String>>,
}

/// Runs a test as root, and as an ordinary user.
fn everyone(test: impl Fn(&Scene)) {
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if is_root {
        println!("as root");
        test(&Scene::new(None));
    }
    if let Some(person) = Person::below(Path::new("/home")) {
        println!("as an ordinary user");
        test(&Scene::new(Some(person)));
    }
}

impl Scene {
    fn new(person: Option<Person>) -> Scene {
        let folder = tempfile::Builder::new().prefix("rfsession").tempdir_in("/home").unwrap();
        let name = format!("t{}-{}", std::process::id(), NEXT.fetch_add(1, Relaxed));
        let scene = Scene { person, folder, name, ended: std::cell::RefCell::default() };
        std::fs::create_dir_all(scene.project().join(".git")).unwrap();
        scene.policy(RULES);
        scene
    }

    fn project(&self) -> PathBuf {
        match &self.person {
            Some(person) => person.home().join("project"),
            None => self.folder.path().join("project"),
        }
    }

    /// The policy lies beside the project, so that nothing has to be trusted.
    fn policy_file(&self) -> PathBuf {
        self.project().parent().unwrap().join("rules.toml")
    }

    fn policy(&self, text: &str) {
        std::fs::write(self.policy_file(), text).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        std::fs::set_permissions(self.policy_file(), mode).unwrap();
    }

    /// ringfence, as whoever this is about, in the project.
    fn command(&self) -> Command {
        let mut command = match &self.person {
            Some(person) => person.command(person.program().to_str().unwrap()),
            None => ringfence(),
        };
        command.current_dir(self.project()).stdin(Stdio::null());
        command
    }

    fn run_in(&self, session: &str, options: &[&str], words: &[&str]) -> Command {
        let mut command = self.command();
        let policy = self.policy_file();
        command.args(["run", "--policy", policy.to_str().unwrap(), "--session", session]);
        command.args(options).arg("--").args(words);
        self.ended.borrow_mut().push(session.to_owned());
        command
    }

    fn run(&self, words: &[&str]) -> Command {
        self.run_in(&self.name, &[], words)
    }

    fn sh(&self, line: &str) -> Output {
        let output = self.run(&["sh", "-c", line]).output().unwrap();
        eprint!("{}", stderr(&output));
        output
    }

    /// Uses a verb of sessions. Ending one takes a person at a terminal.
    fn session(&self, words: &[&str]) -> Output {
        if words.first() == Some(&"end") {
            let program = match &self.person {
                Some(person) => person.program(),
                None => PathBuf::from(env!("CARGO_BIN_EXE_ringfence")),
            };
            let line = format!("{} session {}", program.display(), words.join(" "));
            let mut command = match &self.person {
                Some(person) => person.command("script"),
                None => Command::new("script"),
            };
            // At the end of its input `script` may not wait.
            let (input, _typing) = std::io::pipe().unwrap();
            command.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
            return command.current_dir(self.project()).stdin(input).output().unwrap();
        }
        self.command().arg("session").args(words).output().unwrap()
    }

    fn info(&self) -> Option<Value> {
        let output = self.session(&["show", &self.name, "--json"]);
        (output.status.code() == Some(0)).then(|| serde_json::from_str(&stdout(&output)).unwrap())
    }

    /// Where this user's sessions listen.
    fn sockets(&self) -> PathBuf {
        let home = match &self.person {
            Some(person) => person.home(),
            None => PathBuf::from(std::env::var("HOME").unwrap()),
        };
        home.join(".local/state/ringfence/session")
    }

    fn supervisor(&self) -> u64 {
        self.info().unwrap()["pid"].as_u64().unwrap()
    }

    /// The processes inside whose command line is this.
    fn inside(&self, line: &str) -> Vec<u64> {
        let info = self.info().unwrap_or_default();
        let all = info["processes"].as_array().cloned().unwrap_or_default();
        let own = all.iter().filter(|own| own["command"] == line);
        own.map(|own| own["pid"].as_u64().unwrap()).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for name in self.ended.take() {
            let _ = self.session(&["end", &name]);
        }
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_there(pid: u64) -> bool {
    // A zombie has ended.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The process of ringfence that `runuser` has started, or the child itself.
fn client_of(child: &Child) -> u64 {
    if is_named(child.id().into()) {
        return child.id().into();
    }
    let path = format!("/proc/{0}/task/{0}/children", child.id());
    let children = std::fs::read_to_string(path).unwrap_or_default();
    let below = children.split_whitespace().next().and_then(|own| own.parse().ok());
    below.filter(|own| is_named(*own)).unwrap_or(child.id().into())
}

fn is_named(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|own| own == "ringfence\n")
}

fn signal(pid: u64, signal: &str) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}
