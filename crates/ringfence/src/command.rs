//! The description of a command to run in a fence.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ringfence_sandbox::{Command as Found, Streams};

use crate::error::Error;

/// A command to run in a fence: arguments, candidate environment variables and standard streams.
#[derive(Debug, Clone)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
    variables: Option<Vec<(OsString, OsString)>>,
    pub(crate) agent: Option<String>,
    pub(crate) tool: Option<String>,
    stdin: Stdio,
    stdout: Stdio,
    stderr: Stdio,
}

/// The configuration of one standard stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdio {
    /// Inherits the stream of this process.
    #[default]
    Inherit,
    /// `/dev/null`.
    Null,
    /// A pipe; the handle has its other end.
    Piped,
}

impl Command {
    /// Makes a command from a program: a path, or a name that is looked up in `PATH`.
    pub fn new(program: impl AsRef<OsStr>) -> Command {
        Command {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            variables: None,
            agent: None,
            tool: None,
            stdin: Stdio::Inherit,
            stdout: Stdio::Inherit,
            stderr: Stdio::Inherit,
        }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Command {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|own| own.as_ref().to_owned()));
        self
    }

    /// Sets the environment variables from which the policy selects. The default is the environment of
    /// this process.
    #[must_use]
    pub fn variables<N: AsRef<OsStr>, V: AsRef<OsStr>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Command {
        let own = |(name, value): (N, V)| (name.as_ref().to_owned(), value.as_ref().to_owned());
        self.variables = Some(variables.into_iter().map(own).collect());
        self
    }

    /// Sets the agent for which the command runs: rules for that agent apply.
    #[must_use]
    pub fn agent(mut self, name: impl Into<String>) -> Command {
        self.agent = Some(name.into());
        self
    }

    /// Sets the tool whose call the command is: rules for that tool and its kind apply to the run.
    #[must_use]
    pub fn tool(mut self, name: impl Into<String>) -> Command {
        self.tool = Some(name.into());
        self
    }

    /// Configures stdin.
    #[must_use]
    pub fn stdin(mut self, stdin: Stdio) -> Command {
        self.stdin = stdin;
        self
    }

    /// Configures stdout.
    #[must_use]
    pub fn stdout(mut self, stdout: Stdio) -> Command {
        self.stdout = stdout;
        self
    }

    /// Configures stderr.
    #[must_use]
    pub fn stderr(mut self, stderr: Stdio) -> Command {
        self.stderr = stderr;
        self
    }

    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let own = || env::vars_os().collect();
        let variables = self.variables.clone().unwrap_or_else(own);
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        variables.into_iter().filter_map(text).collect()
    }

    /// Returns `argv` if every word is UTF-8.
    pub(crate) fn words(&self) -> Option<Vec<String>> {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words.map(|word| word.to_str().map(str::to_owned)).collect()
    }

    /// Sets variables in addition to the candidates.
    pub(crate) fn setting(mut self, set: &[(String, String)]) -> Command {
        if !set.is_empty() {
            let mut own = self.variables.take().unwrap_or_else(|| env::vars_os().collect());
            own.retain(|(known, _)| set.iter().all(|(name, _)| name.as_str() != known));
            own.extend(set.iter().map(|(name, value)| (name.into(), value.into())));
            self.variables = Some(own);
        }
        self
    }

    /// Looks the program up from a directory, and returns it with `argv`.
    pub fn find(&self, directory: &Path) -> Result<Found, Error> {
        let name = Path::new(&self.program);
        let path = || match &self.variables {
            None => env::var_os("PATH"),
            Some(own) => own.iter().find(|(name, _)| name == "PATH").map(|own| own.1.clone()),
        };
        let program = match self.program.as_encoded_bytes().contains(&b'/') {
            true => Some(directory.join(name)),
            false => env::split_paths(&path().unwrap_or_default())
                .map(|from| directory.join(from).join(name))
                .find(|path| is_program(path)),
        };
        let program = program.filter(|path| path.exists());
        let program = program.ok_or_else(|| Error::NotFound(PathBuf::from(&self.program)))?;
        let words = std::iter::once(self.program.clone()).chain(self.arguments.iter().cloned());
        Ok(Found { program, argv: words.collect() })
    }

    /// Returns the streams for the command, and the other ends of its pipes for the caller.
    pub(crate) fn streams(&self) -> io::Result<(Streams, Pipes)> {
        let (stdin, input) = reading(self.stdin)?;
        let (stdout, output) = writing(self.stdout)?;
        let (stderr, complaints) = writing(self.stderr)?;
        let pipes = Pipes { stdin: input, stdout: output, stderr: complaints };
        Ok((Streams { stdin, stdout, stderr }, pipes))
    }
}

/// The caller's ends of a command's pipes.
#[derive(Debug, Default)]
pub(crate) struct Pipes {
    pub(crate) stdin: Option<PipeWriter>,
    pub(crate) stdout: Option<PipeReader>,
    pub(crate) stderr: Option<PipeReader>,
}

fn reading(stream: Stdio) -> io::Result<(Option<OwnedFd>, Option<PipeWriter>)> {
    Ok(match stream {
        Stdio::Inherit => (None, None),
        Stdio::Null => (Some(File::open("/dev/null")?.into()), None),
        Stdio::Piped => {
            let (there, here) = io::pipe()?;
            (Some(there.into()), Some(here))
        }
    })
}

fn writing(stream: Stdio) -> io::Result<(Option<OwnedFd>, Option<PipeReader>)> {
    Ok(match stream {
        Stdio::Inherit => (None, None),
        Stdio::Null => (Some(File::options().write(true).open("/dev/null")?.into()), None),
        Stdio::Piped => {
            let (here, there) = io::pipe()?;
            (Some(there.into()), Some(here))
        }
    })
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
