//! `ringfence fenced`: redeems a ticket. A shell line that a hook has allowed runs in the fence of the
//! agent's session.
//!
//! The line is judged again. Nothing of it is ever a part of a command line outside the fence.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use ringfence_core::Effect;
use ringfence_exec::Report;
use ringfence_exec::session::{EnteredBy, Outcome};
use ringfence_exec::tickets::{Ticket, TicketId, TicketStore};
use ringfence_guard::redact::{redact, visible};
use ringfence_guard::world::RealHost;
use ringfence_guard::{Action, Call, Refusal, policy_text};
use ringfence_hooks::AgentProject;
use ringfence_sandbox::Command;
use ringfence_sandbox::session::LAST_DIRECTORY;

use crate::args::session::FencedArgs;
use crate::command::hook::fence::{in_session, keeps_directory};
use crate::command::run::session::{SessionStart, entry, open};
use crate::command::run::{STATE, UNCONFINED, status, write_down};
use crate::command::session::{binding, documents_of, named, place, unreached};
use crate::door::hook::{Place, open_hook};
use crate::exit::{Exit, Failure};
use crate::show;
use crate::site::called;

/// After how many seconds without a command the session of an agent ends.
const IDLE: u64 = 3600;
/// Refused.
const REFUSED: u8 = 126;
/// The longest directory that is told to the agent's shell, in bytes.
const LONGEST_DIRECTORY: u64 = 4096;
/// The descriptor on which the agent's shell reads where the command ended.
const TELL_DIRECTORY: &str = "/proc/self/fd/3";

pub(crate) fn run(args: &FencedArgs) -> Result<Exit, Failure> {
    if called::may_be_in_run() {
        return Err(Failure::new("a call of a hook begins outside of every fence"));
    }
    let host = RealHost::new();
    let user = host.user().ok_or_else(|| Failure::new("this user has no home directory"))?;
    let state = PathBuf::from(user.home.as_str()).join(STATE);
    let id = TicketId::new(&args.ticket).ok_or_else(|| Failure::new("this is no ticket"))?;
    let unusable = |error: &dyn std::fmt::Display| {
        Failure::new(format!("the command did not run: {error}")).hint("make the call again")
    };
    let store = TicketStore::open(&state).map_err(|error| unusable(&error))?;
    let ticket = store.claim(&id, std::process::id()).map_err(|error| unusable(&error))?;
    match judge_again(&host, &ticket)? {
        Again::Refused(refusal) => {
            show::say(&format!("ringfence: {}", refusal.to_json()));
            Ok(Exit::As(REFUSED))
        }
        Again::Allowed { asks } => enter(&host, &ticket, asks),
    }
}

/// What came of judging a call again.
enum Again {
    /// It may run. In its session, questions wait for a person or are refused at once.
    Allowed { asks: bool },
    /// It is not allowed any more.
    Refused(Box<Refusal>),
}

/// Judges the call as its hook did.
fn judge_again(host: &RealHost, ticket: &Ticket) -> Result<Again, Failure> {
    let cwd = ticket.cwd.as_deref().unwrap_or(&ticket.project);
    let real = |path: &Path| path.canonicalize().map_err(|error| Failure::new(error.to_string()));
    let here = std::env::current_dir().map_err(|error| Failure::new(error.to_string()))?;
    if real(&here)? != real(Path::new(cwd))? {
        return Err(Failure::new("the command did not run: it began in another directory")
            .hint("make the call again"));
    }
    let project = AgentProject::Named(ticket.project.clone());
    let place = Place { cwd: Some(cwd), project: &project };
    let guard = open_hook(&ticket.policies, &place)?;
    let (name, input) = ticket.tool.clone();
    let action = Action::Tool { name, input };
    let call =
        Call { agent: Some(ticket.agent.as_str().into()), cwd: Some(cwd.to_owned()), action };
    let judgement = in_session(&guard).consider(&call);
    if judgement.verdict.effect != Effect::Allow {
        return Ok(Again::Refused(Box::new(Refusal::new(&call, &judgement))));
    }
    let draft = documents_of(host, &ticket.policies, Some(Path::new(&ticket.project)))?;
    if binding(&draft, Some(&ticket.agent))?.policy != ticket.revision {
        return Err(Failure::new("the command did not run: the policy has changed meanwhile")
            .hint("make the call again"));
    }
    Ok(Again::Allowed { asks: judgement.policy.settings().hooks.wait != Some(0) })
}

