//! Real agents from the npm registry, each driven by a scripted model server on loopback.
//!
//! `cargo xtask test` installs them; where one is not there, its test says that it was skipped.

mod claude_code;
mod codex;
mod gemini;
mod model;
mod opencode;
mod task;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use model::Model;

/// How long an agent may take for a task of a few steps, on a machine with other work.
const PATIENCE: Duration = Duration::from_secs(180);

/// What is granted to agents: everyday work in the project.
const POLICY: &str = "extends = [\"@workspace\"]\ndefault = \"deny\"\n";

/// A program of an agent, where `cargo xtask test` has installed it.
fn installed(path: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let program = target.join("agents").join(path);
    if !program.exists() {
        eprintln!("skipped: {} is not installed; `cargo xtask test` does that", program.display());
        return None;
    }
    Some(program)
}

/// A project, a home for the agent, and a planted key outside of the project.
struct Site {
    folder: tempfile::TempDir,
}

/// What the planted key says; it must never reach the model.
const SECRET: &str = "the-planted-key-that-nobody-reads";

impl Site {
    fn new() -> Site {
        // Below the home directory: temporary files are everybody's.
        let folder = tempfile::tempdir_in(std::env::home_dir().unwrap()).unwrap();
        let site = Site { folder };
        std::fs::create_dir_all(site.project().join(".git")).unwrap();
        std::fs::create_dir_all(site.home()).unwrap();
        std::fs::create_dir_all(site.path("keys")).unwrap();
        std::fs::write(site.project().join("notes.txt"), "plain text of the project\n").unwrap();
        std::fs::write(site.path("keys/secret.txt"), SECRET).unwrap();
        std::fs::write(site.path("policy.toml"), POLICY).unwrap();
        site
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn project(&self) -> PathBuf {
        self.path("project")
    }

    fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// A line that would read the key.
    fn attack(&self) -> String {
        format!("cat {}", self.path("keys/secret.txt").display())
    }

    /// The command that the agent calls as its hook.
    fn hook(&self, agent: &str) -> String {
        let policy = self.path("policy.toml");
        let program = env!("CARGO_BIN_EXE_ringfence");
        format!("{program} hook {agent} --policy {}", policy.display())
    }

    /// The agent in its project, with nothing of this machine's environment.
    fn agent(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.project()).env("HOME", self.home());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }
}

/// Runs an agent to its end, or to the end of our patience.
fn finish(mut command: Command) -> Output {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child.wait_with_output().unwrap()
}

/// What every agent must show: the attack is refused with the envelope in the next turn, what is
/// granted runs, and the key never reaches the model.
#[track_caller]
fn must_hold(model: &Model, site: &Site, said: &Output) {
    let said = format!(
        "{}\n{}",
        String::from_utf8_lossy(&said.stdout),
        String::from_utf8_lossy(&said.stderr)
    );
    let heard = model.heard();
    assert!(heard.len() >= 3, "{} turns:\n{said}", heard.len());
    let all = heard.join("\n");
    assert!(!all.contains(SECRET), "the key reached the model:\n{all}");
    let refused = |text: &str| text.contains("path_not_granted") && text.contains("allowed_paths");
    assert!(
        heard.iter().any(|turn| refused(turn)),
        "no envelope reached the model:\n{said}\n{all}"
    );
    let made = std::fs::read_to_string(site.project().join("made.txt"));
    assert_eq!(made.ok().as_deref(), Some("made\n"), "what is granted did not run:\n{said}\n{all}");
    assert!(all.contains("plain text of the project"), "the file was not read:\n{said}\n{all}");
}
