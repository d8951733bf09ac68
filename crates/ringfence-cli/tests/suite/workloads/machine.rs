//! A user with a home and a project, and what they run there.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Nobody has this number until the test says so.
const ORDINARY: u32 = 64_123;
/// No piece of work takes longer.
const PATIENCE: Duration = Duration::from_secs(240);

/// A user at work.
pub(in super::super) struct Machine {
    _folder: tempfile::TempDir,
    folder: PathBuf,
    user: Option<u32>,
    /// What else lies in the folder, read-only: a name, and the directory that is seen there.
    seen: Option<(&'static str, PathBuf)>,
    /// Who it is, for messages.
    pub(in super::super) name: &'static str,
}

/// Does a piece of work as everyone that this process can be.
pub(in super::super) fn as_everyone(policy: &str, work: impl Fn(&Machine)) {
    let users: &[(Option<u32>, &str)] = match is_root() {
        true => &[(Some(0), "root"), (Some(ORDINARY), "an ordinary user")],
        false => &[(None, "this user")],
    };
    for (user, name) in users {
        work(&Machine::new(*user, name, policy));
        println!("done as {name}");
    }
}

/// The most ordinary user that this process can be.
pub(in super::super) fn ordinary(policy: &str) -> Machine {
    match is_root() {
        true => Machine::new(Some(ORDINARY), "an ordinary user", policy),
        false => Machine::new(None, "this user", policy),
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Makes a namespace in which the user database has one more user, and the toolchain of the user
/// who runs the tests lies in that one's home; then becomes them.
const BECOME: &str = r#"
    set -e
    mount --bind "$RF_ETC" /etc
    for own in .rustup .cargo/bin; do
        if test -d "$RF_HOME/$own"; then mount --bind "$RF_HOME/$own" "$HOME/$own"; fi
    done
    if test -n "$RF_SEEN"; then mount --bind -o ro "$RF_SEEN" "$RF_AT"; fi
    unset RF_ETC RF_HOME RF_SEEN RF_AT
    user=$1
    shift
    exec setpriv --reuid="$user" --regid="$user" --clear-groups -- "$@"
"#;

/// Makes a directory to put in place of `/etc`, with these users: a mount on the file alone is gone
/// when others replace the file.
pub(in super::super) fn write_etc(etc: &Path, users: &str) {
    let copy = || Command::new("cp").args(["-aT", "/etc"]).arg(etc).output().unwrap();
    // Files of locks may go meanwhile, when another test makes a user: the next copy lacks none.
    let tries = if is_root() { 5 } else { 1 };
    let copied = (0..tries).map(|_| copy()).find(|copied| copied.status.success());
    // An ordinary user copies what everyone may read.
    assert!(copied.is_some() || !is_root(), "{:?}", copy());
    fs::write(etc.join("passwd"), users).unwrap();
}

/// Settings of clients that people have in their homes.
const SETTINGS: [&str; 4] =
    [".npmrc", ".config/pip/pip.conf", ".pip/pip.conf", ".cargo/config.toml"];

impl Machine {
    fn new(user: Option<u32>, name: &'static str, policy: &str) -> Machine {
        let above = if user.is_some() { PathBuf::from("/home") } else { own_home() };
        let folder = tempfile::Builder::new().prefix("ringfence-").tempdir_in(above).unwrap();
        let path = folder.path().canonicalize().unwrap();
        let machine = Machine { _folder: folder, folder: path, user, seen: None, name };
        for directory in [machine.home(), machine.project().join(".git")] {
            fs::create_dir_all(directory).unwrap();
        }
        fs::remove_dir(machine.project().join(".git")).unwrap();
        fs::write(machine.policy(), policy).unwrap();
        // The program lies where everyone can start it.
        let copied = Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_ringfence"))
            .arg(machine.folder.join("ringfence"))
            .status();
        assert!(copied.unwrap().success());
        fs::set_permissions(&machine.folder, fs::Permissions::from_mode(0o755)).unwrap();
        if let Some(user) = user {
            machine.settle(user);
        }
        machine
    }

    /// Gives the user a home with the settings of this one.
    fn settle(&self, user: u32) {
        let (from, to) = (own_home(), self.home());
        for name in SETTINGS.iter().filter(|name| from.join(name).is_file()) {
            fs::create_dir_all(to.join(name).parent().unwrap()).unwrap();
            fs::copy(from.join(name), to.join(name)).unwrap();
        }
        for name in [".rustup", ".cargo/bin"] {
            fs::create_dir_all(to.join(name)).unwrap();
        }
        let line = |name: &str| format!("{name}:x:{user}:{user}::{}:/bin/bash", to.display());
        let others = fs::read_to_string("/etc/passwd").unwrap();
        let is_other = |own: &&str| own.split(':').nth(2) != Some(&user.to_string());
        let others: Vec<&str> = others.lines().filter(is_other).collect();
        let name = if user == 0 { "root" } else { "someone" };
        let text = format!("{}\n{}\n", line(name), others.join("\n"));
        hand_over(&self.folder, user);
        chown(self.ringfence(), Some(0), Some(0)).unwrap();
        write_etc(&self.folder.join("etc"), &text);
    }

    /// Lets the user see a directory, wherever it lies; returns where.
    pub(in super::super) fn see(&mut self, name: &'static str, directory: &Path) -> PathBuf {
        if self.user.is_none() {
            return directory.to_owned();
        }
        fs::create_dir_all(self.folder.join(name)).unwrap();
        self.seen = Some((name, directory.to_owned()));
        self.folder.join(name)
    }

    /// The program under test, where this user can start it.
    pub(in super::super) fn ringfence(&self) -> PathBuf {
        self.folder.join("ringfence")
    }

    /// What `hook AGENT --setup` prints for this user.
    pub(in super::super) fn setup(&self, agent: &str) -> String {
        let words = [&self.ringfence().display().to_string(), "hook", agent, "--setup"];
        super::super::stdout(&self.run(&words.map(str::to_owned)))
    }

    pub(in super::super) fn home(&self) -> PathBuf {
        match self.user {
            Some(_) => self.folder.join("home"),
            None => own_home(),
        }
    }

    pub(in super::super) fn project(&self) -> PathBuf {
        match self.user {
            Some(_) => self.folder.join("home/project"),
            None => self.folder.join("project"),
        }
    }

    pub(in super::super) fn policy(&self) -> PathBuf {
        self.folder.join("policy.toml")
    }

    /// A file of the user's, by its path.
    pub(in super::super) fn write_at(&self, path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        if let Some(user) = self.user {
            hand_over(&self.home(), user);
        }
    }

    /// A file of the project.
    pub(in super::super) fn write(&self, name: &str, text: &str) {
        let path = self.project().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        if let Some(user) = self.user {
            hand_over(&self.project(), user);
        }
    }

    pub(in super::super) fn read(&self, name: &str) -> String {
        let path = self.project().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A line of a shell outside of every fence.
    pub(in super::super) fn outside(&self, line: &str) -> Output {
        let words = ["/bin/sh", "-c", line].map(str::to_owned);
        finished(self.started(&words, Stdio::null()), line)
    }

    /// A line of a shell in the fence, which must succeed without a word of ringfence's.
    pub(in super::super) fn works(&self, line: &str) -> String {
        let words = self.inside(&["bash", "-c", line]);
        let output = finished(self.started(&words, Stdio::null()), line);
        let (said, complaint) = (super::super::stdout(&output), super::super::stderr(&output));
        let who = self.name;
        assert!(output.status.success(), "{who}: {line}\n{said}\n{complaint}\n{:?}", output.status);
        assert!(!complaint.contains("refused"), "{who}: {line}\n{complaint}");
        said
    }

    /// The words that run a command in the fence.
    pub(in super::super) fn inside(&self, words: &[&str]) -> Vec<String> {
        let program = self.ringfence().display().to_string();
        let policy = self.policy().display().to_string();
        let head = [program, "run".to_owned(), "--policy".to_owned(), policy, "--".to_owned()];
        head.into_iter().chain(words.iter().map(|word| (*word).to_owned())).collect()
    }

    /// Words as this user, in the project, to their end.
    pub(in super::super) fn run(&self, words: &[String]) -> Output {
        finished(self.started(words, Stdio::null()), &words.join(" "))
    }

    /// Starts words as this user, in the project.
    pub(in super::super) fn started(&self, words: &[String], input: Stdio) -> std::process::Child {
        let mut command = self.command(words);
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn command(&self, words: &[String]) -> Command {
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("unshare");
                command.args(["--mount", "--propagation", "private", "sh", "-c", BECOME, "sh"]);
                command.arg(user.to_string()).args(words);
                command.env("RF_ETC", self.folder.join("etc"));
                command.env("RF_HOME", own_home());
                if let Some((name, directory)) = &self.seen {
                    command.env("RF_SEEN", directory).env("RF_AT", self.folder.join(name));
                }
                command
            }
            None => {
                let mut command = Command::new(&words[0]);
                command.args(&words[1..]);
                command
            }
        };
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            let is_ours = ["CARGO", "RUST", "NEXTEST", "RINGFENCE", "PYENV", "XDG_", "TMUX"];
            if is_ours.iter().any(|own| text.starts_with(own)) {
                command.env_remove(&name);
            }
        }
        let home = self.home();
        let path = format!("{}/.cargo/bin:/usr/local/bin:/usr/bin:/bin", home.display());
        // As a login gives them: whoever runs the tests may have others, or none.
        command.env("HOME", home).env("PATH", path).env("SHELL", "/bin/bash");
        command.env("TERM", "xterm").env("LANG", "C.UTF-8");
        command.current_dir(self.project());
        command
    }
}

fn own_home() -> PathBuf {
    std::env::home_dir().unwrap()
}

fn hand_over(path: &Path, user: u32) {
    let whose = format!("{user}:{user}");
    let done = Command::new("chown").args(["-R", "-h", &whose]).arg(path).status();
    assert!(done.unwrap().success());
}

/// What came of it; whatever takes too long is ended.
fn finished(child: std::process::Child, line: &str) -> Output {
    let pid = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    let begun = Instant::now();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    match receiver.recv_timeout(PATIENCE) {
        Ok(output) => {
            println!("{:5} ms  {}", begun.elapsed().as_millis(), line.lines().next().unwrap());
            output
        }
        Err(_) => {
            let _ = Command::new("kill").arg(pid.to_string()).status();
            panic!("`{line}` took too long")
        }
    }
}
