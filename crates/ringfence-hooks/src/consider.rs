//! From an event to its answer, by way of the guard.

use ringfence_core::{AccessKind, Effect, Ground, UnlistedCalls};
use ringfence_guard::redact::redact;
use ringfence_guard::{Call, Guard, Judgement, Refusal, deed_of, describe, pattern_for};

use crate::agent::Agent;
use crate::answer::Answer;
use crate::event::{Event, Prompt, Stage};

/// What became of an event.
#[derive(Debug)]
pub enum Considered {
    /// The agent can be told.
    Answered(Answer),
    /// It may not be done.
    Refused(Box<Refusal>),
    /// A person has to be asked first.
    Open(Box<Open>),
}

/// A question that a person has to answer.
#[derive(Debug)]
pub struct Open {
    /// What would be done, in words.
    pub what: String,
    /// Why it is asked.
    pub why: String,
    /// The pattern that would spare the question, where one would.
    pub pattern: Option<String>,
    /// What an answer is bound to: the call as it was made.
    pub exact: String,
    /// The files that the call reads, whose content an answer is bound to as well.
    pub files: Vec<String>,
    /// What is asked about, each as the pattern of a grant; none where a doubt asks.
    pub asked: Option<Vec<String>>,
    /// Exactly what is asked about, each as a pattern, where all of it can be told.
    pub deeds: Option<Vec<String>>,
    /// How long a person has, in seconds, where the policy says so.
    pub wait: Option<u64>,
    refusal: Refusal,
}

/// Decides what an agent asks for.
pub fn consider(guard: &Guard, agent: Agent, event: &Event) -> Considered {
    consider_unless(guard, agent, event, |_| false)
}

/// As `consider`; nobody is asked where it was `agreed` beforehand to all that would be asked about,
/// each as a pattern.
pub fn consider_unless(
    guard: &Guard,
    agent: Agent,
    event: &Event,
    agreed: impl FnOnce(&[String]) -> bool,
) -> Considered {
    let call = call_of(agent, event);
    if let Some(tool_name) = agent.wanders(guard, &call) {
        return Considered::Refused(Box::new(Refusal::wandering(tool_name)));
    }
    let judgement = guard.consider(&call);
    let answer = match judgement.verdict.effect {
        Effect::Allow => Answer::Allow,
        // Whoever only looks on leaves the agent as it was.
        _ if judgement.is_observed() => Answer::NoOpinion,
        Effect::Deny => return Considered::Refused(Box::new(Refusal::new(&call, &judgement))),
        Effect::Ask => return ask(&call, &judgement, event, agreed),
    };
    Considered::Answered(answer)
}

fn ask(
    call: &Call,
    judgement: &Judgement,
    event: &Event,
    agreed: impl FnOnce(&[String]) -> bool,
) -> Considered {
    let refusal = Refusal::new(call, judgement);
    let hooks = judgement.policy.settings().hooks;
    let leaves_it = hooks.unlisted == Some(UnlistedCalls::Agent) && is_by_default(judgement);
    // A prompt that is about to be shown is the question; it was judged before the tool already.
    if leaves_it || event.stage == Stage::BeforePrompt {
        return Considered::Answered(Answer::NoOpinion);
    }
    let asked = asked_about(judgement, pattern_for);
    if asked.as_deref().is_some_and(agreed) {
        return Considered::Answered(Answer::Allow);
    }
    if event.prompt == Prompt::Appears {
        return Considered::Answered(Answer::Prompt(in_words(&refusal)));
    }
    let mut parts = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    let what: Vec<String> = parts.clone().map(|part| describe(&part.access.what)).collect();
    let single = parts.next().is_some() && parts.next().is_none() && judgement.doubts.is_empty();
    Considered::Open(Box::new(Open {
        what: if what.is_empty() { refusal.what.clone() } else { what.join(", and ") },
        why: refusal.rule.clone().unwrap_or_else(|| refusal.ground.clone()),
        // A rule that asks would ask again, and a pattern with a secret in it is not written down.
        pattern: refusal
            .would_grant
            .clone()
            .filter(|own| single && refusal.rule.is_none() && redact(own) == *own),
        exact: format!("{:?} {:?} {:?}", call.agent, call.cwd, call.action),
        files: read_files(judgement),
        asked,
        deeds: asked_about(judgement, deed_of),
        wait: hooks.wait,
        refusal,
    }))
}

/// All that is asked about, as patterns; none where a doubt asks, which no pattern covers.
fn asked_about(
    judgement: &Judgement,
    pattern: impl Fn(&AccessKind) -> Option<String>,
) -> Option<Vec<String>> {
    if judgement.doubts.iter().any(|doubt| doubt.effect != Effect::Allow) {
        return None;
    }
    let asked = judgement.parts().filter(|part| part.verdict.effect == Effect::Ask);
    asked.map(|part| pattern(&part.access.what)).collect()
}

/// The call that an event asks about.
pub fn call_of(agent: Agent, event: &Event) -> Call {
    Call { agent: Some(agent.name().into()), cwd: event.cwd.clone(), action: event.action.clone() }
}

/// Whether nothing but the default asks.
fn is_by_default(judgement: &Judgement) -> bool {
    let mut decisive = judgement.verdict.decisive();
    judgement.doubts.iter().all(|doubt| doubt.effect == Effect::Allow)
        && decisive.all(|ground| matches!(ground, Ground::NotGranted { .. }))
}

fn read_files(judgement: &Judgement) -> Vec<String> {
    use ringfence_core::access::FileOp;
    let files = judgement.parts().filter_map(|part| match &part.access.what {
        AccessKind::File(file) if file.op == FileOp::Read => {
            Some(file.path.real.as_str().to_owned())
        }
        AccessKind::Exec(exec) => exec.program.file.as_ref().map(|file| file.as_str().to_owned()),
        _ => None,
    });
    let mut files: Vec<String> = files.collect();
    files.sort();
    files.dedup();
    files
}

/// The refusal as a person reads it in a prompt.
fn in_words(refusal: &Refusal) -> String {
    let lines = refusal.lines();
    let lines: Vec<String> = lines.iter().map(|(word, text)| format!("{word}: {text}")).collect();
    format!("ringfence asks before this is done\n{}", lines.join("\n"))
}

/// What came of a question to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// Somebody agreed.
    Agreed,
    /// Somebody said no.
    Declined,
    /// Nobody answered; where the question still waits, under this name.
    Unanswered(Option<String>),
}

/// What the agent is told once a question is settled: an error where it may not be done.
pub fn settle(open: Open, settled: Settled) -> Result<(), Box<Refusal>> {
    let Open { mut refusal, .. } = open;
    match settled {
        Settled::Agreed => return Ok(()),
        Settled::Declined => refusal.was_declined(),
        Settled::Unanswered(waits_as) => {
            refusal.was_unanswered();
            waits_as.into_iter().for_each(|id| refusal.waits_as(id));
        }
    }
    Err(Box::new(refusal))
}