/// Runs the line in the session of its agent.
fn enter(host: &RealHost, ticket: &Ticket, asks: bool) -> Result<Exit, Failure> {
    let project = Path::new(&ticket.project);
    let draft = documents_of(host, &ticket.policies, Some(project))?;
    let own = binding(&draft, Some(&ticket.agent))?;
    let start = SessionStart {
        policies: &ticket.policies,
        agent: Some(&ticket.agent),
        asks,
        idle: IDLE,
        until: i32::try_from(ticket.owner.pid).ok(),
        project: Some(project),
    };
    let (place, name) = (place(host)?, named(&ticket.session)?);
    let Some(conversation) = open(&start, &place, &name, &own)? else {
        return Ok(Exit::As(UNCONFINED));
    };
    let command = shell(&ticket.line, keeps_directory(&ticket.agent));
    let broken = |error: std::io::Error| Failure::new(error.to_string());
    let (ends, theirs) = std::io::pipe().map_err(broken)?;
    let outcome = conversation.run(entry(&command)?, EnteredBy::Hook, Some(OwnedFd::from(theirs)));
    let Outcome { ended, report } = outcome.map_err(unreached)?;
    let status = status(&ended);
    if status == 0 && keeps_directory(&ticket.agent) {
        tell_directory(OwnedFd::from(ends));
    }
    write_down(&report, &Command { program: command.program, argv: vec![(&ticket.line).into()] });
    tell_refusals(&report);
    Ok(Exit::As(status))
}

/// Returns the shell that runs a line. bash reads it as the judge does. It is told on which descriptor it
/// says where the line ended; what the line starts does not have that descriptor.
fn shell(line: &str, keeps_directory: bool) -> Command {
    let bash = ["/bin/bash", "/usr/bin/bash"].into_iter().find(|path| Path::new(path).exists());
    let Some(bash) = bash else {
        return Command {
            program: "/bin/sh".into(),
            argv: ["sh", "-c", line].map(Into::into).into(),
        };
    };
    let text = match keeps_directory {
        false => line.to_owned(),
        true => {
            let quoted = line.replace('\'', r"'\''");
            format!("eval '{quoted}' {LAST_DIRECTORY}>&- && pwd -P >&{LAST_DIRECTORY}")
        }
    };
    Command { program: bash.into(), argv: ["bash", "-c", &text].map(Into::into).into() }
}

/// Hands the directory in which the command ended to the agent's shell: one line, an absolute path. What
/// is anything else is not handed on.
fn tell_directory(ends: OwnedFd) {
    // Something inside may keep its end; nobody waits for that.
    let flags = rustix::fs::OFlags::NONBLOCK;
    if rustix::fs::fcntl_setfl(&ends, flags).is_err() {
        return;
    }
    let mut bytes = Vec::new();
    // What was written is there, whether the end was seen or not.
    let _ = File::from(ends).take(LONGEST_DIRECTORY).read_to_end(&mut bytes);
    let Some(directory) = directory_in(&bytes) else { return };
    if let Ok(mut told) = File::options().write(true).open(TELL_DIRECTORY) {
        let _ = told.write_all(directory.as_bytes());
    }
}

/// Reads what a shell wrote of its directory.
fn directory_in(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let is_path = text.starts_with('/') && !text.chars().any(char::is_control);
    is_path.then_some(text)
}

/// Tells the model in two lines what was refused, and what would grant it.
fn tell_refusals(report: &Report) {
    let mut refused = report.refused.iter().filter(|own| !own.habit && !own.observed);
    let Some(first) = refused.next() else { return };
    let more = match refused.count() {
        0 => String::new(),
        more => format!(" (and {more} more: `ringfence log`)"),
    };
    let said = |text: &str| visible(&redact(text)).into_owned();
    show::say(&format!("ringfence refused: {}: {}{more}", said(&first.what), said(&first.why)));
    let help = match &first.grant {
        Some(grant) => {
            let list = &first.list;
            format!("a person can grant it in the policy with {list} = [{}]", policy_text(grant))
        }
        None => "no rule can grant it; do it in another way".to_owned(),
    };
    show::say(&format!("ringfence: {}", said(&help)));
}

#[cfg(test)]
#[path = "fenced_tests.rs"]
mod tests;
