//! The permit to start one command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use ringfence_core::path::AbsPath;

use super::{Permit, PermitBasis};
use crate::call::{Action, Call};
use crate::guard::Guard;
use crate::resolve::{self, Surroundings};

/// The act of starting one command.
#[derive(Debug)]
pub struct RunCommand {
    program: PathBuf,
    argv: Vec<OsString>,
    variables: Vec<(String, String)>,
    directory: AbsPath,
    agent: Option<Arc<str>>,
}

impl RunCommand {
    /// Returns the file of the program.
    pub fn program(&self) -> &PathBuf {
        &self.program
    }

    /// Returns all words, `argv[0]` included.
    pub fn argv(&self) -> &[OsString] {
        &self.argv
    }

    /// Returns the variables that the call sets for the command.
    pub fn variables(&self) -> &[(String, String)] {
        &self.variables
    }

    /// Returns the directory in which the command starts.
    pub fn directory(&self) -> &AbsPath {
        &self.directory
    }

    /// Returns the agent that runs the command, if it was judged for one.
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }

    /// Returns the command that a call runs; `None` if the call is not a command line or an argv,
    /// or if its program cannot be found.
    pub(super) fn of(call: &Call, around: &Surroundings<'_>) -> Option<RunCommand> {
        let (argv, variables) = match &call.action {
            Action::Argv { argv, env } => (argv.clone(), env.clone()),
            Action::Line { line, shell } => {
                let shell = shell.as_deref().unwrap_or("bash");
                (vec![shell.to_owned(), "-c".to_owned(), line.clone()], Vec::new())
            }
            _ => return None,
        };
        let (program, directory) = resolve::program_of(call, argv.first()?, around)?;
        let argv = argv.into_iter().map(OsString::from).collect();
        let (program, agent) = (program.as_str().into(), call.agent.clone());
        Some(RunCommand { program, argv, variables, directory, agent })
    }
}

impl Guard {
    /// Permits the command that a person typed, to be run in the directory of this guard: behind
    /// `ringfence run --` or `ringfence mcp --`, or in the program that embeds ringfence.
    ///
    /// That person grants the command itself, so no rule is asked about its start. What it does
    /// afterwards is held by the fence. Never call this with words that an agent wrote: they are a
    /// [`Call`], which [`Guard::judge`] decides.
    pub fn permit_typed_command(
        &self,
        program: impl Into<PathBuf>,
        argv: Vec<OsString>,
    ) -> Permit<RunCommand> {
        Permit::new(self.command_here(program.into(), argv), PermitBasis::Typed)
    }

    /// Permits ringfence itself, as the launcher from which the commands of a session are forked.
    ///
    /// The launcher does nothing of its own. Each command that enters is judged at its exec.
    pub fn permit_launcher(
        &self,
        program: impl Into<PathBuf>,
        argv: Vec<OsString>,
    ) -> Permit<RunCommand> {
        Permit::new(self.command_here(program.into(), argv), PermitBasis::Launcher)
    }

    fn command_here(&self, program: PathBuf, argv: Vec<OsString>) -> RunCommand {
        let directory = self.context().cwd.clone();
        RunCommand { program, argv, variables: Vec::new(), directory, agent: None }
    }
}
