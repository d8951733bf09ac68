//! `ringfence session`: the fences that many commands enter.

mod policy;
mod serve;

use std::path::PathBuf;

use ringfence_exec::session::{
    Client, RunningCommand, SessionClientError, SessionInfo, SessionName, SessionPlace,
};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::world::RealHost;

use crate::args::SessionArgs;
use crate::args::session::SessionVerb;
use crate::asking::must_be_a_person;
use crate::command::run::STATE;
use crate::exit::{Exit, Failure};
use crate::show;

pub(crate) use policy::binding;
pub(crate) use serve::READY;

pub(crate) fn run(args: &SessionArgs) -> Result<Exit, Failure> {
    match &args.verb {
        SessionVerb::List { json } => list(*json),
        SessionVerb::Show { name, json } => show_one(name, *json),
        SessionVerb::End { name } => end(name),
        SessionVerb::Serve(args) => serve::run(args),
        SessionVerb::Launch => {
            let launched = ringfence_sandbox::session::launch();
            launched.map(|()| Exit::Allow).map_err(|error| Failure::new(error.to_string()))
        }
    }
}

/// Opens the directory in which this user's sessions listen.
pub(crate) fn place(host: &RealHost) -> Result<SessionPlace, Failure> {
    let user = host.user().ok_or_else(|| Failure::new("this user has no home directory"))?;
    let state = PathBuf::from(user.home.as_str()).join(STATE);
    SessionPlace::open(&state)
        .map_err(|error| Failure::new(format!("sessions cannot be reached: {error}")))
}

/// Reads the name of a session.
pub(crate) fn named(name: &str) -> Result<SessionName, Failure> {
    SessionName::new(name).ok_or_else(|| {
        Failure::new(format!("`{}` is no name of a session", visible(name)))
            .hint("a name has letters, digits, `.`, `_` and `-`, and begins with a letter or digit")
    })
}

fn list(json: bool) -> Result<Exit, Failure> {
    let place = place(&RealHost::new())?;
    let (sessions, unreachable) = place.list().map_err(|error| error.to_string())?;
    unreachable.iter().for_each(|reason| show::say(&format!("note: {}", visible(reason))));
    if json {
        show::print(&serde_json::to_string_pretty(&sessions).map_err(|error| error.to_string())?);
        return Ok(Exit::Allow);
    }
    if sessions.is_empty() {
        show::say("no session is open");
    }
    sessions.iter().for_each(|own| show::print(&line(own)));
    Ok(Exit::Allow)
}

/// Describes a session in one line.
fn line(own: &SessionInfo) -> String {
    let state = match own.idle {
        None => format!("{} running", own.commands.len()),
        Some(idle) => format!("idle for {}", time(idle)),
    };
    let inside = own.processes.len();
    format!("{}  {}  {state}, {inside} inside", own.name, visible(&own.binding.root))
}

/// Returns a time in words.
fn time(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

/// Connects to a session. That there is none is said.
fn connect(name: &str) -> Result<Option<Client>, Failure> {
    let place = place(&RealHost::new())?;
    let client = Client::connect(&place, &named(name)?).map_err(unreached)?;
    if client.is_none() {
        show::say(&format!("no session `{name}` is open"));
        show::say("hint: `ringfence session list` lists those that are");
    }
    Ok(client)
}

pub(crate) fn unreached(error: SessionClientError) -> Failure {
    Failure::new(visible(&error.to_string()))
}

fn show_one(name: &str, json: bool) -> Result<Exit, Failure> {
    let Some(client) = connect(name)? else { return Ok(Exit::Failed) };
    let info = client.show().map_err(unreached)?;
    if json {
        show::print(&serde_json::to_string_pretty(&info).map_err(|error| error.to_string())?);
        return Ok(Exit::Allow);
    }
    let agent = info.binding.agent.as_deref().unwrap_or("none");
    let policy: String = info.binding.policy.chars().take(12).collect();
    show::print(&format!("session  {}", info.name));
    show::print(&format!("root     {}", visible(&info.binding.root)));
    show::print(&format!("agent    {}", visible(agent)));
    show::print(&format!("policy   {policy}"));
    show::print(&format!("open     for {}, {} commands entered", time(info.age), info.entered));
    let limit = time(info.idle_limit);
    match info.idle {
        Some(idle) => show::print(&format!("idle     for {}; ends after {limit}", time(idle))),
        None => show::print(&format!("idle     no; ends after {limit} without a command")),
    }
    info.commands.iter().for_each(|own| show::print(&format!("running  {}", process(own))));
    info.processes.iter().for_each(|own| show::print(&format!("inside   {}", process(own))));
    Ok(Exit::Allow)
}

fn process(own: &RunningCommand) -> String {
    format!("{} {}", own.pid, visible(&redact(&own.command)))
}

fn end(name: &str) -> Result<Exit, Failure> {
    must_be_a_person()?;
    let Some(client) = connect(name)? else { return Ok(Exit::Failed) };
    let processes = client.end().map_err(unreached)?;
    show::print(&format!("session `{name}` has ended"));
    ended_with(&processes).iter().for_each(|line| show::print(line));
    Ok(Exit::Allow)
}

/// Names the processes that ended with a session.
pub(crate) fn ended_with(processes: &[RunningCommand]) -> Vec<String> {
    processes.iter().map(|own| format!("  ended with it: {}", process(own))).collect()
}
