//! `ringfence run --session NAME`: a command enters a fence that others are in.

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use ringfence_exec::session::{
    Binding, Client, Conversation, EnteredBy, Hello, Outcome, SessionClientError, SessionName,
    SessionPlace,
};
use ringfence_guard::world::RealHost;
use ringfence_sandbox::session::{Bounds, Entry, EntryTerminal};
use ringfence_sandbox::{Command, detach};
use rustix::fs::Mode;
use rustix::process::umask;

use super::report::ReportFile;
use super::{NOT_FOUND, UNCONFINED, find, status, tell, write_down};
use crate::args::RunArgs;
use crate::asking::must_be_a_person;
use crate::command::session::{READY, binding, ended_with, named, place, unreached};
use crate::door;
use crate::exit::{Exit, Failure};
use crate::show;

/// How often a session is made anew that ends while a command is about to enter.
const TRIES: usize = 5;

/// Runs a command in the session of this name.
pub(super) fn enter(args: &RunArgs, name: &str, agent: Option<&str>) -> Result<Exit, Failure> {
    let name = named(name)?;
    let host = RealHost::new();
    let draft = door::draft(&host, &args.files.policies)?;
    let Some((_, command)) = find(&args.command)? else { return Ok(Exit::As(NOT_FOUND)) };
    let place = place(&host)?;
    let own = binding(&draft, agent)?;
    let report_file = args.report.as_deref().map(ReportFile::open).transpose()?;
    let start = SessionStart {
        policies: &args.files.policies,
        agent,
        asks: args.ask || std::io::stderr().is_terminal(),
        idle: args.session.idle,
        until: args.session.until,
        project: None,
    };
    let Some(conversation) = open(&start, &place, &name, &own)? else {
        return Ok(Exit::As(UNCONFINED));
    };
    let is_typed = !args.session.judged && must_be_a_person().is_ok();
    let by = if is_typed { EnteredBy::Person } else { EnteredBy::Program };
    let outcome = conversation.run(entry(&command)?, by, None);
    let Outcome { ended, report } = outcome.map_err(unreached)?;
    write_down(&report, &command);
    tell::refused(&report);
    if let Some(file) = report_file {
        file.write(&report)?;
    }
    Ok(Exit::As(status(&ended)))
}

/// With what a session is made if there is none.
pub(crate) struct SessionStart<'a> {
    pub(crate) policies: &'a [PathBuf],
    pub(crate) agent: Option<&'a str>,
    /// Whether questions wait for answers.
    pub(crate) asks: bool,
    pub(crate) idle: u64,
    pub(crate) until: Option<i32>,
    /// The project, where an agent named it.
    pub(crate) project: Option<&'a Path>,
}

/// Says hello to the session, which is made if there is none. `None` if it could not be made, which was
/// said.
pub(crate) fn open(
    start: &SessionStart<'_>,
    place: &SessionPlace,
    name: &SessionName,
    own: &Binding,
) -> Result<Option<Conversation>, Failure> {
    for _ in 0..TRIES {
        let client = match connect(start, place, name)? {
            Reached::Session(client) => client,
            Reached::Gone => continue,
            Reached::NotMade => return Ok(None),
        };
        match client.hello(own) {
            Ok(Hello::Welcome(conversation)) => return Ok(Some(conversation)),
            Ok(Hello::Renewed(processes)) => {
                show::say("ringfence: the policy changed; the session begins anew");
                ended_with(&processes).iter().for_each(|line| show::say(line));
            }
            // It ended before it answered.
            Err(SessionClientError::Gone) => {}
            Err(SessionClientError::Refused(reason)) => {
                show::failure(&refusal(name, &reason));
                return Ok(None);
            }
            Err(error) => return Err(unreached(error)),
        }
    }
    Err(Failure::new(format!("session `{}` ends again and again", name.as_str())))
}

fn refusal(name: &SessionName, reason: &str) -> Failure {
    let name = name.as_str();
    Failure::new(format!("session `{name}` cannot be entered: {reason}"))
        .hint(format!("take another name, or end it with `ringfence session end {name}`"))
}

/// The result of connecting to a session.
enum Reached {
    Session(Client),
    /// The session ended before the client could connect.
    Gone,
    /// The session could not be made. The reason was printed.
    NotMade,
}

/// Connects to the session; begins it where nobody listens.
fn connect(
    start: &SessionStart<'_>,
    place: &SessionPlace,
    name: &SessionName,
) -> Result<Reached, Failure> {
    if let Some(client) = Client::connect(place, name).map_err(unreached)? {
        return Ok(Reached::Session(client));
    }
    let locked = |error: std::io::Error| Failure::new(format!("no session can be made: {error}"));
    let _lock = place.lock(name).map_err(locked)?;
    // Somebody else may have made it meanwhile.
    if let Some(client) = Client::connect(place, name).map_err(unreached)? {
        return Ok(Reached::Session(client));
    }
    if let Some(word) = place.take_word(name) {
        let word = ringfence_guard::redact::visible(&word).into_owned();
        show::say(&format!("ringfence: session `{}` had ended: {word}", name.as_str()));
    }
    if !begin(start, name)? {
        return Ok(Reached::NotMade);
    }
    let client = Client::connect(place, name).map_err(unreached)?;
    Ok(client.map_or(Reached::Gone, Reached::Session))
}

/// Starts the supervisor; whether commands can enter.
fn begin(start: &SessionStart<'_>, name: &SessionName) -> Result<bool, Failure> {
    let broken = |error: std::io::Error| Failure::new(format!("no session can be made: {error}"));
    let program = std::env::current_exe().map_err(broken)?;
    let mut supervisor = std::process::Command::new(program);
    supervisor.args(["session", "serve", "--name", name.as_str()]);
    for policy in start.policies {
        supervisor.arg("--policy").arg(policy);
    }
    if let Some(agent) = start.agent {
        supervisor.args(["--agent", agent]);
    }
    if start.asks {
        supervisor.arg("--ask");
    }
    supervisor.args(["--idle", &start.idle.to_string()]);
    if let Some(project) = start.project {
        supervisor.arg("--project").arg(project);
    }
    if let Some(pid) = start.until {
        supervisor.args(["--until", &pid.to_string()]);
    }
    supervisor.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut supervisor = detach(&mut supervisor).spawn().map_err(broken)?;
    let mut said = String::new();
    if let Some(mut stdout) = supervisor.stdout.take() {
        stdout.read_to_string(&mut said).map_err(broken)?;
    }
    if said == READY {
        return Ok(true);
    }
    if !said.is_empty() {
        show::failure(&Failure::new(said.trim_end().to_owned()));
    }
    Ok(false)
}

/// Returns what a command is started with: the policy chooses among the variables later.
pub(crate) fn entry(command: &Command) -> Result<Entry, Failure> {
    let variables = std::env::vars_os().map(|(name, value)| {
        let mut both: OsString = name;
        both.push("=");
        both.push(value);
        both
    });
    let cwd = std::env::current_dir().map_err(|error| error.to_string())?;
    // The only way to read it is to set it.
    let mask = umask(Mode::empty());
    umask(mask);
    Ok(Entry {
        bounds: Bounds::own(),
        program: command.program.clone(),
        argv: command.argv.clone(),
        variables: variables.collect(),
        cwd,
        umask: mask.as_raw_mode(),
        terminal: EntryTerminal::None,
    })
}
