//! A server that runs, confined or not.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use ringfence_guard::{Permit, RunCommand};
use ringfence_sandbox::tether;

use crate::pipe::Pipe;

/// A server that runs: its two pipes, and the process.
pub struct Server {
    /// What it reads.
    pub input: Pipe,
    /// What it says.
    pub output: Box<dyn Read + Send>,
    /// The process.
    pub process: Box<dyn Process>,
}

/// A process that can be waited for, and ended.
pub trait Process: Send {
    /// How it ended, where it has.
    fn ended(&mut self) -> Option<String>;

    /// Ends it, with all that it started; how it ended.
    fn kill(&mut self) -> String;
}

/// How often a process is looked at that is to end.
const LOOK: Duration = Duration::from_millis(15);

impl Server {
    /// Starts the command of a permit as a server that nothing confines. It has the variables of
    /// this process, and ends with the thread that starts it at the latest.
    pub fn start(permit: Permit<RunCommand>) -> io::Result<Server> {
        let act = permit.into_act();
        let mut command = Command::new(act.program());
        if let Some((name, arguments)) = act.argv().split_first() {
            command.arg0(name).args(arguments);
        }
        command.envs(act.variables().iter().map(|(name, value)| (name, value)));
        command.current_dir(act.directory().as_str());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = tether(piped).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no pipes"));
        };
        let input = Pipe::new(input)?;
        Ok(Server { input, output: Box::new(output), process: Box::new(child) })
    }
}

/// Waits for a process that has no reason to go on, and ends it where it does not; how it ended.
pub(crate) fn part(process: &mut dyn Process, patience: Duration) -> String {
    let begun = Instant::now();
    loop {
        if let Some(ended) = process.ended() {
            return ended;
        }
        if begun.elapsed() >= patience {
            return process.kill();
        }
        thread::sleep(LOOK);
    }
}

impl Process for Child {
    fn ended(&mut self) -> Option<String> {
        self.try_wait().ok().flatten().map(|status| status.to_string())
    }

    fn kill(&mut self) -> String {
        // One that cannot be ended has ended.
        let _ = Child::kill(self);
        self.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}
