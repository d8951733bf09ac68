//! A project with a policy, for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ringfence::{Approver, Command, Door, Error, Fence, PermittedCommand, Stdio};
use ringfence_exec::{ApprovalAnswer, ApprovalQuestion};
use ringfence_guard::Guard;

pub(super) struct Project {
    directory: tempfile::TempDir,
    door: Door,
}

impl Project {
    pub(super) fn new() -> Project {
        Project::with("")
    }

    /// Creates a project whose policy has these additional lines.
    pub(super) fn with(more: &str) -> Project {
        Project::of(&format!("extends = [\"@workspace\"]\nallow = [\"cmd:*\"]\n{more}"))
    }

    /// Creates a project with this policy.
    pub(super) fn of(policy: &str) -> Project {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        fs::write(root.join("policy.toml"), policy).unwrap();
        let door = Door::open(&root, [root.join("policy.toml")]).unwrap();
        Project { directory, door }
    }

    /// Sets the approver.
    pub(super) fn asking(mut self, approver: Arc<dyn Approver>) -> Project {
        self.door = self.door.asking(approver);
        self
    }

    pub(super) fn guard(&self) -> &Guard {
        self.door.guard()
    }

    pub(super) fn root(&self) -> PathBuf {
        self.directory.path().canonicalize().unwrap()
    }

    pub(super) fn fence(&self, command: &Command) -> Arc<Fence> {
        Arc::new(self.door.fence(command).unwrap())
    }

    /// The command, which whoever wrote the test has typed.
    pub(super) fn typed(&self, command: &Command) -> PermittedCommand {
        self.try_typed(command).unwrap()
    }

    pub(super) fn try_typed(&self, command: &Command) -> Result<PermittedCommand, Error> {
        self.door.permit_typed_command(command)
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// An approver that says yes and records the questions.
#[derive(Default)]
pub(super) struct Yes(Mutex<Vec<String>>);

impl Yes {
    pub(super) fn asked(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Approver for Yes {
    fn ask(&self, question: &ApprovalQuestion) -> ApprovalAnswer {
        self.0.lock().unwrap().push(question.what.clone());
        ApprovalAnswer::Once
    }
}

/// Returns a shell command with piped streams.
pub(super) fn sh(line: &str) -> Command {
    let command = Command::new("sh").args(["-c", line]);
    command.stdin(Stdio::Piped).stdout(Stdio::Piped).stderr(Stdio::Piped)
}
