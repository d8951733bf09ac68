//! A server's process: in the fence where the policy has a section for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ringfence::{Child, Ended, Stdio};
use ringfence_exec::Approver;
use ringfence_guard::Guard;
use ringfence_mcp::{Pipe, Process, Server};

use crate::command::run::has_gaps;
use crate::door;
use crate::exit::Failure;
use crate::show;
use crate::slow_notice::PatientLister;

/// What is to be started.
pub(super) struct Start<'a> {
    pub(super) name: &'a str,
    pub(super) words: &'a [OsString],
    pub(super) policies: &'a [PathBuf],
    /// Permits the command: a person wrote it behind `ringfence mcp --` or into the list of servers.
    pub(super) guard: &'a Guard,
    /// Who is asked where the section says so.
    pub(super) approver: Arc<dyn Approver>,
}

/// Starts a server; whether it is confined is said.
pub(super) fn start(wanted: Start<'_>) -> Result<Server, Failure> {
    let Start { name, words, policies, guard, approver } = wanted;
    let cannot =
        |error: String| Failure::new(format!("the server `{name}` cannot be started: {error}"));
    let Some((program, arguments)) = words.split_first() else {
        return Err(cannot("it has no command".to_owned()));
    };
    let command = ringfence::Command::new(program).args(arguments);
    let Some(confining) = door::open_for_server(policies, name)? else {
        show::say(&format!(
            "ringfence: nothing confines the process of `{name}`: [mcp.servers.{name}] would"
        ));
        let found = command.find(Path::new(guard.context().cwd.as_str()));
        let found = found.map_err(|error| cannot(error.to_string()))?;
        let permit = guard.permit_typed_command(found.program, found.argv);
        return Server::start(permit).map_err(|error| cannot(error.to_string()));
    };
    let command = command.stdin(Stdio::Piped).stdout(Stdio::Piped);
    let door = ringfence::Door::of(Arc::new(confining)).asking(approver);
    let planned =
        door.plan(&command, &PatientLister::new()).map_err(|error| cannot(error.to_string()))?;
    if has_gaps(&planned.plan, door.guard()) {
        return Err(cannot("its section cannot be held here".to_owned()));
    }
    let fence = Arc::new(door.fence_of(planned));
    let typed = door.permit_typed_command(&command).map_err(|error| cannot(error.to_string()))?;
    let mut child = ringfence::spawn(&fence, typed).map_err(|error| cannot(error.to_string()))?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(cannot("it has no pipes".to_owned()));
    };
    show::say(&format!("ringfence: the process of `{name}` is held to [mcp.servers.{name}]"));
    let process = Box::new(Confined(Some(child)));
    let input = Pipe::new(input).map_err(|error| cannot(error.to_string()))?;
    Ok(Server { input, output: Box::new(output), process })
}

/// A server in the fence.
struct Confined(Option<Child>);

impl Confined {
    /// Waits for its end, and says what it was refused.
    fn finish(&mut self) -> String {
        let Some(child) = self.0.take() else { return "it has ended".to_owned() };
        match child.wait() {
            Ok((ended, report)) => {
                for refused in report.refused.iter().filter(|refused| !refused.habit) {
                    show::say(&format!("ringfence: the server was refused: {}", refused.what));
                }
                match ended {
                    Ended::Exited(status) => format!("exit status: {status}"),
                    Ended::Signalled(signal) => format!("signal: {signal}"),
                    Ended::Killed => "it was ended".to_owned(),
                    Ended::TimedOut => "its time was over".to_owned(),
                    Ended::SaidTooMuch => "it said more than its limit".to_owned(),
                }
            }
            Err(error) => error.to_string(),
        }
    }
}

impl Process for Confined {
    fn ended(&mut self) -> Option<String> {
        let has_ended = self.0.as_ref().is_none_or(Child::has_ended);
        has_ended.then(|| self.finish())
    }

    fn kill(&mut self) -> String {
        if let Some(child) = &self.0 {
            child.kill();
        }
        self.finish()
    }
}
