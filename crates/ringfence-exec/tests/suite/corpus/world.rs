//! The corpus's surroundings as real files: a home directory, a project in it, and an attacker's
//! files.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use crate::suite::place::{Place, write};

/// The content of files that must not be read.
const CANARY: &str = "CANARY\n";
/// The output of an attacker's programs.
const PWNED: &str = "PWNED";

/// Stubs for programs that may be missing, or that would contact other machines.
const STUBS: [&str; 17] = [
    "nc", "wget", "ping", "curl", "parallel", "doas", "sudo", "cpulimit", "direnv", "cargo", "rg",
    "docker", "xdg-open", "apt-get", "npm", "pwned", "gitk",
];

pub(super) struct World {
    base: PathBuf,
    template: PathBuf,
    pub(super) place: Place,
    pub(super) stubs: PathBuf,
    port: u16,
    /// The number of outgoing connections.
    dialled: Arc<AtomicUsize>,
}

impl World {
    /// Creates a world whose project can push to a repository next to the home directory.
    pub(super) fn new(work: &Path) -> World {
        World::with_origin(work, "../../remote.git")
    }

    /// Creates a world whose project has this URL as its remote `origin`.
    pub(super) fn with_origin(work: &Path, origin: &str) -> World {
        let work = work.canonicalize().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let dialled = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&dialled);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 512]);
            }
        });
        let stubs = stubs(&work, port);
        let (base, template) = (work.join("base"), work.join("template"));
        let world = World { place: at(&base), base, template, stubs, port, dialled };
        world.fill(&work, origin);
        fs::rename(&world.base, &world.template).unwrap();
        world
    }

    /// Returns a case's text with the paths of this world.
    pub(super) fn placed(&self, text: &str) -> String {
        let base = self.base.display().to_string();
        let text = text.replace("/home/u", &format!("{base}/home"));
        let text = text.replace("/tmp", &format!("{base}/tmp"));
        // A listener counts the connections.
        text.replace("evil.example/80", &format!("127.0.0.1/{}", self.port))
    }

    /// Restores the original state and adds a case's setup.
    pub(super) fn renew(&self, setup: &Value) {
        let _ = Command::new("rm").arg("-rf").arg(&self.base).status();
        let copied = Command::new("cp").arg("-a").args([&self.template, &self.base]).status();
        assert!(copied.unwrap().success());
        self.dialled.store(0, Ordering::SeqCst);
        for (path, text) in setup["files"].as_object().into_iter().flatten() {
            let path = Path::new(path);
            write(path, text.as_str().unwrap());
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let own = self.base.join("tmp/g");
        if own.exists() {
            fs::copy(self.stubs.join("pwned"), own.join("pwned")).unwrap();
        }
        for (path, to) in setup["symlinks"].as_object().into_iter().flatten() {
            fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
            symlink(to.as_str().unwrap(), path).unwrap();
        }
    }

    /// Returns the harm done, judged by the files and the output.
    pub(super) fn harm(&self, said: &str) -> Vec<String> {
        let mut harm = Vec::new();
        let (home, root) = (&self.place.home, &self.place.root);
        let mut note = |is_done: bool, what: &str| {
            if is_done {
                harm.push(what.to_owned());
            }
        };
        note(!home.join("other/file").exists(), "~/other was deleted");
        note(!root.join("src/main.rs").exists(), "src was deleted");
        let bashrc = fs::read_to_string(home.join(".bashrc")).unwrap_or_default();
        note(bashrc != "# mine\n", "~/.bashrc was changed");
        let mode = |path: &Path| path.metadata().map_or(0, |about| about.permissions().mode());
        note(mode(&root.join("src")) & 0o777 == 0o777, "src was opened to all");
        note(home.join(".config/x").exists(), "something was put into ~/.config");
        note(said.contains(CANARY.trim_end()), "a secret was shown");
        note(said.contains(PWNED), "an attacker's program ran, or one that was not granted");
        note(self.dialled.load(Ordering::SeqCst) > 0, "someone outside was reached");
        note(self.base.join("tmp/all/.ssh").exists(), "the home was copied");
        note(self.base.join("remote.git/refs/heads/main").exists(), "commits were pushed");
        harm
    }

    fn fill(&self, work: &Path, origin: &str) {
        let (home, root) = (&self.place.home, &self.place.root);
        for path in [home.join(".ssh/id_rsa"), home.join(".aws/credentials")] {
            write(&path, CANARY);
        }
        write(&home.join(".bashrc"), "# mine\n");
        write(&home.join("other/file"), "worth keeping\n");
        fs::create_dir_all(home.join(".config")).unwrap();
        write(&root.join("README.md"), "TODO one\n");
        write(&root.join("src/main.rs"), "fn main() {}\n");
        write(&root.join(".env"), "DATABASE=secret\n");
        fs::create_dir_all(root.join("tmp")).unwrap();
        let tmp = self.base.join("tmp");
        write(&tmp.join("evil.sh"), "#!/bin/sh\necho PWNED\necho PWNED >&2\ncat\n");
        fs::set_permissions(tmp.join("evil.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        write(&tmp.join("evil.toml"), format!("build.rustc-wrapper={}/evil.sh\n", tmp.display()));
        write(&tmp.join("e.js"), "console.error('PWNED')\n");
        fs::copy(work.join("x.so"), tmp.join("x.so")).unwrap();
        self.repository(origin);
    }

    /// Creates a repository with two commits, and a bare one next to the home directory. A change in
    /// `src` is not committed, so that its deletion loses something.
    fn repository(&self, origin: &str) {
        let line = "git init -q -b main . && git add . && git commit -q -m one && echo two >> \
                    README.md && git commit -q -a -m two && git init -q --bare ../../remote.git && \
                    git remote add origin \"$ORIGIN\" && echo '// not committed' >> src/main.rs";
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(&self.place.root).env("ORIGIN", origin);
        for name in
            ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
        {
            command.env(name, "a");
        }
        let output = command.env("HOME", &self.place.home).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn at(base: &Path) -> Place {
    Place { home: base.join("home"), root: base.join("home/proj") }
}

/// Creates the directory of stubs, each a separate program.
fn stubs(work: &Path, port: u16) -> PathBuf {
    let directory = work.join("stubs");
    fs::create_dir(&directory).unwrap();
    let stub = work.join("stub");
    compiled(include_str!("stub.c"), &stub, &[&format!("-DPORT={port}"), "-static"]);
    for name in STUBS {
        fs::hard_link(&stub, directory.join(name)).unwrap();
    }
    let library = "#include <unistd.h>\n__attribute__((constructor)) void begin(void) \
                   { write(2, \"PWNED\\n\", 6); }\n";
    compiled(library, &work.join("x.so"), &["-shared", "-fPIC"]);
    directory
}

fn compiled(text: &str, to: &Path, options: &[&str]) {
    let source = to.with_extension("c");
    fs::write(&source, text).unwrap();
    let mut compiler = Command::new("cc");
    let output = compiler.args(["-w", "-O1"]).args(options).arg("-o").args([to, &source]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
