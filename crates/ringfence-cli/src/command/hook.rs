//! `ringfence hook`: one event of an agent in, the agent's answer out.
//!
//! It never fails open. Whatever goes wrong, from bytes that are no text to a judge that does not
//! come to an end, is said in the agent's own words for "no".

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ringfence::exec::queue::{Run, fingerprints};
use ringfence::exec::{Answer as Said, Question};
use ringfence::guard::Refusal;
use ringfence::hooks::{
    Agent, Answer, Considered, Event, LIMIT, Open, Reply, answer, call_of, guarded, settle,
};

use crate::args::HookArgs;
use crate::asking::{policy, shelf, slips};
use crate::door::hook::{HookDoor, Place};
use crate::exit::{Exit, Failure};
use crate::show;
use crate::site::called;

/// The longest event that is read, in bytes.
const LONGEST: u64 = 16 << 20;

pub(crate) fn run(args: &HookArgs) -> Result<Exit, Failure> {
    let agent: Agent = args.agent.parse().map_err(|error| Failure::new(format!("{error}")))?;
    if args.setup {
        return setup(agent);
    }
    let policies = args.files.policies.clone();
    let reply = match guarded(LIMIT, move || judge(agent, &policies)) {
        Err(reason) | Ok(Err(reason)) => blocked(agent, &reason),
        Ok(Ok((event, Considered::Answered(answer)))) => agent.reply(&event, &answer),
        Ok(Ok((event, Considered::Open(open)))) => {
            let answer = ask(agent, &args.files.policies, &event, *open);
            agent.reply(&event, &answer)
        }
    };
    Ok(say(&reply))
}

/// Reads the event, and decides what it asks for.
fn judge(agent: Agent, policies: &[PathBuf]) -> Result<(Event, Considered), String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_to_end(&mut bytes);
    read.map_err(|error| format!("the agent's event cannot be read: {error}"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) >= LONGEST {
        return Err("the agent's event is too long".to_owned());
    }
    let text = std::str::from_utf8(&bytes);
    let text = text.map_err(|_| "the agent's event is not UTF-8".to_owned())?;
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let event = agent.read(text, &variable).map_err(|error| error.to_string())?;
    let place = Place { cwd: event.cwd.as_deref(), project: &event.project };
    let call = call_of(agent, &event);
    let judged = HookDoor::judge(policies, &call, &place).map_err(|own| own.message)?;
    let considered = answer(&call, &judged.judgement, &event, |asked| {
        let root = judged.context.root.as_ref().map(|own| Path::new(own.as_str()));
        let session = event.session.as_deref().unwrap_or_default();
        slips().is_ok_and(|slips| slips.take(asked, session, root).is_some())
    });
    called::note(judged.context.home.as_str(), agent, event.session.as_deref());
    // The process ends soon; taking the policy apart piece by piece would only cost time.
    std::mem::forget(judged);
    Ok((event, considered))
}

/// Asks a person, as long as the agent has patience; what the agent is told then.
fn ask(agent: Agent, policies: &[PathBuf], event: &Event, open: Open) -> Answer {
    let wait = open.wait.map_or(agent.patience(), Duration::from_secs).min(agent.patience());
    let question = Question {
        what: open.what.clone(),
        pattern: open.pattern.clone(),
        program: agent.name().to_owned(),
        why: open.why.clone(),
        exact: format!("{}\n{}", open.exact, fingerprints(&open.files)),
        refusal: None,
    };
    let session = event.session.as_deref().unwrap_or_default();
    let (Ok(shelf), Ok(policy)) = (shelf(), policy(policies)) else {
        return settle(open, false, None);
    };
    if let Some(said) = shelf.given(&question, session) {
        return settle(open, said.is_yes(), None);
    }
    let directory = event.cwd.clone().unwrap_or_default();
    let run = Run { pid: std::process::id(), command: agent.name().to_owned(), directory, policy };
    let Ok(id) = shelf.put(&run, &question, session) else { return settle(open, false, None) };
    match shelf.wait(&question, session, wait) {
        // What the call reads may have changed while the question waited.
        Some(said) if said != Said::No => {
            let now = format!("{}\n{}", open.exact, fingerprints(&open.files));
            settle(open, now == question.exact, None)
        }
        Some(_) => settle(open, false, None),
        None => settle(open, false, Some(id)),
    }
}

fn blocked(agent: Agent, reason: &str) -> Reply {
    agent.block(&Refusal::failed(reason).to_json().to_string())
}

/// Says it; an agent that cannot be told is told by the status.
fn say(reply: &Reply) -> Exit {
    let mut out = std::io::stdout().lock();
    let said = out.write_all(reply.stdout.as_bytes()).and_then(|()| out.flush());
    if !reply.stderr.is_empty() {
        show::say(&reply.stderr);
    }
    if said.is_err() { Exit::Error } else { Exit::As(reply.status) }
}

/// Prints what makes the agent call this program.
fn setup(agent: Agent) -> Result<Exit, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::new(format!("it cannot be told where ringfence is: {error}")))?;
    let program = program.to_str().ok_or("the path of ringfence is not UTF-8".to_owned())?;
    let setup = agent.setup(program);
    show::say(&format!("note: this belongs in ~/{}", setup.path));
    let _ = std::io::stdout().lock().write_all(setup.text.as_bytes());
    Ok(Exit::Allow)
}
