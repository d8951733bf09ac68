//! `ringfence hook`: one event of an agent in, the agent's answer out.
//!
//! It never fails open. Whatever goes wrong, from bytes that are no text to a judge that does not
//! come to an end, is said in the agent's own words for "no".

mod agent_version;
mod ask;
pub(crate) mod fence;
pub(crate) mod outside;
pub(crate) mod own_rules;

use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use ringfence_exec::refusal_log::{LogEntry, RefusingDoor};
use ringfence_guard::Refusal;
use ringfence_hooks::{
    Agent, AgentPrompt, HookAnswer, HookEvent, HookOutcome, HookReply, JUDGE_TIMEOUT,
    SAMPLE_SESSION, catch_panic, judge_event_unless, timeout_message,
};
use ringfence_sandbox::{Deadline, LastWord};

use crate::args::HookArgs;
use crate::asking::slips;
use crate::diary;
use crate::door::hook::{Place, open_hook};
use crate::exit::{Exit, Failure};
use crate::show;
use crate::site::called;
use crate::site::servers::known;
use ask::{Asker, ask};
use fence::Fenceable;

/// The longest event that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// An event, and what came of it.
struct Heard {
    text: String,
    event: HookEvent,
    considered: Considered,
}

/// What came of an event.
enum Considered {
    /// The call runs in the fence; this tells the agent so.
    Fenced(HookReply),
    /// The call is answered as without a fence.
    Outcome(HookOutcome),
}

pub(crate) fn run(args: &HookArgs) -> Result<Exit, Failure> {
    let agent: Agent = args.agent.parse().map_err(|error| Failure::new(format!("{error}")))?;
    if args.setup {
        return setup(agent);
    }
    let judged = match Deadline::set(
        JUDGE_TIMEOUT,
        last_word(&blocked(agent, &timeout_message(JUDGE_TIMEOUT))),
    ) {
        Ok(deadline) => {
            let judged = catch_panic(|| judge(agent, &args.files.policies));
            deadline.lift();
            judged
        }
        Err(error) => Err(format!("the time of judging cannot be limited: {error}")),
    };
    let reply = match judged {
        Err(reason) | Ok(Err(reason)) => blocked(agent, &reason),
        Ok(Ok(Heard { text, event, considered })) => {
            let asker = Asker { agent, policies: &args.files.policies, text: &text, event: &event };
            match considered {
                Considered::Fenced(reply) => reply,
                Considered::Outcome(outcome) => agent.reply(&event, &answer(&asker, outcome)),
            }
        }
    };
    Ok(say(&reply))
}

/// What the agent is told. What is refused is written down first.
fn answer(asker: &Asker<'_>, considered: HookOutcome) -> HookAnswer {
    let refusal = match considered {
        HookOutcome::Answered(answer) => return answer,
        HookOutcome::Refused(refusal) => {
            // In a run, the run outside writes it down.
            asker.tell_outside();
            refusal
        }
        HookOutcome::Open(open) => match ask(asker, *open) {
            Ok(()) => return HookAnswer::Allow,
            Err(refusal) => refusal,
        },
    };
    if asker.event.session.as_deref() != Some(SAMPLE_SESSION) {
        let directory = asker.event.cwd.as_deref().unwrap_or_default();
        diary::note([LogEntry::of(&refusal, RefusingDoor::Hook, asker.agent.name(), directory)]);
    }
    HookAnswer::from(&*refusal)
}

/// Reads the event, and decides what it asks for.
fn judge(agent: Agent, policies: &[PathBuf]) -> Result<Heard, String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST).read_to_end(&mut bytes);
    read.map_err(|error| format!("the agent's event cannot be read: {error}"))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) >= LONGEST {
        return Err("the agent's event is too long".to_owned());
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| "the agent's event is not UTF-8".to_owned())?;
    let mut event = agent.read(&text, &variable).map_err(|error| error.to_string())?;
    let place = Place { cwd: event.cwd.as_deref(), project: &event.project };
    // The process ends soon; freeing the policy piece by piece would only cost time.
    let guard = ManuallyDrop::new(open_hook(policies, &place).map_err(|own| own.message)?);
    let home = guard.context().home.as_str();
    known::tell(&mut event, agent, home);
    called::note(home, agent, event.session.as_deref());
    // The prompt of an agent in a run is drawn by what runs in it; the run outside asks a person.
    if event.prompt == AgentPrompt::Appears && ask::is_in_run() {
        event.prompt = AgentPrompt::Unknown;
    }
    let fenced = Fenceable::of(&guard, agent, &event, &text, policies)
        .and_then(|fenceable| fenceable.answer(&guard));
    if let Some(reply) = fenced {
        return Ok(Heard { text, event, considered: Considered::Fenced(reply) });
    }
    let outcome = judge_event_unless(&guard, agent, &event, |asked| {
        let root = guard.context().root.as_ref().map(|own| Path::new(own.as_str()));
        let session = event.session.as_deref().unwrap_or_default();
        slips().is_ok_and(|slips| slips.take(asked, session, root).is_some())
    });
    Ok(Heard { text, event, considered: Considered::Outcome(outcome) })
}

/// A variable that the agent set for its hook.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn blocked(agent: Agent, reason: &str) -> HookReply {
    agent.block(&Refusal::failed(reason).to_json().to_string())
}

/// What is said for a judge that takes too long: the same, said without its help.
fn last_word(reply: &HookReply) -> LastWord {
    let stderr = match reply.stderr.as_str() {
        "" => String::new(),
        text => format!("{text}\n"),
    };
    LastWord {
        stdout: reply.stdout.clone().into(),
        stderr: stderr.into(),
        status: Exit::As(reply.status).status(),
        unsaid: Exit::Error.status(),
    }
}

/// Says it; an agent that cannot be told is told by the status.
fn say(reply: &HookReply) -> Exit {
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
        .map_err(|error| Failure::new(format!("can't tell where ringfence is: {error}")))?;
    let program = program.to_str().ok_or("the path of ringfence is not UTF-8".to_owned())?;
    let setup = agent.setup(program);
    show::say(&format!("note: this belongs in ~/{}", setup.path));
    let _ = std::io::stdout().lock().write_all(setup.text.as_bytes());
    Ok(Exit::Allow)
}
