//! Commands that may be started.

use std::ops::Deref;
use std::path::Path;

use ringfence_guard::{NotOne, RunCommand};

use crate::command::{Command, Stdio};
use crate::door::Door;
use crate::error::Error;
use crate::permit::Permit;

/// A command with the permit to start it once.
///
/// There are two ways to one: [`Permit::command`] for a call that was judged, and
/// [`Door::permit_typed_command`] for a command that a person typed. [`run`](crate::run) and
/// [`spawn`](crate::spawn) use it up.
///
/// ```
/// use std::sync::Arc;
///
/// use ringfence::{Call, Guard, Stdio};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let project = tempfile::tempdir()?;
/// # std::fs::write(project.path().join("notes"), "hello")?;
/// let policy = "extends = [\"@workspace\"]\nallow = [\"cmd:cat:*\"]";
/// let guard = Guard::from_toml(policy, project.path())?;
///
/// let permit = guard.judge(&Call::argv(["cat", "notes"])).map_err(|refusal| refusal.error)?;
/// let command = permit.command()?.stdin(Stdio::Null).stdout(Stdio::Piped);
/// let fence = Arc::new(guard.door().fence(&command)?);
/// assert_eq!(ringfence::run(&fence, command)?.stdout, b"hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a permitted command does nothing until `run` or `spawn` takes it"]
pub struct PermittedCommand {
    command: Command,
    permit: ringfence_guard::Permit<RunCommand>,
}

impl PermittedCommand {
    /// Sets what the command reads.
    pub fn stdin(mut self, stdin: Stdio) -> PermittedCommand {
        self.command = self.command.stdin(stdin);
        self
    }

    /// Sets where the stdout of the command goes.
    pub fn stdout(mut self, stdout: Stdio) -> PermittedCommand {
        self.command = self.command.stdout(stdout);
        self
    }

    /// Sets where the stderr of the command goes.
    pub fn stderr(mut self, stderr: Stdio) -> PermittedCommand {
        self.command = self.command.stderr(stderr);
        self
    }

    /// Uses the command up: its streams, and the permit for the fence.
    pub(crate) fn into_parts(self) -> (Command, ringfence_guard::Permit<RunCommand>) {
        (self.command, self.permit)
    }
}

/// The command, for [`Door::fence`] and [`Door::plan`].
impl Deref for PermittedCommand {
    type Target = Command;

    fn deref(&self) -> &Command {
        &self.command
    }
}

impl Permit {
    /// Returns the command that the call runs, a command line or an argv, with the permit to start
    /// it once. An error if the call is another one, or if its program was not found.
    pub fn command(self) -> Result<PermittedCommand, NotOne> {
        let permit = self.0.into_command()?;
        let act = permit.act();
        let (name, arguments) = act.argv().split_first().ok_or(NotOne::Command)?;
        let mut command = Command::new(name).args(arguments).setting(act.variables());
        if let Some(agent) = act.agent() {
            command = command.agent(agent);
        }
        Ok(PermittedCommand { command, permit })
    }
}

impl Door {
    /// Permits a command that a person typed, or that the program which embeds ringfence starts on
    /// its own account. No rule is asked about its start; what it does is held by the fence.
    ///
    /// Never pass words here that an agent wrote: they are a [`Call`](crate::Call), which
    /// [`Guard::judge`](crate::Guard::judge) decides.
    pub fn permit_typed_command(&self, command: &Command) -> Result<PermittedCommand, Error> {
        let directory = Path::new(self.guard().context().cwd.as_str());
        let found = command.find(directory)?;
        let permit = self.guard().permit_typed_command(found.program, found.argv);
        Ok(PermittedCommand { command: command.clone(), permit })
    }
}
